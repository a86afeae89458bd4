import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { hubServer } from '../support/hub-server.ts';

const root = join(import.meta.dirname, '..', '..');

/** The program of the guide, as its reader would save it. */
function programOfGuide(): string {
  const guide = readFileSync(join(root, 'docs/guides/hub.md'), 'utf8');
  const program = /```js file=ask\.mjs\n([\s\S]*?)```/.exec(guide)?.[1];
  if (program === undefined) throw new Error('docs/guides/hub.md has no ask.mjs');
  const directory = mkdtempSync(join(tmpdir(), 'hub-guide-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'ask.mjs'), program);
  return join(directory, 'ask.mjs');
}

it('the program of the hub guide asks, is asked, and sees it done (wire.md 3)', async () => {
  const tool = fakeTool();
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 7 })] }, { text: 'Case 7 is closed.' });
  const { origin } = await hubServer({ model, toolList: [tool] });
  const program = spawn(process.execPath, [programOfGuide(), origin, 'Close case 7']);
  onTestFinished(() => {
    program.kill();
  });
  let output = '';
  let answered = false;
  program.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    if (answered || !output.includes('y/n?')) return;
    answered = true;
    program.stdin.write('y\n');
  });
  program.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise((resolve) => program.once('exit', resolve));
  expect(output).toContain('Close a case (Case number: 7) – y/n?');
  expect(output).toContain('Case 7 is closed.\ncompleted');
  expect(tool.runs).toEqual([{ caseId: 7 }]);
  expect(code).toBe(0);
});
