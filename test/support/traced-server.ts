import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { callbackSecret, type CallbackReceiver, json, startCallback } from './callback-receiver.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';
import { calling, type ModelScript, saying, type ScriptedModel } from './scripted-model.ts';
import { scriptedConfiguration } from './scripted-server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { openSse, type SseConversation } from './sse-client.ts';

const parameters = { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } };
const cancelOrder = { name: 'cancel_order', title: 'Cancel', description: 'Cancels an order.', parameters };

/** Words for the message, the arguments, the result and the reply of a turn. They occur nowhere else. */
export const said = { message: 'walnut', argument: 'zucchini', result: 'marmalade', reply: 'tapioca' } as const;

/** Scripts of a model that calls an action with a question, and then replies. */
export const confirmed: readonly ModelScript[] = [
  calling({ name: 'cancel_order', arguments: { id: 7, note: said.argument } }),
  saying(`It is ${said.reply}.`),
];

/** A real server process with a model, a callback and a receiver of OTLP in this process. */
export interface TracedServer {
  readonly otlp: OtlpReceiver;
  readonly callback: CallbackReceiver;
  readonly model: ScriptedModel;
  readonly server: ServerProcess;
  readonly url: string;
  /** Writes the configuration file with these settings in place of the original ones. */
  readonly write: (changes: Readonly<Record<string, unknown>>) => void;
  /** Starts the server once more with the same configuration file and storage. */
  readonly again: () => ServerProcess;
}

type TracedSettings = Readonly<Record<string, unknown>> & {
  readonly models?: object;
  readonly callbackActions?: readonly object[];
};

/**
 * Starts a server with `enableObservability`, unless the settings change that. The `models` of the settings are added to the model that
 * plays the scripts. The callback has the `callbackActions`. Everything ends with the test.
 */
export async function tracedServer(
  scripts: readonly ModelScript[],
  { models = {}, callbackActions = [cancelOrder], ...settings }: TracedSettings = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<TracedServer> {
  const otlp = await startOtlpReceiver();
  const callback = await startCallback({ version: 1, actions: callbackActions });
  callback.answer = json({ result: { said: said.result } });
  const { configuration, model } = await scriptedConfiguration({
    scripts,
    models,
    callbacks: [{ name: 'erp', url: callback.url, secret: callbackSecret }],
    settings: {
      enableObservability: true,
      telemetry: { otlpEndpoint: otlp.url, headers: { 'x-api-key': 'of-the-receiver' } },
      ...settings,
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'helper-telemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'helper.yaml');
  const write: TracedServer['write'] = (changes) => {
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ ...configuration, ...changes }));
  };
  write({});
  const again = (): ServerProcess => startServerProcess({ folder: join(folder, 'data'), config, environment });
  const server = again();
  return { otlp, callback, model, server, url: await server.url, write, again };
}

/** Sends the message over server-sent events. */
export function chat(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SseConversation> {
  return openSse(`${url}/helper/chat`, { body: { message: `please, ${said.message}` }, headers });
}

/** Answers the question of a turn, and waits for the turn's end. */
export async function answer(url: string, turn: SseConversation, approved: boolean): Promise<void> {
  const asked = await turn.next('confirmation');
  await sendAnswer(url, asked.data?.['actionId'], approved);
  await turn.next('end');
}

export async function sendAnswer(url: string, actionId: unknown, approved: boolean): Promise<void> {
  await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved }),
  });
}

/** Ends the server. The server then sends the telemetry that it still holds. */
export async function ended({ server, otlp }: Pick<TracedServer, 'server' | 'otlp'>): Promise<readonly ReceivedSpan[]> {
  expect(await server.kill('SIGTERM')).toBe(0);
  return otlp.spans();
}

/** The first span of that name. @throws Error when there is none */
export function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`there is no span ${name}: ${spans.map((span) => span.name).join(', ')}`);
  return found;
}
