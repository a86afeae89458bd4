import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import { callbackSecret, json, silent, startCallback } from '../support/callback-receiver.ts';
import { calling, startScriptedModel } from '../support/scripted-model.ts';
import { builtServer, processEnvironment } from '../support/process-environment.ts';
import { openSse } from '../support/sse-client.ts';

const root = join(import.meta.dirname, '..', '..');

/** A folder that outlives the servers of a test. */
function keptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-native-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A server process on a folder that outlives it. Resolves once it listens. */
async function startServer(
  folder: string,
  { config = join(root, 'config/helper.yaml'), hitlMode = 'Native' } = {},
): Promise<{ readonly url: string; readonly end: (signal: NodeJS.Signals) => Promise<number | null> }> {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [builtServer, 'start', '--config', config],
    {
      cwd: folder,
      env: {
        ...processEnvironment,
        HELPER__SERVER__PORT: '0',
        HELPER__HITLMODE: hitlMode,
        HELPER__STORAGE__PATH: folder,
        HELPER__LOGGING__FORMAT: 'json',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exit;
  });
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      printed += text;
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (match !== null) resolve(match[0]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', () => {
      reject(new Error(`the server ended: ${printed}`));
    });
  });
  return {
    url,
    end: async (signal) => {
      child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
}

const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('a Native confirmation between two processes (contract/restarts.md#stopping)', () => {
  // proves wire-5-41
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'is approved after %s: the action runs once, and its events are read with Last-Event-ID',
    async (signal) => {
      const folder = keptFolder();
      const first = await startServer(folder);
      const asked = await openSse(`${first.url}/helper/chat`, {
        method: 'POST',
        body: { message: 'cancel order 1002' },
      });
      const { id = '', data = {} } = await asked.next('confirmation');
      expect(await first.end(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
      await asked.closed;
      expect(asked.frames.map(({ event }) => event)).not.toContain('end');

      const second = await startServer(folder);
      const answer = await post(second.url, '/helper/approve', { actionId: data['actionId'], approved: true });
      expect(answer.status).toBe(200);
      const resumed = await openSse(`${second.url}/helper/chat`, { headers: { 'last-event-id': id } });
      expect((await resumed.next('end')).data).toMatchObject({ turnId: data['turnId'], status: 'completed' });
      const again = await post(second.url, '/helper/approve', { actionId: data['actionId'], approved: true });
      expect(again.status).toBe(404);
      await second.end('SIGTERM');
    },
  );
});

describe('a callback that runs when the server is killed (contract/restarts.md)', () => {
  // proves wire-5-24
  it.each(['Native', 'Blocking'] as const)(
    'is asked once more after the restart, with the same webhook-id and body (%s)',
    async (hitlMode) => {
      const folder = keptFolder();
      const receiver = await startCallback({
        version: 1,
        actions: [
          {
            name: 'cancel_order',
            description: 'Cancels an order.',
            parameters: { type: 'object', additionalProperties: true },
          },
        ],
      });
      receiver.answer = silent;
      const model = await startScriptedModel({ scripts: [calling({ name: 'cancel_order', arguments: { id: 7 } })] });
      onTestFinished(() => model.close());
      const config = join(folder, 'helper.yaml');
      const settings = {
        appName: 'Test',
        chatClient: 'main',
        models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
        actions: { plugins: [], callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }] },
      };
      // JSON is YAML.
      writeFileSync(config, JSON.stringify(settings));
      const first = await startServer(folder, { config, hitlMode });
      const asked = await openSse(`${first.url}/helper/chat`, { method: 'POST', body: { message: 'cancel order 7' } });
      const { id = '', data = {} } = await asked.next('confirmation');
      const actionId = String(data['actionId']);
      await post(first.url, '/helper/approve', { actionId, approved: true });
      await expect.poll(() => receiver.posts().length).toBe(1);
      await first.end('SIGKILL');
      await asked.closed;

      receiver.answer = json({ result: 'cancelled' });
      const second = await startServer(folder, { config, hitlMode });
      await expect.poll(() => receiver.posts().length).toBe(2);
      if (hitlMode === 'Native') {
        const resumed = await openSse(`${second.url}/helper/chat`, { headers: { 'last-event-id': id } });
        expect((await resumed.next('end')).data).toMatchObject({ turnId: data['turnId'], status: 'completed' });
        expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('[succeeded]');
      }
      await second.end('SIGTERM');
      const [before, after] = receiver.posts();
      expect(after?.raw).toBe(before?.raw);
      expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
      expect(before?.body).toMatchObject({ id: before?.headers['webhook-id'], arguments: { id: 7 }, channel: 'sse' });
      const { journal } = await openStores({ type: 'embedded', path: folder });
      expect(await journal.find(actionId)).toMatchObject({ state: 'done', outcome: 'succeeded', retries: 1 });
      await journal.close();
    },
  );
});
