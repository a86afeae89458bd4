import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { CheckJson } from '../../src/cli/check-json.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { blocksIn, exampleFile } from '../unit/docs/pages.ts';

const page = 'docs/guides/agents.md';

describe('the guide to agents (docs/guides/agents.md)', () => {
  it('shows files, a configuration and a plugin that work together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-agents-guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    for (const name of ['agents/billing.agent.yaml', 'agents/quotes.agent.yaml']) write(name, exampleFile(page, name));
    write('plugins/cases.plugin.js', exampleFile(page, 'cases.plugin.js'));
    write(
      'plugins/invoices.plugin.js',
      `export default { name: 'invoices', actions: [{ name: 'get_invoice', description: 'd', parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => 1 }] };`,
    );
    const base = { appName: 'Shop', chatClient: 'demo', models: { demo: { provider: 'demo' } } };
    const written = blocksIn('yaml').filter((block) => block.page === page);
    // Each block is the guide's own. The later one adds to the earlier one.
    const settings = Object.assign({}, ...written.map(({ code }) => parse(code) as object)) as object;
    write('helper.yaml', JSON.stringify({ ...base, ...settings, actions: { plugins: ['plugins'] } }));

    const context = fakeContext(folder, { WAREHOUSE_TOKEN: 'Bearer abc' });
    expect(await runCommand(['check', '--json', '--config', 'helper.yaml'], context)).toBe(0);
    const { agents, warnings } = JSON.parse(context.written()) as CheckJson;
    expect(agents.map(({ name, kind, tools }) => [name, kind, ...tools])).toEqual([
      ['Billing', 'specialist', 'get_invoice'],
      ['Sales', 'specialist'],
      ['Legal', 'specialist'],
      ['Quotes', 'team'],
      ['Warehouse', 'remote'],
      ['Clerk', 'specialist', 'get_case'],
      ['Desk', 'team'],
    ]);
    // The demo model of this test has no options; the example is for a real one.
    expect(warnings.filter(({ code }) => code.startsWith('HLP115'))).toMatchObject([{ code: 'HLP1150' }]);
  });
});
