import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolNameOf } from '../../../../src/adapters/openapi/document/tool-name-of.ts';
import { documentOf, filesOf, operation, shopDocument } from '../../../support/openapi/shop-document.ts';
import { bodyOf, read, readOne, refusalOf } from './read-of.ts';

const text = { type: 'string' };

describe('an OpenAPI document (contract/openapi.md#documents)', () => {
  // proves extending-3-10
  it.each(['3.0.0', '3.0.4', '3.1.0', '3.1.2'])('of version %s is read', async (openapi) => {
    const { operations } = await read({ ...shopDocument, openapi });
    expect(operations.map(({ toolName }) => toolName)).toEqual(['get_order', 'cancel_order']);
  });

  // proves extending-3-10
  it.each([
    ['Swagger 1.2', { swagger: '1.2', paths: {} }, 'is Swagger 1.2; convert it to OpenAPI 3.0 or 3.1'],
    ['a version to come', { ...shopDocument, openapi: '3.9.0' }, 'is OpenAPI 3.9.0; 3.0 and 3.1 are read'],
    ['something else', { name: 'package' }, 'is no OpenAPI document'],
    ['paths that are a list', { ...shopDocument, paths: [] }, 'has no paths'],
  ])('that is %s is refused', async (_what, document, reason) => {
    await expect(read(document)).rejects.toThrow(reason);
  });

  // proves extending-3-10
  it('is JSON or YAML', async () => {
    const yaml = [
      'openapi: 3.0.3',
      'info: { title: Shop, version: "1" }',
      'paths:',
      '  /orders:',
      '    get:',
      '      operationId: listOrders',
      '      responses: { 200: { description: ok } }',
    ].join('\n');
    const { operations } = await read(join(filesOf({ 'a.yaml': yaml }), 'a.yaml'));
    expect(operations.map(({ id }) => id)).toEqual(['listOrders']);
  });

  // proves extending-3-13
  it('may refer to files in its folder, and to no others: not by path, not by link, not by address', async () => {
    const inner = { Reason: { type: 'string', description: 'Why.' } };
    const folder = filesOf({
      'api/shop.json': documentOf({
        '/good': {
          post: operation('good', bodyOf({ type: 'object', properties: { why: { $ref: 'parts/more.json#/Reason' } } })),
        },
        '/path': { post: operation('path', bodyOf({ $ref: '../secret.json#/Reason' })) },
        '/encoded': { post: operation('encoded', bodyOf({ $ref: '%2e%2e/secret.json#/Reason' })) },
        '/link': { post: operation('link', bodyOf({ $ref: 'link.json#/Reason' })) },
        '/absolute': { post: operation('absolute', bodyOf({ $ref: 'file:///etc/hostname' })) },
        '/address': { post: operation('address', bodyOf({ $ref: 'http://169.254.169.254/latest#/Reason' })) },
      }),
      'api/parts/more.json': inner,
      'secret.json': inner,
    });
    symlinkSync(join(folder, 'secret.json'), join(folder, 'api/link.json'));
    const { operations, refused } = await read(join(folder, 'api/shop.json'));
    expect(operations.map(({ id }) => id)).toEqual(['good']);
    expect(operations[0]?.parameters['properties']).toEqual({ why: { type: 'string', description: 'Why.' } });
    expect(refused.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'path has the reference ../secret.json#/Reason, which is outside the folder of the document',
      'encoded has the reference %2e%2e/secret.json#/Reason, which is outside the folder of the document',
      'link has the reference link.json#/Reason, which is outside the folder of the document',
      'absolute has the reference file:///etc/hostname, which is outside the folder of the document',
      'address has the reference http://169.254.169.254/latest#/Reason, which is not where the document comes from',
    ]);
  });
});

