import { describe, expect, it } from 'vitest';
import { documentOf, operation } from '../../../support/openapi/shop-document.ts';
import { read } from './read-of.ts';

/** The tool names of a document, by method and path. */
async function namesOf(
  paths: object,
  order: Parameters<typeof read>[1] = {},
): Promise<Readonly<Record<string, string>>> {
  const { operations, refused } = await read(documentOf(paths), order);
  expect(refused).toEqual([]);
  return Object.fromEntries(operations.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one.toolName]));
}

const unnamed = { responses: {} };

describe('the tool name of an operation (contract/openapi.md#operations)', () => {
  // proves extending-3-03
  it.each([
    ['Orders_List(v2)', 'orders_list_v2'],
    ['Aufträge_auflisten', 'auftrage_auflisten'],
    ['straße.öffnen', 'strasse_offnen'],
    ['AppController_getHello[0]', 'app_controller_get_hello_0'],
    ['orders#list all', 'orders_list_all'],
    ['1st', 'op_1st'],
    ['loadSkill', 'op_load_skill'],
    ['page_turn', 'op_page_turn'],
  ])('is that of its id %s with what names may not have left out: %s', async (id, name) => {
    expect(await namesOf({ '/a': { get: operation(id) } })).toEqual({ 'GET /a': name });
  });

  // proves extending-3-70
  it('comes from method and path where there is no id, or one in other letters', async () => {
    const paths = {
      '/': { get: unnamed },
      '/orders': { get: unnamed, post: { ...unnamed, operationId: '' } },
      '/orders/{orderId}/lines/{id}': { get: unnamed },
      '/a.b-c': { get: operation('наказ') },
    };
    expect(await namesOf(paths)).toEqual({
      'GET /': 'get_root',
      'GET /orders': 'get_orders',
      'POST /orders': 'post_orders',
      'GET /orders/{orderId}/lines/{id}': 'get_orders_by_order_id_lines_by_id',
      'GET /a.b-c': 'get_a_b_c',
    });
  });

  // proves extending-3-71
  it('of one that is too long ends with a digest, which the others do not change', async () => {
    const id = 'read_customer_shipping_address_customers__customer_id__shipping_addresses__address_id__get';
    const alone = await namesOf({ '/a': { get: operation(id) } });
    const name = alone['GET /a'] ?? '';
    expect(name).toMatch(/^read_customer_shipping_address_[a-z_]+_[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    const beside = await namesOf({ '/b': { get: operation(`${id}_too`) }, '/a': { get: operation(id) } });
    expect(beside['GET /a']).toBe(name);
    expect(beside['GET /b']).not.toBe(name);
  });

  // proves extending-3-71
  it('is one for each of several that would have the same', async () => {
    const paths = {
      '/users': { get: operation('getUser'), put: operation('get_user'), post: operation('GetUser') },
      '/a/b': { get: unnamed },
      '/a_b': { get: unnamed },
      '/same': { get: operation('twice'), post: operation('twice') },
    };
    const names = await namesOf(paths);
    expect(names).toEqual({
      'GET /users': 'get_users',
      'PUT /users': 'get_user',
      'POST /users': 'post_users',
      'GET /a/b': expect.stringMatching(/^get_a_b_[0-9a-f]{8}$/),
      'GET /a_b': expect.stringMatching(/^get_a_b_[0-9a-f]{8}$/),
      'GET /same': 'get_same',
      'POST /same': 'post_same',
    });
    expect(new Set(Object.values(names)).size).toBe(7);
    // What is imported changes no name.
    expect(await namesOf(paths, { operations: ['GetUser'] })).toEqual({ 'POST /users': 'post_users' });
  });

  // proves extending-3-72
  it('is the one that the configuration says, by id or by method and path', async () => {
    const paths = { '/a': { get: operation('getA'), post: unnamed }, '/b': { get: operation('listA') } };
    const named = ['getA', 'POST /a'];
    const toolNames = { getA: 'list_a', 'POST /a': 'make_a' };
    expect(await namesOf(paths, { named, toolNames })).toEqual({
      'GET /a': 'list_a',
      'POST /a': 'make_a',
      'GET /b': 'get_b',
    });
  });

  // proves extending-3-72
  it.each([
    ['of the server', { a: 'load_skill' }, 'the name is reserved'],
    ['for two', { a: 'same', b: 'same' }, 'the name is said twice'],
    ['for an id that two have', { twice: 'one' }, 'has the id twice twice, so a name for it must be given by'],
  ])('is never a name %s', async (_what, toolNames, reason) => {
    const document = documentOf({
      '/a': { get: operation('a'), put: operation('b') },
      '/b': { get: operation('twice'), put: operation('twice') },
    });
    await expect(read(document, { named: Object.keys(toolNames), toolNames })).rejects.toThrow(reason);
  });

  // proves extending-3-72
  it('is said of an operation in one place only', async () => {
    const document = documentOf({ '/a': { get: operation('a') } });
    await expect(read(document, { named: ['a', 'GET /a'] })).rejects.toThrow('is named twice');
  });

  // proves extending-3-20
  it.each([
    [['GET *'], ['GET /a', 'GET /b/{id}']],
    [['GET /b/{id}'], ['GET /b/{id}']],
    [['* /a*'], ['GET /a', 'POST /a']],
    [['P*'], ['PUT /b/{id}']],
    [
      ['*', 'DELETE *'],
      ['GET /a', 'POST /a', 'GET /b/{id}', 'PUT /b/{id}'],
    ],
  ])('or its method and path choose it: %j', async (operations, places) => {
    const paths = {
      '/a': { get: operation('getA'), post: operation('makeA') },
      '/b/{id}': { get: unnamed, put: operation('PutB') },
    };
    const result = await read(documentOf(paths), { operations });
    expect(result.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).toEqual(places);
    expect(result.unmatched).toEqual(operations.filter((glob) => glob.startsWith('DELETE')));
  });

  // proves extending-3-73
  it('is there for 100,000 operations, of which few are named', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`/r${String(index)}`, { get: unnamed }]),
    );
    const { operations, total } = await read(documentOf(paths), { operations: ['GET /r99999'] });
    expect(total).toBe(100_000);
    expect(operations.map(({ toolName }) => toolName)).toEqual(['get_r99999']);
  });
});
