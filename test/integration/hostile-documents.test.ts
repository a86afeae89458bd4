import { describe, expect, it } from 'vitest';
import { StartupFaults } from '../../src/core/errors/startup-fault.ts';
import { allOf, inProcessHelper, type InProcessHelper } from '../support/in-process-helper.ts';
import { answering, offeredIn, statusesIn } from '../support/mcp/mcp-helper.ts';
import { type ApiServer, startApi } from '../support/openapi/api-server.ts';
import { documentOf, fileOf, operation, shopDocument } from '../support/openapi/shop-document.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const lookUp = [calling({ name: 'get_order', arguments: { orderId: 7 } }), saying('Open.')];

/** The assistant with a document that means harm, beside a shop that does not. */
async function beside(
  document: string | object,
  { scripts = [] as readonly ModelScript[], entry = {} } = {},
): Promise<InProcessHelper & { readonly api: ApiServer; readonly shop: ApiServer }> {
  const [api, shop] = [await startApi(), await startApi()];
  const named = typeof document === 'string' && /^https?:/.test(document) ? document : fileOf(document);
  const openapi = [
    { name: 'bad', document: named, baseUrl: api.url, operations: ['*'], ...entry },
    { name: 'shop', document: fileOf(shopDocument), baseUrl: shop.url, operations: ['*'] },
  ];
  const settings = { actions: { openapi } };
  return { ...(await inProcessHelper({ scripts: [...scripts, ...lookUp], settings })), api, shop };
}

/** The shop is called, and the tools that the model was offered are these. */
async function shopWorks(opened: Awaited<ReturnType<typeof beside>>, offered: readonly string[] = []): Promise<void> {
  const session = await opened.helper.session();
  expect(statusesIn(await allOf(session.send('order 7?')))).toEqual(['get_order succeeded']);
  expect(opened.shop.requests.map(({ target }) => target)).toEqual(['/orders/7']);
  const tools = offeredIn(opened.model, opened.model.requests.length - 1);
  expect(tools).toEqual([...offered, 'get_order', 'cancel_order']);
}

