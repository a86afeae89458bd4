import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf } from '../support/in-process-helper.ts';
import { answering, mcpHelper, reasonsIn, statusesIn, toldTo } from '../support/mcp/mcp-helper.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/mcp-servers.md';

describe('the guide to MCP servers (contract/mcp-servers.md)', () => {
  // proves service-2.16-50
  it('has a program that counts: showing asks nothing, adding asks first', async () => {
    // In the folder of the project, so that the program finds the package.
    const parent = join(import.meta.dirname, '../../node_modules/.cache');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'mcp-guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'tally.mjs');
    writeFileSync(file, exampleFile(guide, 'tally.mjs'));
    const script = [
      calling({ name: 'add_to_count', arguments: { number: 3 } }),
      saying('Added.'),
      calling({ name: 'show_count', arguments: {} }),
      saying('Shown.'),
    ];
    const entry = { name: 'tally', command: process.execPath, arguments: [file] };
    const { session, model } = await mcpHelper([entry], script);
    const added = await answering(session.send('add 3'), (actionId) => session.approve(actionId, true));
    expect(reasonsIn(added)).toEqual(['write']);
    const shown = await allOf(session.send('show the count'));
    expect(reasonsIn(shown)).toEqual([]);
    expect(statusesIn(shown)).toEqual(['show_count succeeded']);
    expect(toldTo(model).at(-1)).toBe('[succeeded] The count is 3.');
  });
});