describe('an operation (contract/openapi.md#operations)', () => {
  // proves extending-3-03
  it.each([
    ['getOrder', 'get_order'],
    ['GetOrderByID', 'get_order_by_id'],
    ['getHTTPStatus', 'get_http_status'],
    ['orders.list', 'orders_list'],
    ['list-orders', 'list_orders'],
    ['users/list', 'users_list'],
    ['get_order', 'get_order'],
  ])('%s becomes the tool %s', (id, name) => {
    expect(toolNameOf(id)).toBe(name);
  });

  // proves extending-3-20
  it('is imported where a glob names it, and a glob that names none is told', async () => {
    const { operations, unmatched, matched } = await read(shopDocument, { operations: ['get*', 'find*'] });
    expect(operations.map(({ id }) => id)).toEqual(['getOrder']);
    expect({ unmatched, matched }).toEqual({ unmatched: ['find*'], matched: 1 });
  });

  // proves extending-3-24
  it('that cannot be imported is left out with a reason, and the others are there', async () => {
    const { operations, refused, total } = await read(
      documentOf({
        '/a': { get: { $ref: '#/gone' }, post: operation('good') },
        '/b': { $ref: 'gone.json' },
        '/c': { trace: operation('traced'), post: operation('xml', { requestBody: { content: { 'text/xml': {} } } }) },
      }),
    );
    expect(operations.map(({ id }) => id)).toEqual(['good']);
    expect(total).toBe(5);
    expect(refused.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'xml takes a body of text/xml, and only JSON, forms and plain text are sent',
      'GET /a has the reference #/gone, which leads nowhere',
      '/b has the reference gone.json, which cannot be read (ENOENT)',
      'TRACE /c has the method TRACE, which is not sent',
    ]);
  });

  // proves extending-3-24
  it.each([
    ['a cookie', { parameters: [{ name: 'sid', in: 'cookie', required: true, schema: text }] }, 'needs the cookie sid'],
    [
      'a parameter nowhere',
      { parameters: [{ name: 'x', in: 'matrix', schema: text }] },
      'in matrix, where nothing can be',
    ],
    ['a parameter without a name', { parameters: [{ in: 'query' }] }, 'a parameter without a name or a place'],
    [
      'a file',
      {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['scan'],
                properties: { scan: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
      },
      'takes the file scan, and files are not sent',
    ],
    [
      'thousands of arguments',
      bodyOf({
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`a${String(index)}`, text])),
      }),
      'has parameters that are too long for a model',
    ],
    ['a reference to nothing', bodyOf({ $ref: '#/components/schemas/Gone' }), 'leads nowhere'],
    ['a reference to itself', { parameters: [{ $ref: '#/paths/~1things/post/parameters/0' }] }, 'leads in a circle'],
    ['a reference into a prototype', bodyOf({ $ref: '#/constructor/prototype' }), 'leads nowhere'],
  ])('with %s is left out', async (_what, members, reason) => {
    expect(await refusalOf(members)).toContain(reason);
  });

  it.each(['/a/../admin', '/a/%2e%2e/admin', '//evil.example/a', '/a?admin=1', '/a\\b', '/a%2fb', '/a b', '/a/{}'])(
    'at the path %s is left out',
    async (path) => {
      expect(await refusalOf({}, { path })).toMatch(/has a path that is none|has a placeholder without a name/);
    },
  );

  // proves extending-3-25
  it('that breaks OpenAPI is imported as far as it can be read, and the place is told', async () => {
    const { operations, breaches } = await read(
      documentOf({
        '/a': { get: operation('one', { parameters: [{ name: 'q', in: 'query', required: 'yes', schema: text }] }) },
      }),
    );
    expect(operations.map(({ id }) => id)).toEqual(['one']);
    expect(breaches).toEqual([expect.stringMatching(/^GET \/a \(one\) at parameters\.0\.required: must be boolean/)]);
  });
});

