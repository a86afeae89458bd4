import { describe, expect, it } from 'vitest';
import { sinkNames, sinkValues } from '../../../../src/core/tools/sink-values.ts';

const sink = { type: 'string', sink: true };
const schemaOf = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('where a call sends something (contract/provenance.md#sinks)', () => {
  it.each([
    ['a text', schemaOf({ to: sink }), { to: 'a' }, ['a']],
    ['a number', schemaOf({ to: { type: 'number', sink: true } }), { to: 12.5 }, ['12.5']],
    ['each text of a list', schemaOf({ to: { type: 'array', items: sink } }), { to: ['a', 'b'] }, ['a', 'b']],
    ['a list that is a sink', schemaOf({ to: { type: 'array', sink: true } }), { to: ['a', ['b']] }, ['a', 'b']],
    ['a list by places', schemaOf({ to: { prefixItems: [{}, sink] } }), { to: ['a', 'b'] }, ['a', 'b']],
    ['a list by places in draft 7', schemaOf({ to: { items: [{}, sink] } }), { to: ['a'] }, ['a']],
    // proves service-10-15
    [
      'a member of an object',
      schemaOf({ to: schemaOf({ mail: sink, name: {} }) }),
      { to: { mail: 'a', name: 'b' } },
      ['a'],
    ],
    ['an object that is a sink, names included', schemaOf({ to: { sink: true } }), { to: { a: 'b' } }, ['a', 'b']],
    ['a member by a pattern', schemaOf({ to: { patternProperties: { '^x': sink } } }), { to: { xy: 'a' } }, ['a']],
    ['any other member', schemaOf({ to: { additionalProperties: sink } }), { to: { any: 'a' } }, ['a']],
    ['a schema by its name', schemaOf({ to: { $ref: '#/$defs/to' } }, { $defs: { to: sink } }), { to: 'a' }, ['a']],
    ['one of several schemas', schemaOf({ to: { anyOf: [{ type: 'null' }, sink] } }), { to: 'a' }, ['a']],
    ['a schema within itself', recursive(), { to: { next: { next: { mail: 'a' } } } }, ['a']],
  ])('reads %s', (_title, parameters, argumentsValue, expected) => {
    const values = sinkValues(parameters, argumentsValue);
    expect(values.map(({ text }) => text)).toEqual(expected);
    expect(values.every(({ parameter }) => parameter === 'to')).toBe(true);
    expect(sinkNames(parameters)).toEqual(['to']);
  });

  it.each([
    // proves service-10-15
    ['true, false and null', schemaOf({ to: { sink: true } }), { to: [true, false, null] }],
    ['an empty text', schemaOf({ to: sink }), { to: ' ' }],
    ['a parameter that is no sink', schemaOf({ to: { type: 'string' }, other: sink }), { to: 'a' }],
    ['sink: false', schemaOf({ to: { sink: false } }), { to: 'a' }],
    ['a schema that names itself alone', schemaOf({ to: { $ref: '#/properties/to' }, other: sink }), { to: 'a' }],
  ])('leaves out %s', (_title, parameters, argumentsValue) => {
    expect(sinkValues(parameters, argumentsValue)).toEqual([]);
  });

  // proves service-2.16-91
  it('is found once, however often the schemas of a stranger lead to the same place', () => {
    const node = { properties: { mail: sink, next: { $ref: '#/$defs/node' } } };
    const twice = { anyOf: [node, { properties: { next: { $ref: '#/$defs/node' } } }] };
    const value = Array.from({ length: 60 }).reduce((next) => ({ next }), { mail: 'a' });
    const parameters = schemaOf({ to: { $ref: '#/$defs/node' } }, { $defs: { node: twice } });
    expect(sinkValues(parameters, { to: value })).toEqual([{ parameter: 'to', text: 'a' }]);
  });

  it('finds none in a schema without one', () => {
    expect(sinkNames(schemaOf({ to: {} }))).toEqual([]);
    expect(sinkValues(schemaOf({ to: {} }), { to: 'a' })).toEqual([]);
  });
});

function recursive() {
  const node = { type: 'object', properties: { mail: sink, next: { $ref: '#/$defs/node' } } };
  return schemaOf({ to: { $ref: '#/$defs/node' } }, { $defs: { node } });
}
