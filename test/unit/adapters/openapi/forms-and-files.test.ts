import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../../src/adapters/openapi/calls/build-request.ts';
import type { ImportedOperation } from '../../../../src/adapters/openapi/document/imported-operation.ts';
import { documentOf, filesOf, operation } from '../../../support/openapi/shop-document.ts';
import { read, readOne } from './read-of.ts';

const text = { type: 'string' };
const file = { type: 'string', format: 'binary' };
const at = { baseUrl: 'https://shop.example/v1', callId: 'call-1' };

/** An operation whose body has one type of content. */
function takes(type: string, media: object, required = true): object {
  return { requestBody: { required, content: { [type]: media } } };
}

function propertiesOf({ parameters }: ImportedOperation): readonly string[] {
  return Object.keys(parameters['properties'] as object);
}

function sent(one: ImportedOperation, values: object): { readonly type: string; readonly body: string | undefined } {
  const { headers, body } = buildRequest(one, { ...values }, at);
  return { type: headers['content-type'] ?? '', body };
}

describe('a body (contract/openapi.md#arguments)', () => {
  // proves extending-3-74
  it.each([
    ['text/json', 'text/json'],
    ['application/*+json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['application/json; charset=utf-8', 'application/json'],
  ])('of %s is sent as %s', async (listed, type) => {
    const one = await readOne(takes(listed, { schema: { type: 'object', properties: { n: text } } }));
    expect(sent(one, { n: 'a' })).toEqual({ type, body: '{"n":"a"}' });
  });

  // proves extending-3-74
  it('that is a form is sent as one, lists repeated and objects as JSON unless the document says otherwise', async () => {
    const list = { type: 'array', items: text };
    const properties = { name: text, tags: list, ids: list, more: { type: 'object' }, left: text };
    const encoding = { ids: { style: 'form', explode: false } };
    const one = await readOne(
      takes('application/x-www-form-urlencoded', { schema: { type: 'object', properties }, encoding }),
    );
    const values = { name: 'Ann & Bo', tags: ['a', 'b'], ids: ['1', '2'], more: { x: 1 } };
    expect(sent(one, values)).toEqual({
      type: 'application/x-www-form-urlencoded',
      body: 'name=Ann+%26+Bo&tags=a&tags=b&ids=1%2C2&more=%7B%22x%22%3A1%7D',
    });
  });

  // proves extending-3-74
  it('of several parts is sent with a boundary, and without the files that may be left out', async () => {
    const schema = {
      type: 'object',
      required: ['note'],
      properties: { note: text, more: { type: 'object' }, scan: file },
    };
    const one = await readOne(takes('multipart/form-data', { schema }));
    expect(propertiesOf(one)).toEqual(['note', 'more']);
    const { type, body = '' } = sent(one, { note: 'a\r\n--b', more: { x: 1 } });
    const boundary = /boundary=(.+)$/.exec(type)?.[1];
    const parts = body.split(`--${String(boundary)}`).slice(1, -1);
    const read = parts.map((part) => /name="(.*?)"[^]*?\r\n\r\n([^]*)\r\n$/.exec(part)?.slice(1));
    expect(read).toEqual([
      ['note', 'a\r\n--b'],
      ['more', '{"x":1}'],
    ]);
    expect(sent(one, { note: 'a' }).type).not.toBe(sent(one, { note: 'a' }).type);
  });

  // proves extending-3-74
  it('of several parts with names that would break it is whole', async () => {
    const odd = 'a"\r\nContent-Type: x';
    const one = await readOne(
      takes('multipart/form-data', { schema: { type: 'object', properties: { [odd]: text } } }),
    );
    const [argument = ''] = propertiesOf(one);
    expect(sent(one, { [argument]: 'v' }).body).toContain('name="a%22%0D%0AContent-Type: x"\r\n\r\nv\r\n');
  });

  // proves extending-3-74
  it('that is plain text is one argument', async () => {
    const one = await readOne(takes('text/plain', {}));
    expect(propertiesOf(one)).toEqual(['body']);
    expect(sent(one, { body: 'a: 1\n' })).toEqual({ type: 'text/plain; charset=utf-8', body: 'a: 1\n' });
  });
});

describe('a parameter of the path (contract/openapi.md#arguments)', () => {
  // proves extending-3-30
  it.each([
    ['label', false, '/.red', '/.a,b', '/.x,1'],
    ['label', true, '/.red', '/.a.b', '/.x=1'],
    ['matrix', false, '/;v=red', '/;v=a,b', '/;v=x,1'],
    ['matrix', true, '/;v=red', '/;v=a;v=b', '/;x=1'],
  ])('of the style %s (explode: %s) is written', async (style, explode, plain, list, object) => {
    const parameters = [{ name: 'v', in: 'path', required: true, style, explode, schema: {} }];
    const one = await readOne({ parameters }, { path: '/{v}' });
    const pathOf = (v: unknown): string => buildRequest(one, { v }, at).url.replace(at.baseUrl, '');
    expect([pathOf('red'), pathOf(['a', 'b']), pathOf({ x: 1 })]).toEqual([plain, list, object]);
  });

  // proves extending-3-75
  it('that nothing describes is a text', async () => {
    const one = await readOne({}, { path: '/things/{id}#with-a-note' });
    expect(one.parameters).toMatchObject({ properties: { id: text }, required: ['id'] });
    expect(buildRequest(one, { id: 'a/b' }, at).url).toBe('https://shop.example/v1/things/a%2Fb');
  });
});

describe('a document of many files (contract/openapi.md#documents)', () => {
  // proves extending-3-13
  it('has operations and paths in files of their own', async () => {
    const count = 60;
    const operations = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `api/ops/op${String(index)}.yml`,
        [
          `operationId: op${String(index)}`,
          'parameters: [{ $ref: "../shared.yml#/q" }]',
          'responses: { 200: { $ref: "gone.yml" } }',
        ].join('\n'),
      ]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `/a${String(index)}`,
        { get: { $ref: `ops/op${String(index)}.yml` } },
      ]),
    );
    const folder = filesOf({
      ...operations,
      'api/shared.yml': 'q: { name: q, in: query, schema: { type: string } }',
      'api/item.yml': 'get: { $ref: "ops/op0.yml" }',
      'api/main.json': documentOf({ ...paths, '/item': { $ref: 'item.yml' } }),
    });
    const { operations: had, refused, total } = await read(join(folder, 'api/main.json'));
    expect({ had: had.length, refused, total }).toEqual({ had: count + 1, refused: [], total: count + 1 });
    expect(had.every((one) => propertiesOf(one).join() === 'q')).toBe(true);
    expect(had.find(({ path }) => path === '/item')?.id).toBe('op0');
  });
});

