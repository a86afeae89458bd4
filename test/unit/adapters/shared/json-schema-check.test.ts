import { describe, expect, it } from 'vitest';
import { compileForeignSchemaCheck } from '../../../../src/adapters/shared/json-schema-check.ts';

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const message = 'cannot be checked: the schema refers to itself too often for this value';

/** What a check says of a value. */
async function saidOf(schema: object, value: unknown): Promise<readonly string[]> {
  const check = await compileForeignSchemaCheck({ type: 'object', ...schema }, 'keepsValue');
  return check(value).map((fault) => fault.message);
}

describe.each(['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'])(
  'a schema of a stranger in %s (contract/mcp-servers.md#limits)',
  ($schema) => {
    // proves service-2.16-91
    it('that refers to one long schema hundreds of times is compiled as one', async () => {
      const names = Array.from({ length: 300 }, (_, index) => `p${String(index)}`);
      const long = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1, maxLength: 9 }]));
      const properties = Object.fromEntries(names.map((name) => [name, ref('long')]));
      const schema = { $schema, $defs: { long: { type: 'object', properties: long } }, properties };
      const before = process.cpuUsage().user;
      expect(await saidOf(schema, { p0: { p1: 'x' }, p2: { p3: 5 } })).toEqual(['must be string']);
      // Microseconds of work: written in place of each reference, the code took a minute.
      expect(process.cpuUsage().user - before).toBeLessThan(15_000_000);
    });

    // proves service-2.16-91
    it('whose references double with each step is told as one that cannot be checked', async () => {
      const steps = Array.from({ length: 60 }, (_, step) => {
        const next = ref(`d${String(step + 1)}`);
        return [`d${String(step)}`, { allOf: [next, next] }];
      });
      const $defs = { ...Object.fromEntries(steps), d60: { type: 'string' } };
      expect(await saidOf({ $schema, $defs, properties: { a: ref('d0') } }, { a: 'x' })).toEqual([message]);
      expect(await saidOf({ $schema, $defs, properties: { a: ref('d0') } }, { b: 'x' })).toEqual([]);
    });

    // proves service-2.16-91
    it('that doubles with each level of the value is told as one that cannot be checked', async () => {
      const node = { allOf: [{ properties: { next: ref('node') } }, { properties: { next: ref('node') } }] };
      const value = Array.from({ length: 90 }).reduce((next) => ({ next }), {});
      expect(await saidOf({ $schema, $defs: { node }, ...ref('node') }, value)).toEqual([message]);
      expect(await saidOf({ $schema, $defs: { node }, ...ref('node') }, { next: { next: {} } })).toEqual([]);
    });

    it('that says nothing takes every value, in itself and where another refers to it', async () => {
      expect((await compileForeignSchemaCheck({ $schema, description: 'anything' }, 'keepsValue'))(5)).toEqual([]);
      const $defs = { any: { $id: 'https://stranger.example/any', title: 'anything' }, none: { not: {} } };
      const properties = { a: { $ref: 'https://stranger.example/any' }, b: ref('none') };
      expect(await saidOf({ $schema, $defs, properties }, { a: 5 })).toEqual([]);
      expect(await saidOf({ $schema, $defs, properties }, { a: 5, b: 5 })).toEqual(['must NOT be valid']);
    });

    it('that wants items to be unique compares what they say', async () => {
      const schema = { $schema, properties: { list: { type: 'array', uniqueItems: true } } };
      expect(await saidOf(schema, { list: [{ a: 1, b: [2] }, { b: [2], a: 2 }, 1, '1', null] })).toEqual([]);
      const list = [{ a: 1, b: [2] }, 5, { b: [2], a: 1 }];
      expect(await saidOf(schema, { list })).toEqual(['must NOT have duplicate items']);
      expect(await saidOf({ $schema, properties: { list: { uniqueItems: false } } }, { list })).toEqual([]);
    });

    it('that refers to one schema for each item of a long list is checked', async () => {
      const line = { type: 'object', properties: { at: ref('place') }, required: ['at'] };
      const $defs = { line, place: { type: 'object', properties: { city: { type: 'string' } } } };
      const lines = Array.from({ length: 20_000 }, () => ({ at: { city: 'x' } }));
      const schema = { $schema, $defs, properties: { lines: { type: 'array', items: ref('line') } } };
      expect(await saidOf(schema, { lines })).toEqual([]);
      expect(await saidOf(schema, { lines: [...lines, { at: { city: 5 } }] })).toEqual(['must be string']);
    });
  },
);

describe('names that a schema does not know (contract/mcp-servers.md#limits)', () => {
  it('are all told, and of the first twenty which name each is like', async () => {
    const schema = { type: 'object', properties: { colour: {} }, additionalProperties: false };
    const check = await compileForeignSchemaCheck(schema, 'keepsValue');
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`colour${String(index)}`, 1]));
    const faults = check(value);
    expect(faults.map(({ path }) => path)).toEqual(Object.keys(value));
    expect(faults.flatMap(({ suggestion }) => suggestion ?? [])).toEqual(Array.from({ length: 20 }, () => 'colour'));
  });

  it('are told by the first of them where the value has thousands of others, of whatever kind', async () => {
    const schema = { type: 'object', properties: { list: { items: { type: 'string' } } }, additionalProperties: false };
    const check = await compileForeignSchemaCheck(schema, 'keepsValue');
    const many = Array.from({ length: 3_000 }, (_, index) => [`n${String(index)}`, 1]);
    expect(check(Object.fromEntries(many)).map(({ path }) => path)).toEqual(['n0']);
    expect(check({ list: many }).map(({ path }) => path)).toEqual(['list[0]']);
    expect(check({ list: many.map(String) })).toEqual([]);
  });
});
