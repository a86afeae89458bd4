import { describe, expect, it } from 'vitest';
import { saidOfOperations } from '../../../src/config/openapi-operations.ts';
import { changeOf } from '../../../src/app/reload/live-settings.ts';
import { fileOf, shopDocument } from '../../support/openapi/shop-document.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { loadText } from './load-from-text.ts';

const address = 'document: "https://shop.example/openapi.json"';
const base = 'baseUrl: "https://shop.example"';
const named = 'operations: [getOrder]';

function loaded(members: string, more = ''): ReturnType<typeof loadText> {
  const models = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }';
  return loadText(`${models}\nactions: { openapi: [{ name: shop, ${members} }${more}] }`);
}

function settingsOf(members: string): HelperSettings {
  const { settings, faults } = loaded(members);
  if (settings === undefined) throw new Error(JSON.stringify(faults));
  return settings;
}

function faultsOf(members: string, more = ''): string {
  return loaded(members, more)
    .faults.map(({ path, message }) => `${path}: ${message}`)
    .join('\n');
}

describe('actions.openapi (contract/openapi.md#configuration)', () => {
  // proves extending-3-01
  it('has every default of the contract', () => {
    const { actions } = settingsOf(`${address}, ${base}, ${named}, actions: { getOrder: {} }`);
    expect(actions).toEqual({
      plugins: [],
      callbacks: [],
      openapi: [
        {
          name: 'shop',
          document: 'https://shop.example/openapi.json',
          baseUrl: 'https://shop.example',
          operations: ['getOrder'],
          headers: {},
          forwardAuthorization: false,
          timeout: 30_000,
          actions: { getOrder: { requiredRoles: [], tenants: [], examples: [], sinks: [] } },
        },
      ],
    });
  });

  // proves extending-3-22
  it('takes a map of operations, which says what is imported and what holds for each', () => {
    const { actions } = settingsOf(`${address}, ${base}, operations: { "GET *": {}, "POST /a": { name: make_a } }`);
    if (actions === 'none') throw new Error('there are none');
    const [entry] = actions.openapi;
    expect(entry === undefined ? undefined : saidOfOperations(entry)).toEqual({
      operations: ['GET *', 'POST /a'],
      actions: { 'POST /a': { name: 'make_a', requiredRoles: [], tenants: [], examples: [], sinks: [] } },
    });
  });

  it('takes a file beside the configuration', () => {
    const file = fileOf(shopDocument);
    const { actions } = settingsOf(`document: ${JSON.stringify(file)}, ${base}, ${named}`);
    expect(actions).toMatchObject({ openapi: [{ document: file }] });
  });

  // proves extending-3-02, extending-3-04
  it.each([
    ['a file that is not there', `document: ./gone.yaml, ${base}, ${named}`, 'document: there is no file'],
    ['a folder', `document: ., ${base}, ${named}`, 'is not a file'],
    ['an address with a user', `document: "https://ann:pw@shop.example/a", ${base}, ${named}`, 'is no address'],
    ['no base address', `${address}, ${named}`, 'baseUrl'],
    ['a base address with a query', `${address}, baseUrl: "https://shop.example?a=b", ${named}`, 'has a query'],
    ['no operations', `${address}, ${base}`, 'operations'],
    ['an empty list of operations', `${address}, ${base}, operations: []`, 'operations'],
    [
      'a header of the connection',
      `${address}, ${base}, ${named}, headers: { Host: evil }`,
      'headers.Host: belongs to',
    ],
    [
      "the user's token in plain http",
      `${address}, baseUrl: "http://shop.example", ${named}, forwardAuthorization: true`,
      'baseUrl: forwardAuthorization needs https',
    ],
    [
      'two tokens',
      `${address}, ${base}, ${named}, forwardAuthorization: true, headers: { authorization: "Bearer s3cret" }`,
      'stands beside a header Authorization',
    ],
    ['a misspelt operation', `${address}, ${base}, ${named}, actions: { getOrdr: {} }`, 'is none of operations'],
    [
      'a contradiction',
      `${address}, ${base}, ${named}, actions: { getOrder: { destructive: true, readOnly: true } }`,
      'destructive: cannot stand beside readOnly: true',
    ],
    ['an empty map of operations', `${address}, ${base}, operations: {}`, 'operations: names no operation'],
    [
      'something said of several operations',
      `${address}, ${base}, operations: { "get*": { readOnly: true } }`,
      'operations.get*: names several operations',
    ],
    [
      'something said in two places',
      `${address}, ${base}, operations: { getOrder: {} }, actions: { getOrder: {} }`,
      'actions.getOrder: stands in operations as well',
    ],
    [
      'a contradiction in a map',
      `${address}, ${base}, operations: { "POST /a": { destructive: true, readOnly: true } }`,
      'destructive: cannot stand beside readOnly: true',
    ],
    ['a name that no tool may have', `${address}, ${base}, operations: { a: { name: A-1 } }`, 'operations.a.name'],
    [
      'an unknown member',
      `${address}, ${base}, ${named}, actions: { getOrder: { role: Sales } }`,
      'actions.getOrder.role',
    ],
  ])('refuses %s', (_what, members, message) => {
    const faults = faultsOf(members);
    expect(faults).toContain(message);
    expect(faults).not.toContain('s3cret');
  });

  // proves extending-3-02
  it('refuses two entries with one name', () => {
    const whole = `${address}, ${base}, ${named}`;
    expect(faultsOf(whole, `, { name: shop, ${whole} }`)).toContain('openapi[0] has the same name');
  });

  // proves extending-3-06
  it('takes new values of headers while it runs; everything else waits for a restart', () => {
    const whole = `${address}, ${base}, ${named}`;
    const serving = settingsOf(`${whole}, headers: { X-Key: old }`);
    const renewed = changeOf(serving, settingsOf(`${whole}, headers: { X-Key: new }`));
    expect(renewed.taken).toContain('actions.openapi[].headers');
    expect(renewed.left).not.toContain('actions');
    expect(renewed.settings.actions).toMatchObject({ openapi: [{ headers: { 'X-Key': 'new' } }] });
    for (const changed of [`${whole}, headers: { X-Other: new }`, `${whole}, timeout: 5s, headers: { X-Key: old }`]) {
      const { taken, left } = changeOf(serving, settingsOf(changed));
      expect(taken).not.toContain('actions.openapi[].headers');
      expect(left).toContain('actions');
    }
  });
});
