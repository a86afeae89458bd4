import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DemoDialogue } from '../adapters/models/demo/demo-dialogue.ts';
import { shopTools } from '../adapters/models/demo/shop-tools.ts';
import { PluginWorkbench, toolContext, toolNamed } from '../adapters/plugin-directory/plugin-workbench.ts';

interface Guide {
  /** The guide's code blocks that name a file, by the file's name. */
  readonly files: Readonly<Record<string, string>>;
  /** The settings of the guide's YAML blocks, merged. */
  readonly settings: Readonly<Record<string, unknown>>;
}

async function readGuide(path: string): Promise<Guide> {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^( *)```(\w+)(?: file=(\S+))?\n([\s\S]*?)^\1```$/gm)];
  const files = blocks.flatMap(([, , , file, code = '']) => (file === undefined ? [] : [[file, code] as const]));
  const settings = blocks.flatMap(([, , language, , code = '']) =>
    language === 'yaml' ? [parse(code) as object] : [],
  );
  return { files: Object.fromEntries(files), settings: Object.assign({}, ...settings) as Record<string, unknown> };
}

describe('the examples of the plugin guides are plugins that work', () => {
  it('plugins/README.md', async () => {
    const guide = await readGuide('plugins/README.md');
    const plugin = await (await PluginWorkbench.open(guide.files)).loadOne();
    const set = toolNamed(plugin, 'set_opening_hours');
    expect(set).toMatchObject({ readOnly: undefined, requiresConfirmation: undefined });
    await set.execute({ day: 'Monday', hours: '8:00 to 18:00' }, toolContext());
    const get = toolNamed(plugin, 'get_opening_hours');
    expect(get.readOnly).toBe(true);
    expect((await get.execute({ day: 'Monday' }, toolContext())).value).toEqual({
      day: 'Monday',
      hours: '8:00 to 18:00',
    });

    const lookUp = new DemoDialogue({ tools: [...shopTools, get, set] });
    await lookUp.calls('Show the opening hours');
    expect(await lookUp.calls('Saturday')).toEqual([{ name: get.name, arguments: { day: 'Saturday' } }]);
    const change = new DemoDialogue({ tools: [...shopTools, get, set] });
    await change.calls('Set the opening hours');
    await change.calls('Monday');
    expect(await change.calls('8:00 to 18:00')).toEqual([
      { name: set.name, arguments: { day: 'Monday', hours: '8:00 to 18:00' } },
    ]);
  });

  it('docs/guides/plugins.md', async () => {
    const guide = await readGuide('docs/guides/plugins.md');
    expect(guide.settings['actions']).toEqual({ plugins: ['../plugins'] });
    const bench = await PluginWorkbench.open(guide.files);
    const plugins = await bench.load({ pluginOptions: guide.settings['pluginOptions'] as Record<string, unknown> });
    expect(plugins.map(({ name }) => name)).toEqual([
      'card-numbers',
      'cases',
      'first-question',
      'inventory',
      'policies',
      'polite',
      'tickets',
      'tickets-demo',
    ]);
    for (const plugin of plugins) await plugin.start();
    expect(bench.log.lines).toMatchObject([{ fields: { retries: 5 }, message: 'the inventory is connected' }]);
    for (const plugin of plugins) await plugin.stop();

    const [, cases, , , policies, , tickets, demo] = plugins;
    if (cases === undefined || policies === undefined || tickets === undefined) throw new Error('a plugin is missing');
    if (demo === undefined) throw new Error('the plugin of the demo page is missing');
    const states = (): unknown => demo.demo?.rows();
    expect(states()).toMatchObject([{ ticketId: 7, state: 'open' }]);
    const close = toolNamed(demo, 'close_ticket');
    expect(close.examples).toEqual(['Close ticket 7']);
    await close.execute({ ticketId: 7 }, toolContext());
    expect(states()).toMatchObject([{ ticketId: 7, state: 'closed' }]);
    demo.demo?.reset?.();
    expect(states()).toMatchObject([{ ticketId: 7, state: 'open' }]);
    const found = await toolNamed(cases, 'get_case').execute({ caseId: 7 }, toolContext());
    expect(found.value).toMatchObject({ subject: 'The door squeaks' });
    expect((await toolNamed(tickets, 'get_ticket').execute({ ticketId: 'x' }, toolContext())).value).toMatchObject({
      status: 'open',
    });
    expect(policies.hooks.requiresApproval?.('delete_case')).toBe(true);
    expect(policies.hooks.onToolResult?.('get_case', { id: 1, internalNote: 'no' })).toEqual({ id: 1 });
    expect(policies.hooks.onException?.(new Error('ECONNREFUSED'))).toBe('Our system is not reachable right now.');
  });

  it('docs/guides/actions.md', async () => {
    const guide = await readGuide('docs/guides/actions.md');
    const plugins = await (await PluginWorkbench.open(guide.files)).load();
    const tools = new Map(plugins.flatMap((plugin) => plugin.tools.map((tool) => [tool.name, tool])));
    const run = async (name: string, values: Record<string, unknown>): Promise<unknown> =>
      tools.get(name)?.execute(values, toolContext());

    expect(tools.get('mark_invoice_paid')).toMatchObject({ requiredRoles: ['Accounting'], timeoutMs: 10_000 });
    expect(await run('mark_invoice_paid', { id: 'R-100' })).toMatchObject({ value: { isPaid: true } });
    await expect(run('get_invoice', { id: 'R-7' })).rejects.toThrow('There is no invoice R-7.');
    expect(await run('export_invoices', { year: 2025 })).toEqual({ value: { year: 2025, months: 12 } });
    expect(await run('show_invoice', { id: 'R-100' })).toMatchObject({ card: { type: 'AdaptiveCard' } });
    expect(await run('get_map', {})).toMatchObject({
      isContent: true,
      value: [{ type: 'text' }, { type: 'image' }, { type: 'resource' }],
    });
    expect(await run('open_invoice', { id: 'R-100' })).toMatchObject({
      navigate: { page: 'invoice', params: { id: 'R-100' } },
    });
  });
});