/** The start is refused. Returns the place and the message. */
async function refusal(document: string | object, entry: object = {}): Promise<string> {
  const opened = beside(document, { entry }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const error = await opened;
  if (!(error instanceof StartupFaults)) throw new Error('the start was not refused');
  return error.faults.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

const bodyOf = (schema: object): object => ({ requestBody: { content: { 'application/json': { schema } } } });
const twice = (name: string): object => ({
  type: 'object',
  properties: { a: { $ref: `#/components/schemas/${name}` }, b: { $ref: `#/components/schemas/${name}` } },
});

describe('a document that means harm harms its own actions alone (contract/openapi.md#limits)', () => {
  // proves extending-3-51
  it('a bomb of references: what grows without end is left open, and the rest can be called', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, level) => [
        `L${String(level)}`,
        level === 0 ? { type: 'string' } : twice(`L${String(level - 1)}`),
      ]),
    );
    const document = documentOf(
      { '/boom': { post: operation('boom', bodyOf({ $ref: '#/components/schemas/L59' })) } },
      { components: { schemas } },
    );
    const opened = await beside(document);
    await shopWorks(opened, ['boom']);
    const tools = JSON.stringify(opened.model.requests.at(-1)?.body['tools']);
    expect(tools.length).toBeLessThan(64 * 1024);
  });

  // proves extending-3-51
  it('a bomb of aliases in YAML is refused, and the place is told', async () => {
    const names = 'abcdefghij';
    const lines = Array.from(names).map((name, index) => {
      const before = index === 0 ? 'x' : `*${names.charAt(index - 1)}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    const yaml = ['openapi: 3.0.0', 'info: { title: x, version: "1" }', ...lines, 'paths: {}'].join('\n');
    expect(await refusal(yaml)).toMatch(
      /^actions\.openapi\[0\]\.document: .* is neither JSON nor YAML: Excessive alias/,
    );
  });

  // proves extending-3-40
  it('servers of somebody else: nothing is sent there, whatever the document says', async () => {
    const thief = await startApi();
    const servers = [{ url: thief.url }];
    const document = documentOf(
      {
        '/a': { servers, get: operation('one', { servers }) },
        [`//${new URL(thief.url).host}/b`]: { get: operation('two') },
      },
      { servers },
    );
    const one = [calling({ name: 'one', arguments: {} }), saying('Done.')];
    const opened = await beside(document, { scripts: one, entry: { headers: { 'X-Key': 's3cret' } } });
    await allOf((await opened.helper.session()).send('go'));
    expect(opened.api.requests.map(({ target }) => target)).toEqual(['/a']);
    expect(thief.requests).toEqual([]);
    await shopWorks(opened, ['one']);
  });

  // proves extending-3-13
  it('references to files and addresses elsewhere: none is read, and the operation is left out', async () => {
    const inside = await startApi();
    const outside = ['../../../../etc/passwd', 'file:///etc/passwd', '/etc/passwd', `${inside.url}/latest/meta-data`];
    const paths = Object.fromEntries(
      outside.map(($ref, index) => [
        `/p${String(index)}`,
        { post: operation(`steal${String(index)}`, bodyOf({ $ref })) },
      ]),
    );
    const opened = await beside(documentOf({ ...paths, '/fine': { get: operation('fine') } }));
    expect(inside.requests).toEqual([]);
    await shopWorks(opened, ['fine']);
  });

  // proves extending-3-50
  it('100,000 operations: too many are refused in words, and the few that are named are imported', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [
        `/p${String(index)}`,
        { get: { operationId: `op${String(index)}` } },
      ]),
    );
    expect(await refusal(documentOf(paths))).toContain(
      'has 100000 operations that are to be imported; at most 500 are, so name fewer',
    );
    await shopWorks(await beside(documentOf(paths), { entry: { operations: ['op7', 'op99999'] } }), ['op7', 'op99999']);
  });

  // proves extending-3-51
  it('schemas that hold themselves, and references in a circle', async () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: {
          next: { $ref: '#/components/schemas/Node' },
          all: { allOf: [{ $ref: '#/components/schemas/Node' }] },
        },
      },
      Loop: { $ref: '#/components/schemas/Loop' },
      Pool: { allOf: [{ $ref: '#/components/schemas/Pool' }] },
    };
    const paths = Object.fromEntries(
      Object.keys(schemas).map((name) => [
        `/${name}`,
        { post: operation(name, bodyOf({ $ref: `#/components/schemas/${name}` })) },
      ]),
    );
    const node = calling({ name: 'node', arguments: { next: { next: { deep: 1 } } } });
    const opened = await beside(documentOf(paths, { components: { schemas } }), { scripts: [node, saying('Done.')] });
    const session = await opened.helper.session();
    const events = await answering(session.send('go'), (actionId) => session.approve(actionId, true));
    expect(statusesIn(events)).toEqual(['node succeeded']);
    expect(opened.api.requests[0]?.body).toBe('{"next":{"next":{"deep":1}}}');
    await shopWorks(opened, ['node', 'pool']);
  });

  // proves extending-3-50
  it('a document without end, large or deep', async () => {
    expect(await refusal(JSON.stringify({ openapi: '3.0.0', x: 'y'.repeat(17 * 1024 * 1024) }))).toContain(
      'is larger than 16 MiB, with what it refers to',
    );
    const depth = 200_000;
    expect(await refusal(`openapi: 3.0.0\npaths: {}\nx: ${'['.repeat(depth)}${']'.repeat(depth)}`)).toContain(
      'is neither JSON nor YAML: Maximum call stack size exceeded',
    );
    const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const inside = JSON.stringify(documentOf({ '/a': { post: operation('deep', bodyOf({ example: 'HERE' })) } }));
    await shopWorks(await beside(inside.replace('"HERE"', nested).replace('3.1.0', '3.0.3')), ['deep']);
    const endless = await startApi((_request, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), more);
      };
      response.writeHead(200);
      more();
    });
    await shopWorks(await beside(`${endless.url}/openapi.json`));
  });

  // proves extending-3-71, extending-3-03
  it('names that clash, that are reserved, or that are no names of tools: each has a name of its own', async () => {
    const ids = [
      'getOrders',
      'get_orders',
      'GetOrders',
      'navigateToPage',
      'page_x',
      '..',
      '{}',
      'x'.repeat(300),
      '*',
      'fine',
    ];
    const paths = Object.fromEntries(ids.map((id, index) => [`/p${String(index)}`, { get: operation(id) }]));
    const cut = `${'x'.repeat(55)}_0d4e2ca9`;
    const reserved = ['op_navigate_to_page', 'op_page_x'];
    const offered = ['get_p0', 'get_orders', 'get_p2', ...reserved, 'get_p5', 'get_p6', cut, 'get_p8', 'fine'];
    await shopWorks(await beside(documentOf(paths)), offered);
  });

  // proves extending-3-51, extending-3-75
  it('parameters in odd places', async () => {
    const withParameters = (id: string, parameters: unknown): object => ({ get: operation(id, { parameters }) });
    const schema = { type: 'string' };
    const opened = await beside(
      documentOf({
        '/1': withParameters('inBody', [{ name: 'x', in: 'body', required: true, schema }]),
        '/2': withParameters('inCookie', [{ name: 'sid', in: 'cookie', required: true, schema }]),
        '/3': withParameters('noList', { name: 'x' }),
        '/4': withParameters('noObject', ['x', 1, null]),
        '/5': withParameters('oddHeader', [{ name: 'X\r\nHost: evil', in: 'header', schema }]),
        '/{6}': withParameters('notDescribed', []),
        '/7': withParameters(
          'many',
          Array.from({ length: 5000 }, (_, index) => ({ name: `p${String(index)}`, in: 'query', schema })),
        ),
        '/8': { get: 'nothing', post: null, put: ['x'] },
        '/9': 'nothing',
        '/fine': withParameters('fine', [
          { name: 'Host', in: 'header', schema },
          { name: '__proto__', in: 'query', schema },
        ]),
      }),
    );
    await shopWorks(opened, ['not_described', 'fine']);
  });

  // proves extending-3-11, extending-3-12
  it('a page in place of a document: the file stops the start, the address is asked again', async () => {
    const page = '<!doctype html><title>Sign in</title>';
    expect(await refusal(page)).toMatch(
      /^actions\.openapi\[0\]\.document: .* is a page or XML, and neither JSON nor YAML$/,
    );
    const web = await startApi((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    );
    await shopWorks(await beside(`${web.url}/openapi.json`));
  });

  // proves extending-3-51
  it('redirects, statuses and slow answers in place of a document: nobody is followed, and the start waits for none for ever', async () => {
    const elsewhere = await startApi();
    const moved = await startApi((_request, response) => response.writeHead(302, { location: elsewhere.url }).end());
    await shopWorks(await beside(`${moved.url}/openapi.json`));
    expect(elsewhere.requests).toEqual([]);
    const silent = await startApi(() => undefined);
    await shopWorks(await beside(`${silent.url}/openapi.json`));
  });
});

