import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageSchemaFault, pageSchemaFaults } from '../../../../src/core/ui-actions/page-schema.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

function nested(levels: number): object {
  return levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };
}

describe('pageSchemaFault (contract/ui-actions.md, SetPage.actions)', () => {
  it.each([
    ['no arguments', { type: 'object' }],
    [
      'what pages need',
      object(
        {
          id: { type: 'integer', title: 'Order', description: 'Its number', minimum: 1, exclusiveMaximum: 10_000 },
          kind: { enum: ['a', 'b', null], default: 'a' },
          tags: { type: ['array', 'null'], items: { type: 'string', minLength: 1, maxLength: 9 }, maxItems: 3 },
          when: { type: 'string', format: 'date', examples: ['2026-01-01'] },
          either: { anyOf: [{ type: 'string' }, { const: 0 }], deprecated: true },
        },
        { required: ['id'], additionalProperties: false, $schema: 'https://json-schema.org/draft/2020-12/schema' },
      ),
    ],
    ['eight schemas in each other', object({ deep: nested(7) })],
    ['a sink', object({ to: { type: 'string', sink: true } })],
  ])('takes %s', (_title, schema) => {
    expect(pageSchemaFault(schema)).toBeUndefined();
  });

  it.each([
    ['a catastrophic pattern', object({ a: { type: 'string', pattern: '^(a+)+$' } }), 'uses "pattern"'],
    ['patterns of names', object({}, { patternProperties: { '(a+)+': {} } }), 'uses "patternProperties"'],
    // proves wire-3-71
    ['a reference to itself', object({ a: { $ref: '#' } }), 'uses "$ref"'],
    ['a reference to elsewhere', object({ a: { $ref: 'http://169.254.169.254/' } }), 'uses "$ref"'],
    ['a dynamic reference', object({ a: { $dynamicRef: '#a' } }), 'uses "$dynamicRef"'],
    ['an id', object({}, { $id: 'https://evil.example.com/' }), 'uses "$id"'],
    ['the name of what objects inherit', object({ a: { constructor: {} } }), 'uses "constructor"'],
    ['a property that is a prototype', JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), '"properties"'],
    // proves wire-3-71
    ['nine schemas in each other', object({ deep: nested(8) }), 'more than 8 schemas in each other'],
    ['another type', { type: 'string' }, 'type is object'],
    ['no type', {}, 'type is object'],
    ['null', null, 'type is object'],
    ['a type that does not exist', object({ a: { type: 'date' } }), 'a wrong value of "type"'],
    ['a property that is no schema', object({ a: 5 }), 'no schema'],
    ['a bound that is none', object({ a: { maxLength: -1 } }), 'a wrong value of "maxLength"'],
    ['words that are none', object({ a: { title: {} } }), 'a wrong value of "title"'],
    ['a sink that is none', object({ to: { sink: 'yes' } }), 'a wrong value of "sink"'],
    ['an empty choice', object({ a: { anyOf: [] } }), 'a wrong value of "anyOf"'],
  ])('refuses %s', (_title, schema: unknown, words) => {
    expect(pageSchemaFault(schema)).toContain(words);
  });
});

