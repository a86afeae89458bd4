import { describe, expect, it } from 'vitest';
import { argumentFaults, buildRequest } from '../../../../src/adapters/openapi/calls/build-request.ts';
import type { ImportedOperation } from '../../../../src/adapters/openapi/document/imported-operation.ts';
import { bodyOf, readOne } from './read-of.ts';

const parameter = (name: string, location: string, members: object = {}): object => ({
  name,
  in: location,
  schema: {},
  ...members,
});

const item = { path: '/things/{id}', method: 'get' };
const base = { baseUrl: 'https://api.example/v1/', callId: 'call-1' };

/** The request for one parameter of a query. */
async function queryFor(members: object, value: unknown): Promise<string> {
  const one = await readOne({ parameters: [parameter('p', 'query', members)] }, { method: 'get' });
  return new URL(buildRequest(one, { p: value }, base).url).search;
}

function thing(): Promise<ImportedOperation> {
  return readOne({ parameters: [parameter('id', 'path', { schema: { type: 'string' } })] }, item);
}

describe('the request of an imported operation (contract/openapi.md#calls)', () => {
  // proves extending-3-40
  it('goes below baseUrl, with the path of the document', async () => {
    const request = buildRequest(await thing(), { id: 'a b' }, base);
    expect(request).toMatchObject({ method: 'GET', url: 'https://api.example/v1/things/a%20b', body: undefined });
  });

  // proves extending-3-41
  it.each([
    ['a/b', 'a%2Fb'],
    ['a?b=c', 'a%3Fb%3Dc'],
    ['a#b', 'a%23b'],
    ['{id}', '%7Bid%7D'],
    ['https://evil.example', 'https%3A%2F%2Fevil.example'],
    ['...', '...'],
    ['..a', '..a'],
    ['ä€', '%C3%A4%E2%82%AC'],
  ])('encodes the value %s of a path', async (id, encoded) => {
    const one = await thing();
    expect(argumentFaults(one, { id })).toEqual([]);
    expect(buildRequest(one, { id }, base).url).toBe(`https://api.example/v1/things/${encoded}`);
  });

  // proves extending-3-41
  it.each(['.', '..', 'a/../../admin', '..\\admin', '%2e%2e', '.%2e', 'a/..', '%2e%2e%2fadmin', ''])(
    'refuses the value "%s" of a path, in words for the model',
    async (id) => {
      expect(argumentFaults(await thing(), { id })).toEqual([expect.stringMatching(/^id: must not be/)]);
    },
  );

  it.each([
    ['a list', {}, ['a', 'b&c'], '?p=a&p=b%26c'],
    ['a list with commas', { explode: false }, ['a', 'b'], '?p=a%2Cb'],
    ['a list with spaces', { style: 'spaceDelimited', explode: false }, ['a', 'b'], '?p=a%20b'],
    ['a list with bars', { style: 'pipeDelimited', explode: false }, ['a', 'b'], '?p=a%7Cb'],
    ['an object', {}, { a: 1, b: true }, '?a=1&b=true'],
    ['a deep object', { style: 'deepObject', explode: true }, { a: 1 }, '?p%5Ba%5D=1'],
    [
      'JSON',
      { schema: undefined, content: { 'application/json': { schema: {} } } },
      { a: [1] },
      '?p=%7B%22a%22%3A%5B1%5D%7D',
    ],
    ['an empty list', { explode: false }, [], ''],
    ['a number', {}, 1.5, '?p=1.5'],
  ])('writes %s in a query', async (_what, members, value, written) => {
    expect(await queryFor(members, value)).toBe(written);
  });

  it('puts the members of the body back to their own names, and leaves out a body that nobody fills', async () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, 'odd name': { type: 'integer' } } };
    const one = await readOne(
      { parameters: [parameter('id', 'path', { required: true })], ...bodyOf(schema, false) },
      { path: '/things/{id}', method: 'put' },
    );
    const filled = buildRequest(one, { id: 1, body_id: 'x', odd_name: 2 }, base);
    expect(JSON.parse(filled.body ?? '')).toEqual({ id: 'x', 'odd name': 2 });
    expect(filled.headers).toEqual({ 'content-type': 'application/json' });
    expect(buildRequest(one, { id: 1 }, base)).toMatchObject({ body: undefined, headers: {} });
  });

  it('has a header only of one line', async () => {
    const one = await readOne({ parameters: [parameter('X-Note', 'header')] });
    expect(argumentFaults(one, { 'X-Note': 'a\r\nHost: evil.example' })).toEqual([
      'X-Note: must be one line of Latin letters',
    ]);
    expect(buildRequest(one, { 'X-Note': 'fine' }, base).headers).toEqual({ 'x-note': 'fine' });
  });

  // proves extending-3-34
  it('has the id of the call where the document declares Idempotency-Key, and the model is not asked for it', async () => {
    const one = await readOne({ parameters: [parameter('Idempotency-Key', 'header', { required: true })] });
    expect(one.parameters).toMatchObject({ properties: {} });
    expect(buildRequest(one, {}, base).headers).toEqual({ 'idempotency-key': 'call-1' });
  });

  // proves extending-3-40
  it('is never made where its address would lead somewhere else', async () => {
    const one = { ...(await thing()), path: '/../{id}' };
    expect(() => buildRequest(one, { id: 'a' }, base)).toThrow('would lead somewhere else');
    expect(() =>
      buildRequest({ ...one, path: '//evil.example/{id}' }, { id: 'a' }, { ...base, baseUrl: 'https://api.example' }),
    ).not.toThrow();
    expect(buildRequest({ ...one, path: '//evil.example/{id}' }, { id: 'a' }, base).url).toContain(
      'https://api.example/',
    );
  });
});
