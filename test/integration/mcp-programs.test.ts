import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf } from '../support/in-process-helper.ts';
import { isRunning } from '../support/mcp/is-running.ts';
import { mcpHelper, offeredIn, statusesIn, toldTo } from '../support/mcp/mcp-helper.ts';
import type { Era } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';

const program = join(import.meta.dirname, '../support/mcp/stdio-server.ts');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'helper-mcp-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const entryIn = (directory: string, era: Era = 'new', more: object = {}): object => ({
  name: 'tally',
  command: process.execPath,
  arguments: [program, era, directory],
  ...more,
});

const startsIn = (directory: string): readonly string[] =>
  existsSync(join(directory, 'started')) ? readFileSync(join(directory, 'started'), 'utf8').trim().split('\n') : [];

const counting = [calling({ name: 'count', arguments: {} }), saying('Counted.')];

describe('MCP servers that are programs (contract/mcp-servers.md#programs)', () => {
  // proves service-2.16-10, service-2.16-30
  it.each(['new', 'old'] as const)('start at their first use, in the %s era', async (era) => {
    const directory = folder();
    const { session, model } = await mcpHelper([entryIn(directory, era)], counting);
    expect(startsIn(directory)).toEqual([]);
    const events = await allOf(session.send('count'));
    expect(statusesIn(events)).toEqual(['count succeeded']);
    expect(offeredIn(model, 0)).toContain('count');
    expect(startsIn(directory)).toHaveLength(1);
    expect(toldTo(model)).toEqual([`[succeeded] ${String(startsIn(directory)[0])} 1`]);
  });

  // proves service-18-16
  it.each([
    ['its script is not there', [join(import.meta.dirname, 'no-such-program.mjs')], 'exit code 1'],
    ['it ends before it says anything', ['-e', 'process.exit(3)'], 'exit code 3'],
  ])('say how they have ended where %s', async (_what, words, ending) => {
    const entry = { name: 'tally', command: process.execPath, arguments: words };
    const { session, log } = await mcpHelper([entry], [saying('Nothing to count.')]);
    await allOf(session.send('count'));
    await expect.poll(() => JSON.stringify(log.lines)).toContain(`ended its program before it answered (${ending})`);
  });

  // proves service-2.16-31, service-2.16-34
  it('have an environment of their own, and nothing of this server beside what a program needs', async () => {
    const directory = folder();
    process.env['HELPER_TEST_SECRET'] = 'of-the-server';
    onTestFinished(() => {
      delete process.env['HELPER_TEST_SECRET'];
    });
    const entry = entryIn(directory, 'new', { environmentVariables: { TALLY_KEY: 'of-the-program' } });
    const { session, log } = await mcpHelper([entry], counting);
    await allOf(session.send('count'));
    const environment = JSON.parse(readFileSync(join(directory, 'environment'), 'utf8')) as Record<string, string>;
    expect(environment['TALLY_KEY']).toBe('of-the-program');
    expect(environment['PATH']).toBe(process.env['PATH']);
    expect(Object.keys(environment)).not.toContain('HELPER_TEST_SECRET');
    expect(JSON.stringify(log.lines)).not.toContain('of-the-program');
    expect(JSON.stringify(log.lines)).toContain('this program has begun');
  });

  // proves service-2.16-30
  it('serve one conversation each, and all with shared: true', async () => {
    const [own, shared] = [folder(), folder()];
    const script = [...counting, ...counting];
    const apart = await mcpHelper([entryIn(own)], script);
    await allOf(apart.session.send('count'));
    await allOf((await apart.helper.session()).send('count'));
    expect(new Set(startsIn(own)).size).toBe(2);
    const together = await mcpHelper([entryIn(shared, 'new', { shared: true })], script);
    await allOf(together.session.send('count'));
    await allOf((await together.helper.session()).send('count'));
    expect(startsIn(shared)).toHaveLength(1);
    expect(toldTo(together.model)).toEqual([`[succeeded] ${String(startsIn(shared)[0])} 2`]);
  });

  // proves service-2.16-32
  it('end with the server, and what they have started ends with them', async () => {
    const directory = folder();
    const { helper, session } = await mcpHelper([entryIn(directory)], counting);
    await allOf(session.send('count'));
    const pids = [...startsIn(directory), readFileSync(join(directory, 'child'), 'utf8')].map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await helper.close();
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });

  // proves service-2.16-33
  it('that crash in a call are started again for the next, and nobody waits', async () => {
    const directory = folder();
    const script = [calling({ name: 'crash', arguments: {} }), saying('It crashed.'), ...counting];
    const { session, model } = await mcpHelper([entryIn(directory)], script);
    expect(statusesIn(await allOf(session.send('crash')))).toEqual(['crash unknown']);
    expect(statusesIn(await allOf(session.send('count')))).toEqual(['count succeeded']);
    expect(toldTo(model).at(-1)).toBe(`[succeeded] ${String(startsIn(directory)[1])} 1`);
  });

  // proves service-2.16-90, service-2.16-91
  it('that flood are read no faster than the limits allow, and answer all the same', async () => {
    const directory = folder();
    const script = [calling({ name: 'flood', arguments: {} }), saying('Flooded.')];
    const { session } = await mcpHelper([entryIn(directory)], script);
    const events = await allOf(session.send('flood'));
    expect(events.at(-1)).toMatchObject({ status: 'completed', text: 'Flooded.' });
  });

  // proves service-2.16-20
  it('that cannot be started fail alone', async () => {
    const entry = { name: 'nobody', command: '/nowhere/at-all' };
    const directory = folder();
    const { session } = await mcpHelper([entry, entryIn(directory)], counting);
    expect(statusesIn(await allOf(session.send('count')))).toEqual(['count succeeded']);
  });
});
