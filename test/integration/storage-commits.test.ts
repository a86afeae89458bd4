import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFaultyDisk } from '../support/faulty-disk/faulty-disk.ts';
import { startServerProcess } from '../support/server-process.ts';
import { chunk, ending, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { hasCompiler } from '../support/faults/failing-disk.ts';
import { openSse } from '../support/sse-client.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Milliseconds of one sync. All other times are negligible beside it. */
const syncMs = 1000;
/** Milliseconds that the model takes. The numbers for the events of its reply are reserved in this time. */
const modelMs = 1400;

/** Asks for a cancelled order, then says that it is done. */
const cancelsAnOrder: ModelScript = async (exchange) => {
  const messages = exchange.request.body['messages'] as readonly { readonly role: string }[]; // OpenAI's protocol has this shape
  if (messages.at(-1)?.role === 'tool') {
    await sleep(modelMs);
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

/** How many times the disk is waited for from the message to the end. */
async function waits(url: string): Promise<{ readonly status: unknown; readonly waits: number }> {
  const began = performance.now();
  const turn = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1043.' } });
  const question = await turn.next('confirmation');
  const approval = await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId: question.data?.['actionId'], approved: true }),
  });
  expect(approval.status).toBe(200);
  const { data } = await turn.next('end');
  return { status: data?.['status'], waits: Math.floor((performance.now() - began - modelMs) / syncMs) };
}

describe('a confirmed turn on the disk (contract/restarts.md#storage-that-fails: each step is durable before the next)', () => {
  it.skipIf(!hasCompiler())(
    'waits for it four times: for its question, the answer, the outcome and its end',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'helper-commits-'));
      const model = await startScriptedModel({ otherwise: cancelsAnOrder });
      onTestFinished(async () => {
        await model.close();
        rmSync(folder, { recursive: true, force: true });
      });
      const disk = makeFaultyDisk(folder);
      const environment = disk?.environment ?? {};
      const config = configuration(folder, model.url);
      const url = await startServerProcess({ folder: join(folder, 'data'), config, environment }).url;
      await waits(url);
      disk?.become(`slow ${syncMs}`);
      expect(await waits(url)).toEqual({ status: 'completed', waits: 4 });
    },
  );
});