describe('the arguments of an operation (contract/openapi.md#arguments)', () => {
  // proves extending-3-30, extending-3-31
  it('are its parameters and the members of its body, in one flat object', async () => {
    const one = await readOne(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'filter[status]', in: 'query', schema: text, description: 'Which.' },
          { name: 'X-Region', in: 'header', required: true, schema: text },
        ],
        ...bodyOf({ type: 'object', required: ['id'], properties: { id: text, note: text } }),
      },
      { path: '/things/{id}' },
    );
    expect(one.parameters).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        filter_status: { type: 'string', description: 'Which.' },
        'X-Region': text,
        body_id: text,
        note: text,
      },
      required: ['id', 'X-Region', 'body_id'],
      additionalProperties: false,
    });
  });

  it('take a parameter of the operation in place of that of its path', async () => {
    const shared = { name: 'q', in: 'query', schema: text };
    const document = documentOf({
      '/a': { parameters: [shared], get: operation('one', { parameters: [{ ...shared, required: true }] }) },
    });
    const { operations } = await read(document);
    expect(operations[0]?.parameters['required']).toEqual(['q']);
  });

  // proves extending-3-30
  it('are one argument `body` where the body is more than its members', async () => {
    const whole = [
      { type: 'array', items: text },
      { oneOf: [{ type: 'object', properties: { a: text } }, text] },
      { type: 'object', additionalProperties: text },
    ];
    for (const schema of whole) {
      const { parameters } = await readOne(bodyOf(schema));
      expect(Object.keys(parameters['properties'] as object)).toEqual(['body']);
      expect(parameters['required']).toEqual(['body']);
    }
  });

  it('are one argument that may be left out where the body may be left out and its members may not', async () => {
    const { parameters } = await readOne(bodyOf({ type: 'object', required: ['a'], properties: { a: text } }, false));
    expect(parameters).toMatchObject({ properties: { body: { required: ['a'] } } });
    expect(parameters['required']).toBeUndefined();
  });

  // proves extending-3-32
  it('join the parts of `allOf`, and leave out what an API only answers with', async () => {
    const { parameters } = await readOne(
      bodyOf({
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { type: 'object', required: ['id', 'name'], properties: { name: text } },
        ],
      }),
      {
        more: {
          components: {
            schemas: { Base: { type: 'object', properties: { id: { ...text, readOnly: true }, note: text } } },
          },
        },
      },
    );
    expect(Object.keys(parameters['properties'] as object)).toEqual(['note', 'name']);
    expect(parameters['required']).toEqual(['name']);
  });

  // proves extending-3-32
  it('speak JSON Schema, whatever the version of OpenAPI: null, exclusive bounds, patterns in words, one of', async () => {
    const { parameters } = await readOne(
      bodyOf({
        type: 'object',
        properties: {
          a: { type: 'string', nullable: true, enum: ['x'], pattern: '^(a+)+$' },
          b: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 'many', xml: { name: 'b' } },
          c: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
          d: { type: ['array', 'null'], items: { type: 'boolean' }, 'x-odd': 1 },
        },
      }),
      { more: { openapi: '3.0.0' } },
    );
    expect(parameters['properties']).toEqual({
      a: { type: ['string', 'null'], enum: ['x', null], description: '(pattern: ^(a+)+$)' },
      b: { type: 'number', exclusiveMinimum: 1 },
      c: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      d: { type: ['array', 'null'], items: { type: 'boolean' } },
    });
  });

  it('are one argument `body` where the parts of `allOf` have no end', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 8 }, (_, level) => [
        `L${String(level)}`,
        level === 0
          ? { type: 'object', properties: { a: text } }
          : { allOf: Array.from({ length: 50 }, () => ({ $ref: `#/components/schemas/L${String(level - 1)}` })) },
      ]),
    );
    const wide = { allOf: Array.from({ length: 250 }, () => ({ $ref: '#/components/schemas/L0' })) };
    for (const schema of [wide, { $ref: '#/components/schemas/L7' }]) {
      const { parameters } = await readOne(bodyOf(schema), { more: { components: { schemas } } });
      expect(Object.keys(parameters['properties'] as object)).toEqual(['body']);
    }
  });

  it('are told with fewer levels where more would be long, and all of the first level is there', async () => {
    const level = (depth: number): object =>
      depth === 0
        ? { type: 'string', description: 'Some words about it.' }
        : { type: 'object', properties: { a: level(depth - 1), b: level(depth - 1), c: level(depth - 1) } };
    const { parameters } = await readOne(bodyOf(level(7)));
    const written = JSON.stringify(parameters);
    expect(written.length).toBeLessThan(12 * 1024);
    expect(written.length).toBeGreaterThan(2 * 1024);
    expect(Object.keys(parameters['properties'] as object)).toEqual(['a', 'b', 'c']);
  });

  // proves extending-3-32
  it('leave open what would be the same again', async () => {
    const { parameters } = await readOne(
      bodyOf({ type: 'object', properties: { root: { $ref: '#/components/schemas/Node' } } }),
      {
        more: {
          components: {
            schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
          },
        },
      },
    );
    expect(parameters['properties']).toEqual({
      root: { type: 'object', properties: { next: { type: 'object' } } },
    });
  });

  // proves extending-3-33
  it('are no headers that belong to the connection, that say who calls, or that the configuration sets', async () => {
    const header = (name: string): object => ({ name, in: 'header', required: true, schema: text });
    const names = [
      'Authorization',
      'Host',
      'cookie',
      'Content-Length',
      'X-Forwarded-For',
      'X-Api-Key',
      'Sec-Fetch-Site',
    ];
    const one = await readOne({ parameters: [...names, 'X-Fine'].map(header) }, { headers: ['x-api-key'] });
    expect(Object.keys(one.parameters['properties'] as object)).toEqual(['X-Fine']);
  });

  it('never name a prototype', async () => {
    const document = JSON.stringify(
      documentOf({
        '/a': { post: operation('one', bodyOf({ type: 'object', properties: { q: text, PROTO: text } })) },
      }),
    ).replace('PROTO', '__proto__');
    const { operations } = await read(join(filesOf({ 'a.json': document }), 'a.json'));
    expect(Object.keys(operations[0]?.parameters['properties'] as object)).toEqual(['q']);
  });
});
