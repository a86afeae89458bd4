import { describe, expect, it } from 'vitest';
import { PartialArguments } from '../../../../../src/adapters/models/langchain/partial-arguments.ts';

function of(...pieces: readonly object[]): unknown {
  const partial = new PartialArguments();
  for (const piece of pieces) partial.add([piece]);
  return JSON.parse(partial.text);
}

describe('arguments that come value by value (contract/models.md)', () => {
  // proves service-3-52
  it('are put together by their paths', () => {
    expect(
      of(
        { jsonPath: '$.recipe.name', stringValue: 'Las', willContinue: true },
        { jsonPath: '$.recipe.name', stringValue: 'agna', willContinue: true },
        { jsonPath: '$.recipe.name', stringValue: '' },
        { jsonPath: '$.recipe.parts[1].amount', numberValue: 2.5 },
        { jsonPath: '$.recipe.parts[0].amount', numberValue: 0 },
        { jsonPath: '$.recipe.parts[0].fresh', boolValue: false },
        { jsonPath: '$.recipe[\'a name\']["b"]', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.tags[0]', stringValue: 'a' },
        { jsonPath: '$.tags[0]', stringValue: 'b' },
      ),
    ).toEqual({
      recipe: {
        name: 'Lasagna',
        parts: [{ amount: 0, fresh: false }, { amount: 2.5 }],
        'a name': { b: null },
      },
      tags: ['b'],
    });
  });

  // proves service-3-52
  it('are an empty object where there are none, and where no path is one', () => {
    const odd = ['', 'x', '$', '$.', '$..a', '$[*]', '$.a[999999]', '$.a[10000]', `$${'.a'.repeat(65)}`];
    expect(of(...odd.map((jsonPath) => ({ jsonPath, stringValue: 'x' })))).toEqual({});
    expect(of({ jsonPath: '$.a' })).toEqual({});
  });

  it('change nothing but themselves', () => {
    const made = of({ jsonPath: '$.__proto__.polluted', stringValue: 'x' });
    expect(Object.getOwnPropertyNames(made)).toEqual(['__proto__']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('hold no more of a list than it has', () => {
    expect(of({ jsonPath: '$.a[2]', stringValue: 'x' })).toEqual({ a: [null, null, 'x'] });
  });
});
