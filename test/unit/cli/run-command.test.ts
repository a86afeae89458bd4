import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { type FakeContext, fakeContext } from './fake-context.ts';

let folder: string;
let context: FakeContext;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helper-cli-'));
  context = fakeContext(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the command line', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']], [['start', '--help']]])('explains itself: %j', async (words) => {
    expect(await runCommand(words, context)).toBe(0);
    expect(context.written()).toMatch(/^Usage: helper COMMAND/);
  });

  // proves service-9-01
  it.each(['version', '--version', '-v'])('says its version: %s', async (word) => {
    expect(await runCommand([word], context)).toBe(0);
    expect(context.written()).toMatch(/^helper \d+\.\d+\.\d+.*, Node \d+\./);
  });

  it.each([
    [['strat'], 'there is no command "strat" (did you mean start?)'],
    [['constructor'], 'there is no command "constructor"'],
    [['health', '--confg', 'x'], 'there is no option --confg (did you mean --config?)\n'],
    [['start', '--port', '1'], 'there is no option --port\n'],
    [['start', '-p'], 'there is no option -p\n'],
    [['check', '--json=yes'], '--json'],
    [['health', 'extra'], '"extra" is one word too many'],
    [['health', '--config'], '--config'],
    [['init'], 'init needs the directory'],
    [['init', 'a', 'b'], '"b" is one word too many'],
  ])('refuses %j with exit code 64', async (words, message) => {
    expect(await runCommand(words, context)).toBe(64);
    expect(context.complained()).toContain(message);
    expect(context.complained()).toContain('See helper help.');
  });
});

describe('helper init', () => {
  it('writes a configuration with its schema and a plugin, and says what to type next', async () => {
    expect(await runCommand(['init', 'mine'], context)).toBe(0);
    expect(readFileSync(join(folder, 'mine/helper.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/helper\.schema\.json\n/,
    );
    expect(readFileSync(join(folder, 'mine/helper.schema.json'), 'utf8')).toContain('"appName"');
    expect(readFileSync(join(folder, 'mine/plugins/tasks/index.js'), 'utf8')).toContain('definePlugin');
    expect(context.written()).toContain('helper start --config mine/helper.yaml');
    expect(context.written()).toMatch(
      /open http:\/\/localhost:8080\/\. It is your task list; its buttons ask the assistant\.\n$/,
    );
  });

  it('never writes over what is there, and then writes nothing at all', async () => {
    writeFileSync(join(folder, 'helper.yaml'), 'mine');
    expect(await runCommand(['init', '.'], context)).toBe(1);
    expect(context.complained()).toContain('Nothing was written, because this is there already: helper.yaml');
    expect(readFileSync(join(folder, 'helper.yaml'), 'utf8')).toBe('mine');
    await expect(async () => readFileSync(join(folder, 'plugins/tasks/index.js'))).rejects.toThrow('ENOENT');
  });
});

describe('helper init where nothing can be written', () => {
  it.each([
    ['file', 'There is a file where a folder is needed'],
    ['file/below', 'There is a file where a folder is needed'],
  ])('says so in one sentence: %s', async (directory, message) => {
    writeFileSync(join(folder, 'file'), '');
    expect(await runCommand(['init', directory], context)).toBe(1);
    expect(context.complained()).toContain(message);
    expect(context.complained().trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('helper config-reference', () => {
  it('prints the reference page', async () => {
    expect(await runCommand(['config-reference'], context)).toBe(0);
    expect(context.written()).toContain('| `server.port` |');
  });

  it('writes the generated files (contract/configuration.md)', async () => {
    expect(await runCommand(['config-reference', '--write'], context)).toBe(0);
    for (const path of ['config/helper.schema.json', 'config/helper.full.yaml', 'docs/reference/configuration.md']) {
      expect(readFileSync(join(folder, path), 'utf8').length).toBeGreaterThan(100);
    }
  });
});
