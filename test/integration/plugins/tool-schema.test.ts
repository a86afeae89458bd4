import { describe, expect, it } from 'vitest';
import { readToolSchema } from '../../../src/adapters/shared/tool-schema.ts';

const withText = (rules: object): object => ({ type: 'object', properties: { a: { type: 'string', ...rules } } });

describe('the schema of a tool (contract/plugins.md#actions)', () => {
  it('tries a pattern on no text that is longer than maxLength', async () => {
    const { check } = await readToolSchema(withText({ maxLength: 100, pattern: '^[^@]+@[^@]+\\.[^@]+$' }));
    // To try it takes more than an hour.
    expect(check({ a: `a@${'.'.repeat(1_000_000)}@` })).toEqual({
      ok: false,
      faults: ['a: must NOT have more than 100 characters'],
      brokenRules: [{ path: 'a', keyword: 'maxLength', limit: '100' }],
    });
  });

  it('counts characters and not code units before it tries a pattern', async () => {
    const { check } = await readToolSchema(withText({ maxLength: 3, pattern: '^a*$' }));
    expect(check({ a: '😀😀😀' })).toMatchObject({ ok: false, faults: ['a: must match pattern "^a*$"'] });
    expect(check({ a: '😀😀😀😀' })).toMatchObject({ ok: false, faults: ['a: must NOT have more than 3 characters'] });
    expect(check({ a: 'aaa' })).toMatchObject({ ok: true });
  });

  it('tells the faults of all arguments at once', async () => {
    const schema = { type: 'object', properties: { a: { pattern: '^x' }, b: { type: 'number' } }, required: ['c'] };
    const { check } = await readToolSchema(schema);
    expect(check({ a: 'y', b: 'z' })).toMatchObject({
      faults: [expect.anything(), expect.anything(), expect.anything()],
    });
  });

  it.each([
    ['in draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...withText({ pattern: '^(a+)+$' }) }],
    ['behind a reference', { ...withText({ $ref: '#/$defs/code' }), $defs: { code: { pattern: '^(a+)+$' } } }],
    ['in a list', withText({ anyOf: [{ minLength: 3 }, { items: { pattern: '^(a+)+$' } }] })],
  ])('is refused for a pattern that can backtrack without bound, %s', async (_title, schema) => {
    await expect(readToolSchema(schema)).rejects.toThrow('the pattern "^(a+)+$" can backtrack without bound');
  });

  it('takes what only looks like a pattern', async () => {
    const schema = { type: 'object', properties: { pattern: { type: 'string', enum: ['^(a+)+$'] } } };
    await expect(readToolSchema(schema)).resolves.toMatchObject({ schema });
  });
});
