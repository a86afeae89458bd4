import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { posting } from '../support/agui-agent.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { ended, said, spanNamed, tracedServer, type TracedServer } from '../support/traced-server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parent}-01`;

const findPart = {
  name: 'find_part',
  description: 'Finds a part.',
  parameters: { type: 'object', properties: { note: { type: 'string' } } },
  readOnly: true,
};

describe('a turn of other programs that is traced (contract/operations.md#traces)', () => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json', traceparent } };

  // proves wire-6-42
  it.each<readonly [string, (url: string) => Promise<Response>]>([
    [
      '/v1/chat/completions',
      (url) =>
        fetch(`${url}/v1/chat/completions`, {
          ...asked,
          body: JSON.stringify({ model: 'helper', messages: [{ role: 'user', content: 'Hi' }] }),
        }),
    ],
    ['/v1/responses', (url) => fetch(`${url}/v1/responses`, { ...asked, body: '{"model":"helper","input":"Hi"}' })],
    [
      '/agui',
      (url) => {
        const messages = [{ id: 'm1', role: 'user', content: 'Hi' }];
        const run = { threadId: 't1', runId: 'r1', state: {}, messages, tools: [], context: [], forwardedProps: {} };
        return posting(url, run, { traceparent });
      },
    ],
  ])('goes on in the trace of a request to %s, down to callbacks', async (_path, ask) => {
    const started = await tracedServer([calling({ name: 'find_part', arguments: {} }), saying('Found.')], {
      callbackActions: [findPart],
      endpoints: {
        openai: { enabled: true, requireAuthorization: false },
        agui: { enabled: true, requireAuthorization: false },
      },
    });
    const answer = await ask(started.url);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Found.') as string]);
    const spans = await ended(started);
    const root = spanNamed(spans, 'invoke_agent coordinator');
    expect([root.traceId, root.parentSpanId]).toEqual([traceId, parent]);
    const { spanId } = spanNamed(spans, 'execute_tool find_part');
    expect(started.callback.posts()[0]?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
  });
});

describe('a call over MCP that is traced (contract/operations.md#traces)', () => {
  const settings = { callbackActions: [findPart], mcpServerEnabled: true };

  async function called(
    { url }: TracedServer,
    headers: Readonly<Record<string, string>>,
    meta: Readonly<Record<string, unknown>> = {},
  ) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return client.callTool({ name: 'find_part', arguments: { note: said.argument }, _meta: meta });
  }

  // proves wire-6-98
  it.each([
    { where: 'the header of its request', headers: { traceparent }, meta: {} },
    { where: 'its _meta', headers: {}, meta: { traceparent } },
  ])('goes on in the trace that $where names, and so does the callback', async ({ headers, meta }) => {
    const started = await tracedServer([], settings);
    await called(started, headers, meta);
    const spans = await ended(started);
    expect(spans.map(({ name }) => name)).toEqual(['execute_tool find_part']);
    const span = spanNamed(spans, 'execute_tool find_part');
    expect([span.traceId, span.parentSpanId, span.kind, span.isError]).toEqual([traceId, parent, 2, false]);
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find_part',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String) as string,
      'helper.channel': 'mcp',
      'helper.action.status': 'succeeded',
    });
    expect(started.callback.posts()[0]?.headers['traceparent']).toBe(`00-${traceId}-${span.spanId}-01`);
    const line = started.server
      .printed()
      .split('\n')
      .find((text) => text.includes('a call without a turn'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: traceId, tool: 'find_part' });
  });

  // proves wire-6-98
  it('has a trace of its own without one, in which a failure is one', async () => {
    const started = await tracedServer([], settings);
    started.callback.answer = (response) => response.writeHead(500).end();
    expect((await called(started, {})).isError).toBe(true);
    const span = spanNamed(await ended(started), 'execute_tool find_part');
    expect([span.parentSpanId, span.isError]).toEqual(['', true]);
    expect(span.attributes).toMatchObject({ 'helper.action.status': 'failed', 'error.type': 'failed' });
    expect(JSON.stringify(started.otlp.requests)).not.toContain(said.argument);
  });

  // proves wire-6-98
  it('holds arguments, result and user where that is asked for', async () => {
    const started = await tracedServer([], { ...settings, observabilityIncludeSensitiveData: true });
    await called(started, {});
    const { attributes } = spanNamed(await ended(started), 'execute_tool find_part');
    expect(attributes).toMatchObject({
      'gen_ai.tool.call.arguments': JSON.stringify({ note: said.argument }),
      'gen_ai.tool.call.result': JSON.stringify({ said: said.result }),
      'user.id': expect.any(String) as string,
    });
  });
});
