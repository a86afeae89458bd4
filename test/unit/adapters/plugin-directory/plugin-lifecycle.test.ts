import { describe, expect, it } from 'vitest';
import { faultsOf, PluginWorkbench, toolContext, toolNamed } from './plugin-workbench.ts';

/** A plugin that records what happens to it in a list. Its action `events` returns the list. */
function noting(members: string): string {
  return `const events = [];
    export default { name: 'cases',
      actions: [{ name: 'events', description: 'Events.', parameters: { type: 'object' }, execute: () => events }],
      ${members} };`;
}

async function eventsOf(bench: PluginWorkbench): Promise<unknown> {
  // Loading again imports the same module, so the module still has the records of the first load.
  const plugin = await bench.loadOne();
  return (await toolNamed(plugin, 'events').execute({}, toolContext())).value;
}

describe('start and stop of a plugin (contract/plugins.md#plugins)', () => {
  it('loading starts nothing; start is given the host and may be async; stop follows it once', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': noting(`
        configSchema: { type: 'object', properties: { retries: { type: 'integer', default: 3 } } },
        async start(host) { await null; events.push(['start', host.appName, host.options, typeof host.log.info, this.name]); },
        async stop() { await null; events.push(['stop', this.name]); },`),
    });
    const plugin = await bench.loadOne({ pluginOptions: { cases: { url: 'x' } } });
    expect(await eventsOf(bench)).toEqual([]);
    await plugin.start();
    await plugin.stop();
    await plugin.stop();
    expect(await eventsOf(bench)).toEqual([
      ['start', 'Shop', { url: 'x', retries: 3 }, 'function', 'cases'],
      ['stop', 'cases'],
    ]);
  });

  it('the options cannot be changed by the plugin', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': "export default { name: 'cases', start(host) { host.options.deep.list.push(1); } };",
    });
    const plugin = await bench.loadOne({ pluginOptions: { cases: { deep: { list: [] } } } });
    await expect(plugin.start()).rejects.toThrow(/not extensible/);
  });

  it.each([
    // proves extending-1-05
    ['throws', "start() { throw new Error('no database'); },", /^the plugin failed to start: no database$/],
    ['rejects', "async start() { throw new Error('no database'); },", /^the plugin failed to start: no database$/],
    [
      'hangs',
      'start() { return new Promise(() => {}); },',
      /^the plugin failed to start: it did not finish within 500 ms$/,
    ],
  ])('a start that %s fails naming the plugin and its file, and stop is not called', async (title, start, message) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': noting(`${start} stop() { events.push('stop'); },`) });
    // Only a start that hangs may be cut off, however slow the machine is.
    const plugin = await bench.loadOne({ timeoutMs: title === 'hangs' ? 500 : 10_000 });
    const [fault] = await faultsOf(plugin.start());
    expect(fault).toMatchObject({ file: bench.path('cases/index.js'), path: 'cases.start' });
    expect(fault?.message).toMatch(message);
    await plugin.stop();
    expect(await eventsOf(bench)).toEqual([]);
  });

  it.each([
    ['throws', "stop() { throw new Error('gone'); },", 'gone'],
    ['rejects', "async stop() { throw new Error('gone'); },", 'gone'],
    ['hangs', 'stop() { return new Promise(() => {}); },', 'it did not finish within 500 ms'],
  ])('a stop that %s is logged and keeps nobody waiting', async (title, stop, reason) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': noting(stop) });
    const plugin = await bench.loadOne({ timeoutMs: title === 'hangs' ? 500 : 10_000 });
    await plugin.start();
    await plugin.stop();
    expect(bench.log.lines).toMatchObject([{ level: 'warn', message: 'plugin failed to stop', fields: { reason } }]);
  });

  it('a plugin without a start is stopped all the same', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': noting("stop() { events.push('stop'); },") });
    const plugin = await bench.loadOne();
    await plugin.start();
    await plugin.stop();
    expect(await eventsOf(bench)).toEqual(['stop']);
  });
});
