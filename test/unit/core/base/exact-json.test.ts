import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../src/core/base/canonical-json.ts';
import { inexactParts } from '../../../../src/core/base/exact-json.ts';
import { hasRepeatedNames } from '../../../../src/core/base/repeated-names.ts';

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, Infinity, NaN, 2 ** 53, 5e-324, 1e308));
const anyText = fc.string({ unit: fc.nat(0xff_ff).map((code) => String.fromCharCode(code)) });
const { anyValue } = fc.letrec((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 4 },
    ...[anyNumber, anyText, fc.boolean(), fc.constant(null)],
    fc.array(tie('anyValue')),
    fc.dictionary(fc.oneof(anyText, fc.constant('__proto__')), tie('anyValue'), { noNullPrototype: true }),
  ),
}));

describe('values that JSON carries (contract/confirmations.md#what-is-shown)', () => {
  // proves service-2.6-46
  it('come out of it as they went in, unless they have a fault', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        if (inexactParts(value).length > 0) return;
        expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value);
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it.each([0, 2 ** 53 - 1, -(2 ** 53 - 1), 5e-324, 0.1, 1e15 + 0.5, '\u{1F600}', '', null, [], { constructor: 1 }])(
    'have no fault: %j',
    (value) => {
      expect(inexactParts([value, { value }])).toEqual([]);
    },
  );

  // proves service-2.6-46, extending-3-48
  it.each<[unknown, string]>([
    [Infinity, 'is no finite number'],
    [NaN, 'is no finite number'],
    [-0, 'must be 0, not -0'],
    [9_007_199_254_740_993, 'has too many digits for a number'],
    [-1e300, 'has too many digits for a number'],
    ['a\ud800', 'has half a character'],
    [1n, 'is nothing that JSON knows'],
  ])('have the fault of %s, wherever it stands', (value, words) => {
    expect(inexactParts({ ids: [1, { id: value }] })).toEqual([{ path: 'ids[1].id', words }]);
    expect(inexactParts(value)).toEqual([{ path: '', words }]);
  });

  // proves wire-24-03
  it('have twenty faults that are told, however many there are', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => [`${String(at)}\ud800`, Infinity]);
    expect(inexactParts(Object.fromEntries(names))).toHaveLength(20);
    expect(inexactParts({ deep: [Object.fromEntries(names), Infinity] })).toHaveLength(20);
    expect(inexactParts(names)).toHaveLength(20);
  });

  // proves service-2.6-46
  it('name nothing that objects inherit from, and no half of a character', () => {
    expect(inexactParts(JSON.parse('{"a":{"__proto__":1},"b\\ud800":2}'))).toEqual([
      { path: 'a.__proto__', words: 'is not allowed as a name' },
      { path: 'b\ufffd', words: 'has a name with half a character' },
    ]);
  });
});

describe('names in JSON text', () => {
  it('are found to be repeated exactly when they are, whatever stands in the texts beside them', () => {
    fc.assert(
      fc.property(anyValue, fc.boolean(), (value, isRepeated) => {
        const text = JSON.stringify({ a: value, ':"\\': [value, { a: 1 }] });
        const written = isRepeated ? text.replace('{', '{ "\\u0061" :null,') : text;
        expect(hasRepeatedNames(written, JSON.parse(written))).toBe(isRepeated);
      }),
    );
  });
});
