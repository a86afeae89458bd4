import { describe, expect, it } from 'vitest';
import { readToolSchema } from '../../../../src/adapters/shared/tool-schema.ts';
import { wordedForUser } from '../../../../src/core/confirmations/edited-faults.ts';
import type { Language } from '../../../../src/core/language/language.ts';
import { textsByLanguage } from '../../../../src/core/language/texts.ts';

/** The fault that a user reads for a value that does not fit its schema. */
async function told(schema: object, value: unknown, language: Language = 'English'): Promise<readonly string[]> {
  const { schema: parameters, check } = await readToolSchema({
    type: 'object',
    properties: { n: { title: 'Name', ...schema } },
    required: ['n'],
    additionalProperties: false,
  });
  const worded = wordedForUser(check(value), { parameters }, textsByLanguage[language]);
  return worded.ok ? [] : worded.faults;
}

describe('changed arguments that do not fit (contract/confirmations.md: `label` is the parameter’s title or its name)', () => {
  it.each([
    [{ type: 'string' }, {}, 'Name: is missing'],
    [{ minLength: 2 }, { n: 'a' }, 'Name: is too short (minimum length: 2)'],
    [{ maxLength: 2 }, { n: 'abc' }, 'Name: is too long (maximum length: 2)'],
    [{ minimum: 1 }, { n: 0 }, 'Name: must be 1 or more'],
    [{ maximum: 1 }, { n: 2 }, 'Name: must be 1 or less'],
    [{ exclusiveMinimum: 1 }, { n: 1 }, 'Name: must be more than 1'],
    [{ exclusiveMaximum: 1 }, { n: 1 }, 'Name: must be less than 1'],
    [{ minItems: 1 }, { n: [] }, 'Name: has too few entries (minimum: 1)'],
    [{ maxItems: 1 }, { n: [1, 2] }, 'Name: has too many entries (maximum: 1)'],
    [{ enum: ['S', 'M', 3] }, { n: 'L' }, 'Name: allowed: S, M, 3'],
    [{ const: '$& $1' }, { n: 'L' }, 'Name: allowed: $& $1'],
    [{ type: 'integer' }, { n: 1.5 }, 'Name: must be a whole number'],
    [{ type: 'string' }, { n: 1 }, 'Name: does not fit here'],
    [{ pattern: '^a$' }, { n: 'b' }, 'Name: does not fit here'],
    [{ anyOf: [{ minLength: 9 }, { maxLength: 1 }] }, { n: 'abc' }, 'Name: does not fit here'],
    [{ items: { minimum: 1 } }, { n: [1, 0] }, 'Name[1]: must be 1 or more'],
    [{}, { n: 1, toString: 2 }, 'toString: does not fit here'],
  ])('%j and %j: %s', async (schema, value, text) => {
    expect(await told(schema, value)).toEqual([text]);
  });

  it('is told in the configured language', async () => {
    expect(await told({ minLength: 2 }, { n: 'a' }, 'German')).toEqual(['Name: ist zu kurz (Mindestlänge: 2)']);
  });

  it('is told in the words of the check where no rule of a schema is broken', () => {
    const check = { ok: false, faults: ['day: is a holiday'] } as const;
    expect(wordedForUser(check, { parameters: {} }, textsByLanguage.English)).toEqual(check);
  });
});
