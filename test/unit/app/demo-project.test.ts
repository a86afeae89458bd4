import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LoadedPlugin } from '../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { composeTools } from '../../../src/app/compose-tools.ts';
import { demoProject } from '../../../src/app/demo-project.ts';
import { pluginProvider } from '../../../src/app/providers/plugin-provider.ts';
import type { DemoPageSource } from '../../../src/channels/widget/demo-page.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { settingsWith } from '../config/load-from-text.ts';

type Parts = Partial<Pick<LoadedPlugin, 'tools' | 'pages' | 'demo'>>;

function projectOf(parts: Parts, lines = ''): DemoPageSource & { readonly log: ReturnType<typeof recordingLogger> } {
  const plugin: LoadedPlugin = {
    name: 'desk',
    file: 'desk.js',
    tools: [],
    pages: [],
    models: new Map<string, object>(),
    hooks: {},
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    ...parts,
  };
  const log = recordingLogger();
  const settings = settingsWith(lines);
  const tools = composeTools(
    settings,
    { plugins: [plugin], providers: [pluginProvider(plugin)], killSwitch: { stops: () => false } },
    log,
  );
  return { log, ...demoProject({ settings, plugins: [plugin], tools, log }) };
}

const page = { name: 'cases', title: 'All cases', url: '/cases', description: 'x', requiredRoles: [] };

function listOf(demo: Partial<NonNullable<LoadedPlugin['demo']>>): NonNullable<LoadedPlugin['demo']> {
  return { title: 'Cases', description: undefined, columns: [], rows: () => [], reset: undefined, ...demo };
}

describe('what the demo page shows of a project (contract/addresses.md#paths)', () => {
  it('are the actions that anybody may run, and whether each asks first', async () => {
    const look = fakeTool({ name: 'get_case', title: 'Look up', description: 'Looks.', readOnly: true });
    const close = fakeTool({ examples: ['Close case 7'] });
    const secret = fakeTool({ name: 'delete_all', title: 'Delete all', requiredRoles: ['Admin'] });
    const { read } = projectOf({ tools: [look, close, secret], pages: [page] });
    expect((await read()).actions).toEqual([
      { title: 'Look up', description: 'Looks.', asks: false, examples: [] },
      { title: 'Close a case', description: 'Closes a case for good.', asks: true, examples: ['Close case 7'] },
    ]);
  });

  it('says of an action that it asks what the policy says, not what the action declares', async () => {
    const look = fakeTool({ name: 'get_case', readOnly: true });
    const { read } = projectOf({ tools: [look] }, 'requiresApproval: [get_*]\n');
    expect((await read()).actions).toMatchObject([{ asks: true }]);
  });

  it('are the pages that anybody may see and that need no further detail', async () => {
    const one = { ...page, name: 'case', title: 'One case', url: '/cases/{id}' };
    const hidden = { ...page, name: 'audit', title: 'Audit', requiredRoles: ['Auditor'] };
    expect((await projectOf({ pages: [page, one, hidden] }).read()).pages).toEqual(['All cases']);
  });

  it('is nothing else of the configuration: no description, no secret, no address', async () => {
    const lines = 'appDescription: The hidden one.\nauth: { jwt: { secret: "0123456789-0123456789-0123456789-01" } }\n';
    expect(await projectOf({}, lines).read()).toEqual({ appName: 'Desk', actions: [], pages: [], lists: [] });
  });

  it('is bounded, however much there is', async () => {
    const tools = Array.from({ length: 100 }, (_, index) =>
      fakeTool({
        name: `act_${String(index)}`,
        description: 'x'.repeat(9000),
        examples: Array(50).fill('y'.repeat(9000)),
      }),
    );
    const { actions } = await projectOf({ tools }).read();
    expect(actions).toHaveLength(60);
    expect(actions[0]?.description).toHaveLength(500);
    expect(actions[0]?.examples.map((example) => example.length)).toEqual([500, 500, 500, 500, 500]);
  });

  it('are the lists that plugins declare for it, as they are now', async () => {
    const rows = [{ id: 1 }];
    const { read } = projectOf({ demo: listOf({ description: 'Open ones.', rows: () => Promise.resolve(rows) }) });
    const list = { title: 'Cases', description: 'Open ones.', columns: [{ title: 'Id' }] };
    expect((await read()).lists).toEqual([{ ...list, rows: [[1]], total: 1 }]);
    rows.push({ id: 2 });
    expect((await read()).lists).toEqual([{ ...list, rows: [[1], [2]], total: 2 }]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the database is away');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the database is away'))],
    ['is no list', () => 'the database is away'],
  ])('goes without the rows of a list that %s, and logs why', async (_title, rows) => {
    const { read, log } = projectOf({ demo: listOf({ rows }) });
    expect((await read()).lists).toEqual([{ title: 'Cases', description: null, columns: [], rows: null, total: 0 }]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
  });

  it('waits five seconds for a list that never answers', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { read } = projectOf({ demo: listOf({ rows: () => new Promise(() => undefined) }) });
    const reading = read();
    await vi.advanceTimersByTimeAsync(5000);
    expect((await reading).lists).toMatchObject([{ rows: null }]);
  });

  it('is read once for everybody who asks at the same time', async () => {
    let reads = 0;
    const answer = Promise.withResolvers<object[]>();
    const rows = (): unknown => {
      reads += 1;
      return answer.promise;
    };
    const { read } = projectOf({ demo: listOf({ rows }) });
    const asked = [read(), read(), read()];
    answer.resolve([{ id: 1 }]);
    await Promise.all(asked);
    expect(reads).toBe(1);
    await read();
    expect(reads).toBe(2);
  });
});

describe('"Start over" on the demo page (contract/addresses.md#paths)', () => {
  it('puts the lists back', async () => {
    let isReset = false;
    const { reset } = projectOf({ demo: listOf({ reset: () => void (isReset = true) }) });
    expect(await reset()).toBe(true);
    expect(isReset).toBe(true);
  });

  it('is fine where no list can be put back, and says when one fails', async () => {
    expect(await projectOf({ demo: listOf({}) }).reset()).toBe(true);
    const failing = projectOf({ demo: listOf({ reset: () => Promise.reject(new Error('read-only')) }) });
    expect(await failing.reset()).toBe(false);
    expect(failing.log.lines).toMatchObject([{ level: 'warn', fields: { plugin: 'desk' } }]);
  });
});
