import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { eventsIn, textIn, typesIn, type WireEvent } from '../support/agui-agent.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { isHere, peers } from '../support/tools-here.ts';

const plugin = `
export const paid = (globalThis.copilotPaid ??= []);
export default { name: 'bank', actions: [
  { name: 'get_balance', description: 'Reads the balance.', readOnly: true, parameters: { type: 'object', properties: {} }, execute: () => 7 },
  { name: 'pay', title: 'Pay an amount', description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } } }, execute: ({ amount }) => { paid.push(amount); } },
] };`;

/** What was paid in this process. The plugin is loaded into it. */
const paid = ((globalThis as { copilotPaid?: number[] }).copilotPaid ??= []);

interface Runtime {
  readonly createCopilotRuntimeHandler: (options: object) => (request: Request) => Promise<Response>;
  readonly CopilotRuntime: new (options: object) => object;
}

interface Agents {
  readonly HttpAgent: new (options: { url: string }) => object;
}

/** The runtime as its own documentation makes it, with this server as its agent. Resolves with a way to run it. */
async function runtimeOf(scripts: readonly ModelScript[]) {
  vi.stubEnv('COPILOTKIT_TELEMETRY_DISABLED', 'true');
  paid.length = 0;
  const { url, model } = await scriptedServer({
    scripts,
    plugin,
    settings: { endpoints: { agui: { enabled: true, requireAuthorization: false } } },
  });
  const { resolve } = createRequire(join(peers, 'package.json'));
  const runtimeAt = resolve('@copilotkit/runtime/v2');
  const load = (file: string): Promise<unknown> => import(pathToFileURL(file).href);
  const { CopilotRuntime, createCopilotRuntimeHandler } = (await load(runtimeAt)) as Runtime; // its own types
  const { HttpAgent } = (await load(createRequire(runtimeAt).resolve('@ag-ui/client'))) as Agents; // likewise
  const agents = { helper: new HttpAgent({ url: `${url}/agui` }) };
  const handle = createCopilotRuntimeHandler({ runtime: new CopilotRuntime({ agents }), basePath: '/copilotkit' });
  const threadId = crypto.randomUUID();
  const run = async (messages: readonly object[], more: object = {}): Promise<readonly WireEvent[]> => {
    const ids = { threadId, runId: crypto.randomUUID() };
    const body = { ...ids, state: {}, tools: [], context: [], forwardedProps: {}, messages, ...more };
    const request = new Request('http://localhost/copilotkit/agent/helper/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    });
    const response = await handle(request);
    expect(response.status).toBe(200);
    return eventsIn(await response.text());
  };
  return { run, model };
}

const said = (content: string): object => ({ id: crypto.randomUUID(), role: 'user', content });

const questionIn = (events: readonly WireEvent[]): { readonly id: string; readonly message: string } => {
  const { interrupts } = events.at(-1)?.['outcome'] as { interrupts: { id: string; message: string }[] };
  return interrupts[0] ?? { id: '', message: '' };
};

describe.skipIf(!isHere('copilotKit'))(
  'CopilotKit’s runtime as a client (contract/ag-ui.md; needs npm ci in test/bench/peers)',
  () => {
    it('reads a reply with a call', async () => {
      const { run } = await runtimeOf([calling({ name: 'get_balance', arguments: {} }), saying('It is 7.')]);
      const events = await run([said('My balance?')]);
      expect(textIn(events)).toBe('It is 7.');
      expect(typesIn(events)).toEqual(expect.arrayContaining(['TOOL_CALL_START', 'TOOL_CALL_RESULT', 'RUN_FINISHED']));
    });

    it('reads why a message is refused', async () => {
      const { run } = await runtimeOf([]);
      expect((await run([said('x'.repeat(30_000))])).at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'message_too_long',
      });
    });

    it.each([
      [true, 'Paid.', [5]],
      [false, 'Then not.', []],
    ] as const)('answers a question: approved is %s', async (approved, reply, done) => {
      const { run } = await runtimeOf([calling({ name: 'pay', arguments: { amount: 5 } }), saying(reply)]);
      const asked = questionIn(await run([said('Pay 5')]));
      expect(asked.message).toBe('Pay an amount: Pays an amount.');
      expect(paid).toEqual([]);
      const resume = [{ interruptId: asked.id, status: 'resolved', payload: { approved } }];
      expect(textIn(await run([], { resume }))).toBe(reply);
      expect(paid).toEqual(done);
    });

    it('runs a tool of its own', async () => {
      const { run, model } = await runtimeOf([calling({ name: 'page_read_theme', arguments: {} }), saying('Dark.')]);
      const tools = [
        {
          name: 'readTheme',
          description: 'The theme.',
          parameters: { type: 'object', additionalProperties: true },
          metadata: { readOnly: true },
        },
      ];
      const question = said('Which theme?');
      const events = await run([question], { tools });
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
      const toolCallId = events.find(({ type }) => type === 'TOOL_CALL_START')?.['toolCallId'];
      const result = { id: crypto.randomUUID(), role: 'tool', toolCallId, content: '"dark"' };
      const called = {
        id: 'a',
        role: 'assistant',
        toolCalls: [{ id: toolCallId, type: 'function', function: { name: 'readTheme', arguments: '{}' } }],
      };
      expect(textIn(await run([question, called, result], { tools }))).toBe('Dark.');
      expect(model.requests).toHaveLength(2);
    });
  },
);