describe('a document of Swagger 2.0 (contract/openapi.md#documents)', () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Shop', version: '1' },
    host: 'shop.example',
    basePath: '/v2',
    schemes: ['http', 'https'],
    consumes: ['application/json'],
    securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, user: { type: 'basic' } },
    parameters: { id: { name: 'id', in: 'path', required: true, type: 'integer' } },
    definitions: { Order: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    paths: {
      '/orders/{id}': {
        parameters: [{ $ref: '#/parameters/id' }],
        get: operation('getOrder', {
          parameters: [{ name: 'tags', in: 'query', type: 'array', items: text, collectionFormat: 'pipes' }],
        }),
        put: operation('putOrder', {
          parameters: [{ name: 'o', in: 'body', required: true, schema: { $ref: '#/definitions/Order' } }],
        }),
        post: operation('noteOrder', {
          parameters: [
            { name: 'note', in: 'formData', type: 'string', required: true },
            { name: 'scan', in: 'formData', type: 'file' },
          ],
        }),
        delete: operation('tabOrder', {
          parameters: [{ name: 'tags', in: 'query', type: 'array', items: text, collectionFormat: 'tsv' }],
        }),
      },
    },
  };

  // proves extending-3-76
  it('is read as OpenAPI 3.0', async () => {
    const { operations, refused, version, servers, keyHeaders } = await read(swagger);
    expect({ version, servers, keyHeaders }).toEqual({
      version: '2.0',
      servers: ['https://shop.example/v2'],
      keyHeaders: ['X-Key', 'Authorization'],
    });
    const [get, post, put] = ['getOrder', 'noteOrder', 'putOrder'].map((id) => operations.find((one) => one.id === id));
    if (get === undefined || post === undefined || put === undefined) throw new Error('it is missing');
    expect(buildRequest(get, { id: 5, tags: ['a', 'b'] }, at).url).toBe('https://shop.example/v1/orders/5?tags=a%7Cb');
    expect(put.parameters).toMatchObject({
      properties: { id: { type: 'integer' }, n: { type: 'integer' } },
      required: ['id', 'n'],
    });
    expect(sent(put, { id: 5, n: 1 })).toEqual({ type: 'application/json', body: '{"n":1}' });
    expect(propertiesOf(post)).toEqual(['id', 'note']);
    expect(sent(post, { id: 5, note: 'x' }).type).toMatch(/^multipart\/form-data; boundary=/);
    expect(refused.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'tabOrder has the parameter tags in a style that cannot be written',
    ]);
  });

  // proves extending-3-76
  it('may have its parameters in other files, with references of their own', async () => {
    const folder = filesOf({
      'main.json': {
        ...swagger,
        paths: { '/a': { post: operation('one', { parameters: [{ $ref: 'parts/p.json#/body' }] }) } },
      },
      'parts/p.json': {
        body: { name: 'b', in: 'body', schema: { type: 'object', properties: { q: { $ref: '#/Q' } } } },
        Q: text,
      },
    });
    const { operations } = await read(join(folder, 'main.json'));
    expect(operations[0]?.parameters['properties']).toEqual({ q: text });
  });
});