describe('pageSchemaFaults (contract/ui-actions.md)', () => {
  it.each<[string, object, unknown, readonly string[]]>([
    ['arguments that are none', {}, [], ['arguments: must be object']],
    ['a wrong type', { a: { type: 'integer' } }, { a: 1.5 }, ['a: must be integer']],
    ['none of several types', { a: { type: ['string', 'null'] } }, { a: 1 }, ['a: must be string or null']],
    ['an unlisted value', { a: { enum: ['x', { y: 1 }] } }, { a: 'z' }, ['a: must be one of ["x",{"y":1}]']],
    ['another constant', { a: { const: 1 } }, { a: 2 }, ['a: must be 1']],
    ['a number below', { a: { minimum: 2 } }, { a: 1 }, ['a: must be at least 2']],
    ['a number above', { a: { exclusiveMaximum: 2 } }, { a: 2 }, ['a: must be less than 2']],
    ['too long a text', { a: { maxLength: 1 } }, { a: 'xy' }, ['a: must have no more characters than 1']],
    ['too short a list', { a: { minItems: 1 } }, { a: [] }, ['a: must have no fewer entries than 1']],
    ['a wrong entry', { a: { items: { type: 'string' } } }, { a: ['x', 1] }, ['a[1]: must be string']],
    ['no choice', { a: { anyOf: [{ type: 'string' }, { const: 0 }] } }, { a: 1 }, ['a: must fit a schema of anyOf']],
    ['both choices', { a: { oneOf: [{}, {}] } }, { a: 1 }, ['a: must fit exactly one schema of oneOf']],
    ['one of all', { a: { allOf: [{ minimum: 1 }, { maximum: 0 }] } }, { a: 1 }, ['a: must fit every schema of allOf']],
    ['what is forbidden', { a: false }, { a: 1 }, ['a: is not allowed']],
  ])('finds %s', (_title, properties, value, faults) => {
    expect(pageSchemaFaults(object(properties), value)).toEqual(faults);
  });

  it('finds what is missing and what is not known, also by the names of what objects inherit', () => {
    const schema = object({ toString: { type: 'string' } }, { required: ['toString'], additionalProperties: false });
    expect(pageSchemaFaults(schema, { valueOf: 1 })).toEqual(
      expect.arrayContaining(['toString: is required', 'valueOf: is not allowed']),
    );
    expect(pageSchemaFaults(schema, { toString: 'x' })).toEqual([]);
  });

  it('holds characters, not code units, to their number, and equal values to be equal', () => {
    expect(pageSchemaFaults(object({ a: { maxLength: 1 } }), { a: '😀' })).toEqual([]);
    expect(pageSchemaFaults(object({ a: { enum: [{ x: 1, y: 2 }] } }), { a: { y: 2, x: 1 } })).toEqual([]);
  });

  it('tells no more faults than can be mended', () => {
    const values = Array.from({ length: 1000 }, () => 1);
    expect(pageSchemaFaults(object({ a: { items: { type: 'string' } } }), { a: values })).toHaveLength(20);
  });

  const unfit = 'a: must fit a schema of anyOf';

  // proves wire-3-71
  it.each<[string, object, unknown, string?]>([
    ['choices that nothing fits', { items: { anyOf: Array.from({ length: 600 }, () => false) } }, numbers(30_000)],
    ['choices in each other', { items: choices(4) }, numbers(30_000)],
    ['a long list of values', { items: { enum: numbers(1500).map((value) => -value - 1) } }, numbers(30_000)],
    ['long lists to compare', { anyOf: Array.from({ length: 300 }, () => ({ const: [1] })) }, numbers(30_000), unfit],
    ['much that is missing', { items: { required: names(900) } }, Array.from({ length: 20_000 }, () => ({}))],
    [
      'much that is described',
      { items: { properties: Object.fromEntries(names(300).map((name) => [name, {}])) } },
      Array.from({ length: 20_000 }, () => ({})),
    ],
    ['texts to count', { anyOf: Array.from({ length: 250 }, () => ({ maxLength: 1 })) }, 'x'.repeat(60_000), unfit],
  ])('costs little, whatever a page declares and a model is made to write: %s', (_title, schema, value, fault) => {
    expect(pageSchemaFault(object({ a: schema }))).toBeUndefined();
    expect(pageSchemaFaults(object({ a: schema }), { a: value })).toEqual([
      fault ?? 'arguments: take too long to be checked',
    ]);
  });

  it('takes no more arguments than a page may answer with', () => {
    expect(pageSchemaFaults(object({}), { a: 'x'.repeat(70_000) })).toEqual(['arguments: must not exceed 64 KiB']);
  });

  it('holds any value to any schema that it takes, and never throws', () => {
    const schemas = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        fc.boolean(),
        fc.record(
          {
            type: fc.constantFrom('object', 'array', 'string', ['number', 'null'], 'nonsense'),
            properties: fc.dictionary(fc.constantFrom('a', 'toString', '__proto__'), tie('schema')),
            required: fc.array(fc.constantFrom('a', 'constructor')),
            additionalProperties: tie('schema'),
            items: tie('schema'),
            anyOf: fc.array(tie('schema'), { maxLength: 2 }),
            enum: fc.array(fc.jsonValue(), { maxLength: 2 }),
            maxLength: fc.integer(),
            pattern: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema;
    fc.assert(
      fc.property(schemas, fc.jsonValue(), (inner, value) => {
        const schema = object({ a: inner });
        if (pageSchemaFault(schema) === undefined)
          expect(Array.isArray(pageSchemaFaults(schema, { a: value }))).toBe(true);
      }),
    );
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_value, index) => index % 10);
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_name, index) => index.toString(36));
}

function choices(levels: number): object {
  const inner = levels === 0 ? { type: 'string' } : choices(levels - 1);
  return { anyOf: [inner, inner, inner] };
}
