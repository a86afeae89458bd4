import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { houseRules } from '../../../scripts/lint-rules.ts';

/** The names of the rules that `text` breaks. */
function brokenRules(text: string, filename = 'send-message.ts'): readonly (string | null)[] {
  const messages = new Linter().verify(
    text,
    {
      files: ['**/*.ts', '**/*.tsx'],
      languageOptions: { parser },
      plugins: { house: houseRules },
      rules: Object.fromEntries(Object.keys(houseRules.rules).map((name) => [`house/${name}`, 'error'])),
    },
    { filename },
  );
  return messages.map((message) => message.ruleId);
}

describe('house/explained-assertion', () => {
  it.each([
    ['an assertion without a word', 'const a = b as C;', true],
    ['one with a comment above it', '// The caller checked it.\nconst a = b as C;', false],
    ['one with a comment above its statement', '// Checked.\nconst a = call(\n  b as C,\n);', false],
    ['one with a comment on its line', 'const a = b as C; // Checked.', false],
    ['one whose comment stands two lines above', '// About something else.\n\nconst a = b as C;', true],
    ['`as const`, which promises nothing', 'const a = [1] as const;', false],
  ])('%s', (_title, text, isBroken) => {
    expect(brokenRules(text)).toEqual(isBroken ? ['house/explained-assertion'] : []);
  });
});

describe('house/documented-export', () => {
  it.each([
    ['a function without a doc comment', 'export function a() {}', true],
    ['a class with a plain comment', '// Not a doc comment.\nexport class A {}', true],
    ['a function with a doc comment', '/** Does it. */\nexport function a() {}', false],
    ['a type, which says it by its members', 'export interface A { b: 1 }', false],
    ['a function that is not exported', 'function a() {} a();', false],
  ])('%s', (_title, text, isBroken) => {
    expect(brokenRules(text)).toEqual(isBroken ? ['house/documented-export'] : []);
  });
});

describe('house/file-name', () => {
  it.each([
    ['send-message.ts', false],
    ['server.schema.ts', false],
    ['send-message.test.ts', false],
    ['confirmation-box.tsx', false],
    ['sendMessage.ts', true],
    ['send_message.ts', true],
    ['helper.ts', true],
    ['string-utils.ts', true],
    ['types.ts', true],
  ])('%s', (filename, isBroken) => {
    expect(brokenRules('run();', filename)).toEqual(isBroken ? ['house/file-name'] : []);
  });
});
