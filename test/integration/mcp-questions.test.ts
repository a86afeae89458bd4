import { describe, expect, it } from 'vitest';
import { allOf } from '../support/in-process-helper.ts';
import { mcpHelper, statusesIn } from '../support/mcp/mcp-helper.ts';
import { type AskingServer, startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';

const ordering = (who: string) => calling({ name: 'order_shirt', arguments: { who } });

/** A tool that asks in this way once it may. */
function shirts(ask: (server: AskingServer, message: string) => Promise<unknown>) {
  const mayAsk = Promise.withResolvers<undefined>();
  const answers: unknown[] = [];
  const tool: TestTool = {
    name: 'order_shirt',
    inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    run: async ({ who }, server) => {
      await mayAsk.promise;
      answers.push(await ask(server, `Which size for ${String(who)}?`));
      return `no shirt for ${String(who)}`;
    },
  };
  return { tool, answers, ask: () => mayAsk.resolve(undefined) };
}

/** Two users whose calls are under way at the same time, on the connection that all share. */
async function twoCalls(asking: ReturnType<typeof shirts>) {
  const mcp = await startMcpServer('old', [asking.tool]);
  // A question without a call comes on a stream of its own.
  const opened = await mcpHelper([{ name: 'shop', serverUrl: mcp.url }], [ordering('ann')]);
  await expect.poll(() => mcp.of('GET').length).toBe(1);
  const { helper, session, model } = opened;
  const ann = allOf(session.send('a shirt'));
  await expect.poll(() => mcp.of('tools/call').length).toBe(1);
  model.script(ordering('bob'));
  const bob = allOf((await helper.session()).send('a shirt'));
  await expect.poll(() => mcp.of('tools/call').length).toBe(2);
  model.script(saying('Said.'), saying('Said.'));
  /** What the models were told after the calls of these users. */
  const toldAfter = (who: string): readonly string[] =>
    model.requests
      .map(({ body }) => JSON.stringify(body['messages']))
      .filter((messages) => messages.includes(`no shirt for ${who}`));
  return { session, ann, bob, toldAfter };
}

describe('what an MCP server of the older era wants to ask (contract/mcp-servers.md#protocol)', () => {
  // proves service-2.16-14
  it('reaches the turn whose call it came with, while other users have calls under way', async () => {
    const asking = shirts((server, message) => server.askOnStream(message));
    const { ann, bob, toldAfter } = await twoCalls(asking);
    asking.ask();
    expect([await ann, await bob].map(statusesIn)).toEqual([['order_shirt succeeded'], ['order_shirt succeeded']]);
    expect(asking.answers).toEqual([{ action: 'decline' }, { action: 'decline' }]);
    for (const [who, other] of [
      ['ann', 'bob'],
      ['bob', 'ann'],
    ] as const) {
      expect(toldAfter(who)).toEqual([expect.stringContaining(`Which size for ${who}?`)]);
      expect(toldAfter(who)[0]).not.toContain(`for ${other}`);
    }
  });

  // proves service-2.16-14
  it('reaches no turn where several calls are under way and nothing says which it belongs to', async () => {
    const asking = shirts((server, message) => server.ask(message));
    const { ann, bob, toldAfter } = await twoCalls(asking);
    asking.ask();
    expect([await ann, await bob].map(statusesIn)).toEqual([['order_shirt succeeded'], ['order_shirt succeeded']]);
    expect(asking.answers).toEqual([{ action: 'decline' }, { action: 'decline' }]);
    for (const who of ['ann', 'bob']) expect(toldAfter(who)).toEqual([expect.not.stringContaining('Which size')]);
  });

  // proves service-2.16-14
  it('reaches no other user once the call that it belongs to was stopped', async () => {
    const asking = shirts((server, message) => server.ask(message));
    const { session, ann, bob, toldAfter } = await twoCalls(asking);
    await session.stop();
    expect(statusesIn(await ann)).toEqual(['order_shirt unknown']);
    asking.ask();
    expect(statusesIn(await bob)).toEqual(['order_shirt succeeded']);
    expect(toldAfter('bob')).toEqual([expect.not.stringContaining('Which size')]);
  });
});
