import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../src/cli/run-command.ts';
import { startApi } from '../support/openapi/api-server.ts';
import { documentOf, filesOf, operation, shopDocument } from '../support/openapi/shop-document.ts';
import { type FakeContext, fakeContext } from '../unit/cli/fake-context.ts';

interface Adopted {
  readonly code: number;
  readonly folder: string;
  readonly context: FakeContext;
  /** The text of `helper.yaml`. Empty where there is none. */
  readonly text: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Runs `helper adopt` in a new folder with a document. */
async function adopt(document: string | object, ...more: readonly string[]): Promise<Adopted> {
  const isAddress = typeof document === 'string' && document.startsWith('http');
  const folder = filesOf(isAddress ? {} : { 'api/shop.json': document });
  const context = fakeContext(folder);
  const code = await runCommand(['adopt', isAddress ? document : 'api/shop.json', ...more], context);
  const file = join(folder, 'helper.yaml');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { code, folder, context, text, entry: entryOf(text) };
}

function entryOf(text: string): Readonly<Record<string, unknown>> {
  const read = parse(text) as { actions?: { openapi?: Readonly<Record<string, unknown>>[] } } | null;
  return read?.actions?.openapi?.[0] ?? {};
}

describe('helper adopt (contract/openapi.md#adopting)', () => {
  // proves extending-3-60
  it('writes a configuration that is served: what reads is on, the rest is listed and off, all with name and words', async () => {
    const more = { servers: [{ url: 'https://shop.example/v1/' }] };
    const { code, folder, context, text, entry } = await adopt({ ...shopDocument, ...more });
    expect(code).toBe(0);
    expect(entry).toEqual({
      name: 'shop',
      document: './api/shop.json',
      baseUrl: 'https://shop.example/v1',
      operations: ['getOrder'],
    });
    expect(parse(text)).toMatchObject({ demoPage: true });
    expect(text).toContain('# get_order (GET /orders/{orderId}): Runs getOrder.');
    expect(text).toContain(
      '# cancel_order (POST /orders/{orderId}/cancel): Runs cancelOrder.\n        # - "cancelOrder"',
    );
    expect(context.written()).toContain(
      'wrote helper.yaml\n  2 operations in the document\n  1 operation only read: on\n  1 operation may change something: off\n  0 operations left out\n',
    );

    const checked = fakeContext(folder);
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], checked)).toBe(0);
    expect(checked.written()).toMatch(/get_order +reads +does not ask +everybody +API shop/);
    expect(checked.written()).not.toContain('cancel_order');

    writeFileSync(join(folder, 'helper.yaml'), text.replace('# - "cancelOrder"', '- "cancelOrder"'));
    const both = fakeContext(folder);
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], both)).toBe(0);
    expect(both.written()).toMatch(/cancel_order +writes +asks \(write\)/);
  });

  // proves extending-3-60
  it.each([
    ['a key', { k: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } }, '# headers: { X-Shop-Key: "${API_KEY}" }'],
    ['a token', { k: { type: 'http', scheme: 'bearer' } }, '# headers: { Authorization: "Bearer ${API_TOKEN}" }'],
    ['no header', { k: { type: 'apiKey', in: 'query', name: 'k' } }, '# headers: { X-Api-Key: "${API_KEY}" }'],
    [
      'odd names',
      { k: { type: 'apiKey', in: 'header', name: 'X }\nactions: none' } },
      '# headers: { X-Api-Key: "${API_KEY}" }',
    ],
  ])('has the header that the document names for %s, off until its # is gone', async (_what, securitySchemes, line) => {
    const servers = [{ url: 'https://shop.example' }];
    const { text, entry, folder } = await adopt({ ...shopDocument, servers, components: { securitySchemes } });
    expect(text).toContain(line);
    expect(entry['headers']).toBeUndefined();
    writeFileSync(join(folder, 'helper.yaml'), text.replace('# headers:', 'headers:'));
    const checked = { ...fakeContext(folder, { API_KEY: 'k', API_TOKEN: 't' }) };
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], checked)).toBe(0);
  });

  it('takes a document from an address, with servers that are relative to it', async () => {
    const web = await startApi();
    web.answer = (_request, response) =>
      response.writeHead(200).end(JSON.stringify({ ...shopDocument, servers: [{ url: '/v2' }] }));
    const { code, entry } = await adopt(`${web.url}/docs/openapi.json`);
    expect(code).toBe(0);
    expect(entry).toMatchObject({ document: `${web.url}/docs/openapi.json`, baseUrl: `${web.url}/v2` });
  });

  it.each([
    ['none', []],
    ['one with variables', [{ url: 'https://{region}.shop.example' }]],
    ['one with a user', [{ url: 'https://ann:pw@shop.example' }]],
    ['no web address', [{ url: 'file:///etc' }]],
  ])('leaves baseUrl empty where the document names %s, and the check says so', async (_what, servers) => {
    const { folder, entry, context } = await adopt({ ...shopDocument, servers });
    expect(entry['baseUrl']).toBe('');
    expect(context.written()).toContain('baseUrl is empty');
    const checked = fakeContext(folder);
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], checked)).toBe(78);
    expect(checked.complained()).toContain('baseUrl');
  });

  // proves extending-3-61
  it('never writes over a file unless it is told to', async () => {
    const folder = filesOf({ 'shop.json': shopDocument, 'helper.yaml': 'mine' });
    const run = (...more: readonly string[]) => {
      const context = fakeContext(folder);
      return runCommand(['adopt', 'shop.json', ...more], context).then((code) => ({ code, context }));
    };
    const { code, context } = await run();
    expect({ code, said: context.complained() }).toEqual({
      code: 1,
      said: 'Nothing was written, because helper.yaml is there already. Name another file with --output, or say --replace.\n',
    });
    expect(readFileSync(join(folder, 'helper.yaml'), 'utf8')).toBe('mine');
    expect((await run('--output', 'other.yaml')).code).toBe(0);
    expect(existsSync(join(folder, 'other.yaml'))).toBe(true);
    const printed = await run('--output', '-');
    expect(entryOf(printed.context.written())).toMatchObject({ operations: ['getOrder'] });
    expect((await run('--replace')).code).toBe(0);
    expect(readFileSync(join(folder, 'helper.yaml'), 'utf8')).toContain('getOrder');
  });

  // proves extending-3-62
  it('makes of no text of the document a setting, a glob or a variable of the environment', async () => {
    const evil = 'x\nactions: none\r\u2028# \u0085chatClient: evil ${HOME} "\\';
    const document = {
      ...documentOf({
        '/a': { get: operation('*'), post: operation('${HOME}') },
        '/b': { get: operation('fine', { summary: evil, description: evil }) },
        '/c': { post: operation('off', { summary: evil }), put: operation('o?f') },
        '/d\nactions: none': { get: operation('odd') },
      }),
      info: { title: evil, version: evil },
      servers: [{ url: `https://shop.example/${evil}` }, { url: 'https://shop.example' }],
    };
    const { folder, text, entry } = await adopt(document);
    const read = parse(text) as Readonly<Record<string, unknown>>;
    expect(Object.keys(read)).toEqual(['appName', 'chatClient', 'models', 'demoPage', 'actions']);
    expect(read['chatClient']).toBe('demo');
    expect(entry).toMatchObject({ operations: ['GET /a', 'fine'], baseUrl: 'https://shop.example' });
    expect(Object.keys(entry)).toEqual(['name', 'document', 'baseUrl', 'operations']);
    const checked = fakeContext(folder);
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], checked)).toBe(0);
    expect(checked.written()).not.toContain('off ');
  });

  // proves extending-3-63
  it('says how many operations there are, and which are left out and why', async () => {
    const scan = { type: 'object', required: ['scan'], properties: { scan: { type: 'string', format: 'binary' } } };
    const { text, context, entry, folder } = await adopt(
      documentOf({
        '/a/{id}': { get: operation('loadSkill'), post: { responses: {} }, head: { responses: {} } },
        '/b': { post: operation('upload', { requestBody: { content: { 'multipart/form-data': { schema: scan } } } }) },
        '/c': { $ref: '#/gone' },
      }),
    );
    const lines = text.replaceAll(/\s*\n\s*# /g, ' ');
    expect(lines).toContain('upload (POST /b): it takes the file scan, and files are not sent.');
    expect(lines).toContain('/c: it has the reference #/gone, which leads nowhere.');
    expect(text).toContain('# op_load_skill (GET /a/{id}): Runs loadSkill.');
    expect(text).toContain('# post_a_by_id (POST /a/{id})\n        # - "POST /a/{id}"');
    expect(entry).toMatchObject({ operations: ['loadSkill', 'HEAD /a/{id}'] });
    expect(context.written()).toContain(
      [
        '  5 operations in the document',
        '  2 operations only read: on',
        '  1 operation may change something: off',
        '  2 operations left out:',
        '    upload (POST /b): it takes the file scan, and files are not sent.',
        '    /c: it has the reference #/gone, which leads nowhere.',
      ].join('\n'),
    );
    writeFileSync(join(folder, 'helper.yaml'), text.replace('baseUrl: ""', 'baseUrl: "https://shop.example"'));
    const checked = fakeContext(folder);
    expect(await runCommand(['check', '--config', join(folder, 'helper.yaml')], checked)).toBe(0);
    expect(checked.written()).toMatch(/head_a_by_id +reads/);
  });

  it.each([
    ['a page', '<html></html>', 'is a page or XML'],
    ['Swagger 1.2', '{"swagger":"1.2"}', 'is Swagger 1.2; convert it'],
  ])('refuses %s in words, and writes nothing', async (_what, content, reason) => {
    const { code, context, text } = await adopt(content);
    expect(code).toBe(1);
    expect(text).toBe('');
    expect(context.complained()).toContain(reason);
  });

  it('refuses a file that is not there, and says what it needs', async () => {
    const context = fakeContext(filesOf({}));
    expect(await runCommand(['adopt', 'gone.yaml'], context)).toBe(1);
    expect(context.complained()).toContain('Nothing was written: gone.yaml cannot be read (ENOENT).');
    expect(await runCommand(['adopt'], fakeContext(filesOf({})))).toBe(64);
  });
});
