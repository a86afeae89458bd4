import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFaultyDisk } from '../support/faulty-disk/faulty-disk.ts';
import { startServerProcess } from '../support/server-process.ts';
import { chunk, ending, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { isHere } from '../support/tools-here.ts';

/** Asks for a cancelled order. Says that it is done once `isReserved` is true: by then the numbers for the events of its reply are reserved. */
const cancelsAnOrder =
  (isReserved: () => boolean): ModelScript =>
  async (exchange) => {
    const messages = exchange.request.body['messages'] as readonly { readonly role: string }[]; // OpenAI's protocol has this shape
    if (messages.at(-1)?.role === 'tool') {
      await vi.waitUntil(isReserved);
      await saying('Done.')(exchange);
      return;
    }
    const call = {
      index: 0,
      id: 'c',
      type: 'function',
      function: { name: 'cancel_order', arguments: '{"orderNumber":1002}' },
    };
    await exchange.send(chunk({ role: 'assistant', tool_calls: [call] }) + ending('tool_calls'));
    exchange.end();
  };

function configuration(folder: string, baseUrl: string): string {
  const file = join(folder, 'helper.yaml');
  const plugins = join(import.meta.dirname, '../../plugins');
  const lines = [
    'appName: Waits',
    `models: { main: { provider: openai, baseUrl: "${baseUrl}", model: m, apiKey: none } }`,
    'chatClient: main',
    `actions: { plugins: ["${plugins}"] }`,
  ];
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** Plays a turn from its message to its end. Gives how it ended. */
async function confirmedTurn(url: string): Promise<unknown> {
  const turn = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1043.' } });
  const question = await turn.next('confirmation');
  const approval = await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId: question.data?.['actionId'], approved: true }),
  });
  expect(approval.status).toBe(200);
  const { data } = await turn.next('end');
  return data?.['status'];
}

describe('a confirmed turn on the disk (contract/restarts.md#storage-that-fails: each step is durable before the next)', () => {
  it.skipIf(!isHere('compiler'))(
    'waits for it four times: for its question, the answer, the outcome and its end',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'helper-commits-'));
      const disk = makeFaultyDisk(folder);
      const syncs = (): number => disk?.syncs() ?? 0;
      let isCounted = false;
      const isReserved = (): boolean => !isCounted || syncs() === 4;
      const model = await startScriptedModel({ otherwise: cancelsAnOrder(isReserved) });
      onTestFinished(async () => {
        await model.close();
        rmSync(folder, { recursive: true, force: true });
      });
      const environment = disk?.environment ?? {};
      const config = configuration(folder, model.url);
      const url = await startServerProcess({ folder: join(folder, 'data'), config, environment }).url;
      await confirmedTurn(url);
      disk?.become('counted');
      isCounted = true;
      expect(await confirmedTurn(url)).toBe('completed');
      // That of the numbers is made while the model replies, and nothing waits for it.
      expect(syncs()).toBe(4 + 1);
    },
  );
});
