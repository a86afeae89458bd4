import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { runCommand } from '../../src/cli/run-command.ts';
import { initProject } from '../support/init-project.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';
import { tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const root = join(import.meta.dirname, '../..');
const page = (name: string): string => readFileSync(join(root, 'docs/start', `${name}.md`), 'utf8');

/** A block of a page: the whole of it, or the one that is a file or begins so. */
function blockOf(name: string, fence: string, beginsWith = ''): string {
  const blocks = [...page(name).matchAll(/^```(\w+[^\n]*)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, head, code = '']) => head === fence && code.startsWith(beginsWith));
  if (found === undefined) throw new Error(`${name}.md has no block ${fence} that begins with ${beginsWith}`);
  return found[2] ?? '';
}

/** The project of the quick start, with the plugin of the guide to actions. */
function project(): { readonly file: string; readonly folder: string } {
  const file = initProject();
  const folder = dirname(file);
  put(folder, 'plugins/holidays/index.js', blockOf('own-action', 'js file=plugins/holidays/index.js'));
  return { file, folder };
}

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** The settings of a guide replace those of the same name in the file, as a reader would edit it. */
function edit(file: string, settings: string): void {
  const before = parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, stringify({ ...before, ...(parse(settings) as object) }));
}

async function ran(folder: string, ...words: readonly string[]): Promise<string> {
  const context = fakeContext(folder, { HELPER_TOKEN_SECRET: tokenSecret });
  expect(await runCommand([...words, '--config', 'helper.yaml'], context), context.complained()).toBe(0);
  return context.written();
}

describe('the first steps (docs/start)', () => {
  it('have an own action that is read at once and one that asks in its own words, once', async () => {
    const { file, folder } = project();
    const checked = await ran(folder, 'check');
    expect(checked).toMatch(/get_days_off +reads +does not ask/);
    expect(checked).toMatch(/book_days_off +writes +asks \(write\)/);
    const { url } = await realServer({}, file);
    const read = await openSse(`${url}/helper/chat`, { body: { message: 'How many days off do I have left?' } });
    await read.closed;
    expect(read.raw()).toContain('12');

    const asked = await openSse(`${url}/helper/chat`, { body: { message: 'Book 3 days off from 2027-03-01' } });
    const { data: question } = await asked.next('confirmation');
    expect(question).toMatchObject({ confirm: { title: 'Book 3 days off from March 1, 2027?', approve: 'Book them' } });
    const answer = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ actionId: question?.['actionId'], approved: true });
    expect((await fetch(`${url}/helper/approve`, { ...answer, body })).status).toBe(200);
    expect((await fetch(`${url}/helper/approve`, { ...answer, body })).status).toBe(404);
    await asked.closed;
    const left = await openSse(`${url}/helper/chat`, { body: { message: 'How many days off do I have left?' } });
    await left.closed;
    expect(left.raw()).toMatch(/\b9\b/);
  });

  it('have documents that are found by the question of the guide', async () => {
    const { file, folder } = project();
    put(folder, 'documents/days-off.txt', blockOf('own-documents', 'text file=documents/days-off.txt'));
    edit(file, blockOf('own-documents', 'yaml'));
    const [, question = ''] = /--query '([^']+)'/.exec(blockOf('own-documents', 'sh')) ?? [];
    expect(await ran(folder, 'knowledge', '--query', question)).toContain('days-off.txt');
  });

  it('have a token that opens a door which is closed to others', async () => {
    const { file, folder } = project();
    edit(file, blockOf('sign-in', 'yaml', 'auth:\n  jwt:\n'));
    edit(file, blockOf('sign-in', 'yaml', 'auth:\n  jwt: {'));
    const words = ['token', '--sub', 'ann', '--role', 'Staff', '--expires', '1h'];
    expect(blockOf('sign-in', 'sh')).toContain(
      'npx helper token --config helper.yaml --sub ann --role Staff --expires 1h',
    );
    const token = (await ran(folder, ...words)).trim();
    const { url } = await realServer({ HELPER_TOKEN_SECRET: tokenSecret }, file);
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${url}/helper/chat?message=Show%20my%20tasks`, { headers });
    const refused = await ask({});
    expect(refused.status).toBe(401);
    const answered = await ask({ authorization: `Bearer ${token}` });
    expect(answered.status).toBe(200);
    expect(await answered.text()).toContain('"status":"completed"');
    expect(await ran(folder, 'token', '--explain', token)).toContain('ann');
  });

  it('have a role that is asked for on every action that names it', async () => {
    const { file, folder } = project();
    const plugin = join(folder, 'plugins/holidays/index.js');
    const line = blockOf('own-action', 'js', 'requiredRoles').trim();
    writeFileSync(plugin, readFileSync(plugin, 'utf8').replaceAll('      execute', `      ${line}\n      execute`));
    expect(await ran(folder, 'check')).toMatch(/book_days_off.*Staff/);
    const { url } = await realServer({}, file);
    const turn = await openSse(`${url}/helper/chat`, { body: { message: 'Book 3 days off from 2027-03-01' } });
    await turn.closed;
    expect(turn.raw()).not.toContain('event: confirmation');
  });

  it('have models that are taken, with a limit on what they cost', async () => {
    const { file, folder } = project();
    rmSync(join(folder, 'plugins/holidays'), { recursive: true });
    edit(file, blockOf('own-model', 'yaml').replace('${OPENAI_API_KEY}', 'x'));
    edit(file, blockOf('own-model', 'yaml', 'modelPricing'));
    expect(await ran(folder, 'check')).toContain('gpt-5-mini');
  });

  it('allow the page of the quick start by its origin', async () => {
    const { file } = project();
    appendFileSync(file, `\n${blockOf('quick-start', 'yaml')}`);
    const { url } = await realServer({}, file);
    const [, origin = ''] = /origins: \['([^']+)'\]/.exec(blockOf('quick-start', 'yaml')) ?? [];
    const script = await fetch(`${url}/helper/widget.js`, { headers: { origin } });
    expect(script.status).toBe(200);
    const negotiated = await fetch(`${url}/helper-hub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { origin },
    });
    expect(negotiated.headers.get('access-control-allow-origin')).toBe(origin);
    expect(blockOf('quick-start', 'html file=page.html')).toContain('src="http://localhost:8080/helper/widget.js"');
  });
});
