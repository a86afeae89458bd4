import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, fakeModel } from '../support/fake-model.ts';
import { hubServer } from '../support/hub-server.ts';
import { realServer } from '../support/real-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const root = join(import.meta.dirname, '..', '..');
const guide = readFileSync(join(root, 'docs/guides/ui-actions.md'), 'utf8');

function blockOf(fence: string): string {
  const block = guide.split(`\`\`\`${fence}\n`)[1]?.split('```', 1)[0];
  if (block === undefined) throw new Error(`docs/guides/ui-actions.md has no ${fence}`);
  return block;
}

/** The only block that is a plugin. */
const pluginBlock =
  guide
    .split('```js\n')
    .find((block) => block.includes('definePlugin'))
    ?.split('```', 1)[0] ?? '';

/** Runs the program of the guide to its end, as a reader would have saved it. Resolves with its output. */
async function runPage(origin: string, message: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'ui-actions-guide-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'page.mjs'), blockOf('js file=page.mjs'));
  const program = spawn(process.execPath, [join(directory, 'page.mjs'), origin, message]);
  onTestFinished(() => {
    program.kill();
  });
  let output = '';
  program.stdout.on('data', (data: Buffer) => (output += data.toString()));
  program.stderr.on('data', (data: Buffer) => (output += data.toString()));
  await new Promise((resolve) => program.once('close', resolve));
  return output;
}

it('the page of the guide runs what it offers, and the model reads its answer (contract/ui-actions.md)', async () => {
  const model = fakeModel({ toolCalls: [call('page_highlight_order', { id: 1002 })] }, { text: 'There it is.' });
  const { origin } = await hubServer({ model });
  expect(await runPage(origin, 'Highlight order 1002')).toContain('[highlights order 1002]\nThere it is.');
  expect(model.requests[1]?.messages.at(-1)?.text).toContain('{"highlighted":1002}');
});

it('the plugin of the guide asks that page (contract/plugins.md#actions)', async () => {
  const server = await scriptedServer({
    plugin: pluginBlock,
    scripts: [calling({ name: 'find_order', arguments: { customer: 'Ann' } }), saying('Found.')],
  });
  expect(await runPage(server.url, 'Where is the order of Ann?')).toContain('[highlights order 1001]\nFound.');
  const { body } = await server.model.request(1);
  expect(JSON.stringify(body['messages'])).toContain('highlighted');
});

it('the page of the guide works with the server as it ships, demo model and all (contract/ui-actions.md)', async () => {
  const { url } = await realServer();
  expect(await runPage(url, 'Highlight order 1002')).toMatch(/\[highlights order 1002\]\n.*Highlight order.*1002/s);
});
