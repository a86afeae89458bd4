import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { hubServer } from '../support/hub-server.ts';

const root = join(import.meta.dirname, '..', '..');

/** A program of the guide as a reader would save it. */
function programOfGuide(name: string): string {
  const guide = readFileSync(join(root, 'docs/guides/hub.md'), 'utf8');
  const program = guide.split(`\`\`\`js file=${name}\n`)[1]?.split('```', 1)[0];
  if (program === undefined) throw new Error('docs/guides/hub.md has no ' + name);
  const directory = mkdtempSync(join(tmpdir(), 'hub-guide-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, name), program);
  return join(directory, name);
}

it('the program of the hub guide asks, is asked, and sees it done (contract/hub.md)', async () => {
  const tool = fakeTool();
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 7 })] }, { text: 'Case 7 is closed.' });
  const { origin } = await hubServer({ model, toolList: [tool] });
  const program = spawn(process.execPath, [programOfGuide('ask.mjs'), origin, 'Close case 7']);
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

it('the program of the hub guide keeps a conversation from one run to the next (contract/sessions.md#snapshots)', async () => {
  const model = fakeModel({ text: 'It is open.' }, { text: 'Still open.' });
  const { origin } = await hubServer({ model });
  const program = programOfGuide('keep.mjs');
  const run = async (message: string) => {
    const child = spawn(process.execPath, [program, origin, message], { cwd: dirname(program) });
    onTestFinished(() => {
      child.kill();
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    return output;
  };
  expect(await run('How is case 7?')).toBe('assistant: It is open.\n');
  expect(await run('And now?')).toBe('user: How is case 7?\nassistant: It is open.\nassistant: Still open.\n');
  writeFileSync(join(dirname(program), 'conversation.json'), '{"snapshot": "hs1.x.y"}');
  expect(await run('Hello')).toContain('This snapshot cannot be restored.');
});
