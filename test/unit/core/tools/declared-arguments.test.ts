import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../../src/core/tools/check-arguments.ts';
import { confirmationRequest } from '../../../../src/core/confirmations/confirmation-request.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

type Schema = Readonly<Record<string, unknown>>;

const faultsOf = (schema: Schema, argumentsValue: Schema): readonly string[] => {
  const check = checkArguments(fakeTool({ parameters: { type: 'object', ...schema } }), argumentsValue);
  return check.ok ? [] : check.faults;
};

const one = { properties: { iban: { type: 'string', title: 'Recipient' } } };

describe('names of arguments (contract/confirmations.md#what-is-shown)', () => {
  // proves service-2.6-47
  it.each<[string, Schema]>([
    ['nothing', {}],
    ['one name', one],
    ['a closed schema of a branch', { anyOf: [{ ...one, additionalProperties: false }, { required: ['iban'] }] }],
    ['names that a reference declares', { $ref: '#/$defs/pay~1it', $defs: { 'pay/it': one } }],
    ['what must not be', { not: { additionalProperties: true }, patternProperties: {} }],
    ['a closed rest', { allOf: [one], unevaluatedProperties: false }],
  ])('that are not declared are refused where the schema has %s', (_title, schema) => {
    expect(faultsOf(schema, { Recipient: 'ACME' })).toEqual([expect.stringMatching(/^Recipient: is not known/)]);
    expect(faultsOf(schema, JSON.parse('{"constructor":1}') as Schema)).toHaveLength(1);
  });

  // proves service-2.6-47
  it.each<[string, Schema]>([
    ['its properties', one],
    ['allOf', { allOf: [{ description: 'x' }, one] }],
    ['oneOf', { oneOf: [{ properties: { id: {} } }, one] }],
    ['a condition', { if: { properties: { kind: {} } }, then: one }],
    ['a dependency', { dependentSchemas: { kind: one } }],
    ['a reference in a reference', { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: one } }],
    ['what it requires', { required: ['iban'] }],
    ['itself once more', { ...one, allOf: [{ $ref: '#' }] }],
  ])('that the schema declares in %s are not refused', (_title, schema) => {
    expect(faultsOf(schema, { iban: 'CH1' })).toEqual([]);
  });

  // proves service-2.6-48
  it.each<[string, Schema]>([
    ['additionalProperties', { additionalProperties: true }],
    ['a schema of additionalProperties', { additionalProperties: { type: 'string' } }],
    ['patternProperties', { patternProperties: { '^x': {} } }],
    ['unevaluatedProperties', { unevaluatedProperties: {} }],
    ['a part of it', { allOf: [{ additionalProperties: true }] }],
    ['a schema elsewhere', { $ref: 'https://example.org/x' }],
  ])('that are not declared pass where the author has opened the schema with %s', (_title, schema) => {
    expect(faultsOf(schema, { xMore: '1' })).toEqual([]);
  });

  it('that are nearly declared are told so', () => {
    expect(faultsOf(one, { ibna: 'CH1' })).toEqual(['ibna: is not known, did you mean iban?']);
    expect(faultsOf(one, { ['x'.repeat(9000)]: 1 })[0]?.length).toBeLessThan(300);
  });

  // proves service-2.6-48
  it('are shown in the order of the schema, and after them those that are not declared, under their names', () => {
    const properties = { iban: { title: 'Recipient' }, amount: { title: 'Amount' }, note: {} };
    const tool = fakeTool({ parameters: { type: 'object', properties, additionalProperties: true } });
    const { arguments: shown } = confirmationRequest({
      ...{ actionId: 'a', callId: 'c', tool, agent: 'x', reason: 'write', canRemember: false, expiresAt: undefined },
      argumentsValue: { 1: 'a', Recipient: 'ACME', amount: 9000, iban: 'EVIL' },
      provenance: { influencedBy: [], notFromUser: new Set() },
    });
    expect(shown).toEqual([
      { name: 'iban', label: 'Recipient', value: 'EVIL' },
      { name: 'amount', label: 'Amount', value: 9000 },
      { name: '1', label: '1', value: 'a', undeclared: true },
      { name: 'Recipient', label: 'Recipient', value: 'ACME', undeclared: true },
    ]);
  });
});