describe('a document at an address (contract/openapi.md#documents)', () => {
  // proves extending-3-12
  it('is read again until that succeeds; until then the server is not ready, and no longer after', async () => {
    const shop = await startApi();
    const files = await startApi((_request, response) => response.writeHead(500).end());
    const entry = { name: 'shop', document: `${files.url}/openapi.json`, baseUrl: shop.url, operations: ['*'] };
    const server = await scriptedServer({ scripts: lookUp, settings: { actions: { openapi: [entry] } } });
    const ready = async () => {
      const response = await fetch(`${server.url}/readyz`);
      return { status: response.status, body: await response.text() };
    };
    const before = await ready();
    expect(before.status).toBe(503);
    expect(before.body).toContain('openapi:shop');
    files.answer = (_request, response) => response.writeHead(200).end(JSON.stringify(shopDocument));
    await expect.poll(async () => (await ready()).status).toBe(200);
    const asked = files.requests.length;
    expect(asked).toBeGreaterThan(1);
    await (await openSse(`${server.url}/helper/chat`, { body: { message: 'order 7?' } })).next('end');
    expect(shop.requests.map(({ target }) => target)).toEqual(['/orders/7']);
    expect(files.requests).toHaveLength(asked);
  });

  // proves extending-3-14
  it('is fetched with the headers of the entry only where it has the origin of baseUrl', async () => {
    const shop = await startApi((_request, response) => response.writeHead(200).end(JSON.stringify(shopDocument)));
    const other = await startApi((_request, response) => response.writeHead(200).end(JSON.stringify(shopDocument)));
    const headers = { 'X-Key': 's3cret' };
    const named = { baseUrl: shop.url, headers, operations: ['getOrder'] };
    await beside(`${shop.url}/openapi.json`, { entry: { ...named, operations: ['nothing'] } });
    await beside(`${other.url}/openapi.json`, { entry: { ...named, operations: ['nothing'] } });
    expect(shop.requests.map(({ headers: sent }) => sent['x-key'])).toEqual(['s3cret']);
    expect(other.requests.map(({ headers: sent }) => sent['x-key'])).toEqual([undefined]);
  });

  // proves extending-3-23
  it('that lacks an operation whose roles are configured is not used at all', async () => {
    const fault = await refusal(shopDocument, {
      operations: ['*'],
      actions: { cancelOrders: { requiredRoles: ['Sales'] } },
    });
    expect(fault).toContain('has no operation cancelOrders, which actions names');
  });
});
