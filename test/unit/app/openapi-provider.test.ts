import { describe, expect, it } from 'vitest';
import { openapiProvider } from '../../../src/app/providers/openapi-provider.ts';
import type { OpenapiSettings } from '../../../src/adapters/openapi/openapi-settings.ts';

const settings: OpenapiSettings = {
  name: 'shop',
  document: 'https://shop.example/openapi.json',
  baseUrl: 'https://shop.example',
  operations: ['*'],
  headers: {},
  forwardAuthorization: false,
  timeout: 30_000,
  actions: {},
};
const nothing = { tools: [], refused: [], breaches: [], unmatched: [] };

type Source = Parameters<typeof openapiProvider>[0];

function providerOf(changes: Partial<Source>): ReturnType<typeof openapiProvider> {
  const source: Source = {
    settings,
    offer: nothing,
    fault: undefined,
    state: 'ok',
    keepTrying: () => undefined,
    renewHeaders: () => undefined,
    close: () => Promise.resolve(),
    ...changes,
  };
  return openapiProvider(source, { file: 'helper.yaml', path: 'actions.openapi[0]' });
}

/** The warnings of an API, one a line. */
function warningsOf(changes: Partial<Source>): string {
  return providerOf(changes)
    .warnings()
    .map(({ code, message }) => `${code} ${message}`)
    .join('\n');
}

describe('the warnings of an API (contract/openapi.md)', () => {
  it('are none where all is well', () => {
    expect(warningsOf({ settings: { ...settings, headers: { 'X-Key': 'k' } } })).toBe('');
  });

  // proves extending-3-05
  it.each([
    ['http://shop.example', true],
    ['http://localhost:3000', false],
    ['http://[::1]:3000', false],
    ['https://shop.example', false],
  ])('are about headers over %s: %s', (baseUrl, warns) => {
    expect(warningsOf({ settings: { ...settings, baseUrl, headers: { 'X-Key': 'k' } } }).includes('HLP1184')).toBe(
      warns,
    );
    expect(warningsOf({ settings: { ...settings, baseUrl } })).toBe('');
  });

  // proves extending-3-12
  it('say why a document could not be used', () => {
    const missing = providerOf({ offer: undefined, fault: 'was answered with status 404', state: 'failed' });
    expect(missing.warnings()).toEqual([
      {
        code: 'HLP1180',
        message:
          'actions.openapi[0]: the document was answered with status 404. It is read again while the server runs, and its actions are missing until then.',
      },
    ]);
    expect(missing.readiness()).toEqual([{ name: 'openapi:shop', state: 'failed' }]);
  });

  // proves extending-3-20, extending-3-24, extending-3-25
  it('name operations that are left out, globs that name none and places that break OpenAPI, ten of each at most', () => {
    const refused = Array.from({ length: 12 }, (_, index) => ({
      id: `op${String(index)}`,
      place: 'GET /a',
      reason: 'has a path that is none',
    }));
    const said = warningsOf({
      offer: { ...nothing, refused, unmatched: ['x*'], breaches: ['GET /b (b) at its beginning: wrong'] },
    });
    expect(said.split('\n')).toHaveLength(13);
    expect(said).toContain('HLP1181 actions.openapi[0]: op0 (GET /a) is left out, because it has a path that is none.');
    expect(said).toContain('HLP1181 … and 2 more of this kind.');
    expect(said).toContain('HLP1182 actions.openapi[0].operations: "x*" names no operation of the document.');
    expect(said).toContain('HLP1183 actions.openapi[0]: the document breaks OpenAPI in GET /b (b)');
  });
});
