import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
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

describe('house/no-wall-time', () => {
  const imported = "import { setTimeout as wait } from 'node:timers/promises';";

  it.each([
    ['a difference', 'const began = performance.now(); expect(performance.now() - began).toBeLessThan(100);', true],
    [
      'one between two looks',
      'const a = performance.now(); const b = performance.now(); expect(b - a).toBeGreaterThan(4);',
      true,
    ],
    ['one that has a name', 'const a = Date.now(); const spent = Date.now() - a; expect(spent).toBeLessThan(9);', true],
    [
      'one that a function gives',
      'const a = performance.now(); export const seen = () => ({ ms: performance.now() - a });',
      true,
    ],
    ['one in a matcher', 'const a = Date.now(); expect(5).toBeGreaterThan(Date.now() - a);', true],
    ['one that is negated', 'const a = Date.now(); expect(Math.abs(Date.now() - a)).not.toBeLessThan(5);', true],
    ['the time itself', 'expect(Date.now()).toBeGreaterThan(5);', true],
    ['the time that is polled', 'await expect.poll(() => Date.now()).toBeGreaterThan(5);', true],
    ['a wait for a time', 'const end = 5; await vi.waitUntil(() => performance.now() > end);', true],
    ['a loop up to a time', 'const end = 5; while (performance.now() < end) look();', true],
    ['a sleep', `${imported} await wait(5);`, true],
    ['a sleep whose number has a name', `${imported} const pause = 5; await wait(3 * pause);`, true],
    ['a sleep of a promise', 'await new Promise((resolve) => setTimeout(resolve, 5));', true],
    ['a time of the past', 'expect(await purge(Date.now() - 5)).toBe(1);', false],
    [
      'a time between two others',
      'const a = Date.now(); expect(at).toBeGreaterThanOrEqual(a); expect(at).toBeLessThanOrEqual(Date.now());',
      false,
    ],
    ['a look after a pause', `${imported} while (!isSo()) await wait(5);`, false],
    ['the next turn of the event loop', 'await new Promise((resolve) => setTimeout(resolve));', false],
    ['a limit', `${imported} await Promise.race([ended, wait(5)]);`, false],
    ['a pause that a plan chooses', `${imported} await wait(plan.pauseMs);`, false],
  ])('%s', (_title, text, isBroken) => {
    const broken = brokenRules(text, 'send-message.test.ts');
    expect(broken.includes('house/no-wall-time')).toBe(isBroken);
  });
});

describe('the rules for code that is replayed (docs/architecture.md)', () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const eslint = new ESLint({ cwd: root });
  const guards = ['no-restricted-globals', 'no-restricted-properties', 'no-restricted-imports'];

  /** The messages of the guards that `file` has in the project's own configuration. */
  async function messagesIn(file: string, text: string): Promise<readonly string[]> {
    // ESLint's documented configuration of a file; its type is any.
    const { rules } = (await eslint.calculateConfigForFile(join(root, file))) as { rules: Linter.RulesRecord };
    const messages = new Linter().verify(
      text,
      {
        files: ['**/*.ts'],
        languageOptions: { parser, globals: { Date: false, performance: false, crypto: false, process: false } },
        rules: Object.fromEntries(guards.flatMap((name) => (rules[name] === undefined ? [] : [[name, rules[name]]]))),
      },
      { filename: 'file.ts' },
    );
    return messages.map(({ message }) => message);
  }

  const forbidden = [
    ['the time of the machine', 'export const at = Date.now();'],
    ['a new date', 'export const at = new Date();'],
    ['the monotonic time of the machine', 'export const at = performance.now();'],
    ['a random number', 'export const number = Math.random();'],
    ['an id of the global crypto', 'export const id = crypto.randomUUID();'],
    ['an id of the module', "import { randomUUID } from 'node:crypto'; export const id = randomUUID();"],
    ['an id drawn outside the places of ids', "import { randomId } from '../base/random-id.ts'; randomId();"],
    ['the environment', 'export const home = process.env.HOME;'],
    ['a branch left behind', 'export const all = Promise.all([]);'],
    ['who was first', 'export const first = Promise.race([]);'],
    ['who was first to succeed', 'export const first = Promise.any([]);'],
    ['a timer to wait for', "import { setTimeout } from 'node:timers/promises'; await setTimeout(1);"],
  ] as const;

  it.each(
    ['turn/run-turn.ts', 'agents/run-agent.ts', 'calls/invoke-tool.ts', 'teams/sequential.ts'].flatMap((file) =>
      forbidden.map(([title, text]) => [`src/core/${file}`, title, text] as const),
    ),
  )('refuse in %s %s, and say why', async (file, _title, text) => {
    const messages = await messagesIn(file, text);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/run again|drawn again|after the end of the turn|no record/);
  });

  it.each([
    ['an id inside the step of a reply', 'src/core/agents/ask-model.ts', forbidden[6][1]],
    ['a drain that waits for turns side by side', 'src/core/turn/kept/drain.ts', forbidden[9][1]],
    [
      'branches that are joined',
      'src/core/agents/run-agent.ts',
      "import { joined } from '../base/joined.ts'; joined([]);",
    ],
    ['a module that is no part of a turn', 'src/core/base/joined.ts', forbidden[8][1]],
  ])('allow %s', async (_title, file, text) => {
    expect(await messagesIn(file, text)).toEqual([]);
  });
});
