import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signatureHeaders, signingKeys } from '../../src/adapters/shared/sign-request.ts';
import { callbackSecret } from '../support/callback-receiver.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { isHere, lackOf, type ToolName } from '../support/tools-here.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/callbacks.md'), 'utf8');

/** Starts a program of the guide as a reader would save it. Resolves with the program's address. */
async function startReceiver(file: string, command: string, secret = callbackSecret): Promise<string> {
  const code = new RegExp(`\`\`\`\\w+ file=${file}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const directory = mkdtempSync(join(tmpdir(), 'callback-guide-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  writeFileSync(join(directory, file), code);
  const program: ChildProcess = spawn(command, [join(directory, file)], {
    env: { ...process.env, ERP_CALLBACK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  if (program.stdout === null) throw new Error('the output of the program is not read');
  for await (const line of createInterface({ input: program.stdout })) return line;
  throw new Error(`${file} ended without its address`);
}

/** The same call of another action, signed. */
function sendOther(url: string, action: string): Promise<Response> {
  const body = JSON.stringify({ type: 'action', id: action, action, arguments: { orderNumber: 1001 } });
  const signed = signatureHeaders({ id: action, body }, signingKeys(callbackSecret), Date.now());
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed } });
}

function send(
  url: string,
  id: string,
  changes: Readonly<Record<string, string>> = {},
  secrets: readonly string[] = [callbackSecret],
): Promise<Response> {
  const body = JSON.stringify({ type: 'action', id, action: 'cancel_order', arguments: { orderNumber: 1001 } });
  const signed = signatureHeaders({ id, body }, signingKeys(secrets), Date.now());
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed, ...changes } });
}

interface Receiver {
  readonly language: string;
  readonly file: string;
  readonly command: string;
  /** What must be here. */
  readonly needs?: ToolName;
}

const receivers: readonly Receiver[] = [
  { language: 'JavaScript', file: 'receiver.mjs', command: process.execPath },
  { language: 'Python', file: 'receiver.py', command: 'python3', needs: 'python' },
];

for (const receiver of receivers) {
  const title = `the receiver of the callback guide in ${receiver.language} (contract/plugins.md#callbacks)`;
  const { needs } = receiver;
  if (needs === undefined || isHere(needs)) describe(title, () => receiverTests(receiver));
  else describe.skip(`${title} (skipped: ${lackOf(needs)})`, () => receiverTests(receiver));
}

function receiverTests({ file, command }: Receiver): void {
  it('reads for the assistant, asks before it changes something, and says no in its own words', async () => {
    const url = await startReceiver(file, command);
    const server = await scriptedServer({
      callbacks: [{ name: 'erp', url, secret: callbackSecret }],
      scripts: [
        calling({ name: 'cancel_order', arguments: { orderNumber: 1001 } }),
        saying('Done.'),
        calling({ name: 'get_order', arguments: { orderNumber: 1001 } }),
        saying('Cancelled.'),
        calling({ name: 'get_order', arguments: { orderNumber: 9 } }),
        saying('Sorry.'),
      ],
    });
    const ask = () => openSse(`${server.url}/helper/chat`, { body: { message: 'go' } });

    const first = await ask();
    const { data } = await first.next('confirmation');
    expect(data).toMatchObject({ action: 'cancel_order', reason: 'write' });
    await fetch(`${server.url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    await first.next('end');

    await (await ask()).next('end');
    expect(JSON.stringify(server.model.requests.at(-1)?.body['messages'])).toMatch(/succeeded.*cancelled/);

    const failure = await (await ask()).next('failure');
    expect(failure.data).toMatchObject({ code: 'action_failed', message: 'There is no order 9.' });
  });

  it('answers a request that it has seen with the stored result, and does it once', async () => {
    const url = await startReceiver(file, command);
    const done = { result: { orderNumber: 1001, status: 'cancelled' } };
    expect(await (await send(url, 'call-1')).json()).toEqual(done);
    expect(await (await send(url, 'call-1')).json()).toEqual(done);
    expect(await (await send(url, 'call-2')).json()).toEqual({
      error: { message: 'Order 1001 is cancelled already.' },
    });
  });

  // proves extending-2-01
  it('accepts a request that another key has signed too, as it is while the secret is changed', async () => {
    const url = await startReceiver(file, command);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect((await send(url, 'call-1', {}, [other, callbackSecret])).status).toBe(200);
    expect((await send(url, 'call-2', {}, [callbackSecret, other])).status).toBe(200);
    expect((await send(url, 'call-3', {}, [other])).status).toBe(401);
  });

  it('refuses what is not signed, signed with another key, or old', async () => {
    const url = await startReceiver(file, command);
    const other = Buffer.alloc(32).toString('base64');
    const old = String(Math.floor(Date.now() / 1000) - 301);
    for (const changes of [
      { 'webhook-signature': '' },
      { 'webhook-signature': `v1,${other}` },
      { 'webhook-timestamp': old },
      { 'webhook-timestamp': 'soon' },
      { 'webhook-id': 'call-9' },
    ]) {
      expect((await send(url, 'call-1', changes)).status).toBe(401);
    }
    expect((await fetch(url)).status).toBe(401);
    expect((await send(url, 'call-1')).status).toBe(200);
  });

  it('answers an error to an action that it does not know, and does nothing', async () => {
    const url = await startReceiver(file, command);
    for (const action of ['ship_order', 'constructor']) {
      const answer = await sendOther(url, action);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { error: { message: `There is no action ${action}.` } },
      ]);
    }
    expect(await (await send(url, 'call-1')).json()).toMatchObject({ result: { status: 'cancelled' } });
  });

  it.each(['', 'whsec_'])('does not start when its secret is %j', async (secret) => {
    await expect(startReceiver(file, command, secret)).rejects.toThrow(`${file} ended without its address`);
  });
}
