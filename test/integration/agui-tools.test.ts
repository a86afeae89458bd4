import type { Message, Tool } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { AgUiAgent, customIn, eventsOf, posting, type Ran, typesIn } from '../support/agui-agent.ts';
import { calling, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `export default { name: 'none', actions: [
  { name: 'get_theme', description: 'Reads the theme.', readOnly: true, parameters: { type: 'object', properties: {} }, execute: () => 'dark' },
] };`;

const setTheme: Tool = {
  name: 'setTheme',
  description: 'Sets the colours of the page.',
  parameters: {
    type: 'object',
    properties: { theme: { type: 'string', enum: ['light', 'dark'] } },
    required: ['theme'],
  },
};
const readTheme: Tool = { ...setTheme, name: 'readTheme', parameters: undefined, metadata: { readOnly: true } };

async function page(scripts: readonly ModelScript[]) {
  const { url, model } = await scriptedServer({
    scripts,
    plugin,
    settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } } },
  });
  const token = await makeToken({ sub: 'ann' });
  return { url, model, token, agent: new AgUiAgent(url, { token }) };
}

const toolsSent = (model: { requests: readonly { body: Readonly<Record<string, unknown>> }[] }): readonly string[] => {
  const { tools = [] } = model.requests[0]?.body as { tools?: readonly { function: { name: string } }[] };
  return tools.map(({ function: { name } }) => name);
};

const lastSent = (model: { requests: readonly { body: Readonly<Record<string, unknown>> }[] }): string => {
  const { messages } = model.requests.at(-1)?.body as { messages: readonly { content: string }[] };
  return messages.at(-1)?.content ?? '';
};

const callIn = (ran: Ran): string => {
  const { pendingToolCallIds } = ran.outcome as { pendingToolCallIds?: readonly string[] };
  return pendingToolCallIds?.[0] ?? '';
};

const result = (toolCallId: string, content: string, error?: string): Message => {
  return { id: crypto.randomUUID(), role: 'tool', toolCallId, content, ...(error === undefined ? {} : { error }) };
};

describe('a tool of the client (contract/ag-ui.md#tools-of-the-client)', () => {
  // proves wire-6-82
  it('that only reads is run by the client between two runs', async () => {
    const { agent, model } = await page([calling({ name: 'page_read_theme', arguments: {} }), saying('It is dark.')]);
    const asked = await agent.ask('Which theme?', { tools: [readTheme] });
    expect(asked.error).toBeUndefined();
    expect(asked.events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_START', toolCallName: 'readTheme' }),
    );
    expect(asked.outcome).toEqual({ type: 'success', pendingToolCallIds: [callIn(asked)] });
    agent.addMessage(result(callIn(asked), '{"theme":"dark"}'));
    const ran = await agent.read({ tools: [readTheme] });
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('It is dark.');
    expect(typesIn(ran.events)).not.toContain('TOOL_CALL_RESULT');
    expect(lastSent(model)).toContain('{"theme":"dark"}');
  });

  // proves wire-6-82
  it('ends the run of a client of before 1.0 without an outcome, so that it goes on', async () => {
    const { url, token } = await page([calling({ name: 'page_read_theme', arguments: {} }), saying('It is dark.')]);
    const body = {
      ...{ threadId: 't1', runId: 'r1', state: {}, context: [], forwardedProps: {}, tools: [readTheme] },
      messages: [{ id: 'm1', role: 'user', content: 'Which theme?' }],
    };
    const events = await eventsOf(await posting(url, body, { authorization: `Bearer ${token}` }));
    expect(events.at(-1)).toEqual({ type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' });
    const call = events.find(({ type }) => type === 'TOOL_CALL_START');
    expect(events).toContainEqual({
      type: 'CUSTOM',
      name: 'tool-input-available',
      value: { toolCallId: call?.['toolCallId'], toolName: 'readTheme', input: {} },
    });
  });

  // proves service-11-40, service-11-41
  it('goes to the model as its provider takes it, and is called with the names that the client declares', async () => {
    const list: Tool = {
      ...readTheme,
      parameters: { type: 'object', properties: { 'filter[by]': { type: 'array' }, $top: { type: 'integer' } } },
    };
    const { agent, model } = await page([
      calling({ name: 'page_read_theme', arguments: { filter_by: ['a'], top: '2' } }),
      saying('Here.'),
    ]);
    const asked = await agent.ask('Which themes?', { tools: [list] });
    const told = asked.events.flatMap((event) =>
      'delta' in event && event.type === 'TOOL_CALL_ARGS' ? [String(event['delta'])] : [],
    );
    expect(JSON.parse(told.join(''))).toEqual({ 'filter[by]': ['a'], $top: 2 });
    expect(JSON.stringify(model.requests[0]?.body['tools'])).toContain('"filter_by":{"type":"array","items":{}}');
  });

  // proves wire-6-81
  it('that is not declared to read asks first, and is told to the client only after the approval', async () => {
    const { agent, model } = await page([
      calling({ name: 'page_set_theme', arguments: { theme: 'dark' } }),
      saying('It is dark now.'),
    ]);
    const asked = await agent.ask('Dark, please', { tools: [setTheme] });
    expect(typesIn(asked.events)).not.toContain('TOOL_CALL_START');
    expect(asked.interrupts).toHaveLength(1);
    expect(asked.interrupts[0]?.toolCallId).toBeUndefined();
    const approved = await agent.answer({ approved: true }, { tools: [setTheme] });
    expect(approved.events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_ARGS', delta: '{"theme":"dark"}' }),
    );
    agent.addMessage(result(callIn(approved), 'done'));
    const ran = await agent.read({ tools: [setTheme] });
    expect(ran.text).toBe('It is dark now.');
    expect(lastSent(model)).toContain('done');
  });

  // proves wire-6-82
  it('that has failed is told to the model', async () => {
    const { agent, model } = await page([calling({ name: 'page_read_theme', arguments: {} }), saying('It failed.')]);
    const asked = await agent.ask('Which theme?', { tools: [readTheme] });
    agent.addMessage(result(callIn(asked), '', 'no such theme'));
    expect((await agent.read({ tools: [readTheme] })).text).toBe('It failed.');
    expect(lastSent(model)).toContain('no such theme');
  });

  // proves wire-6-81
  it('never takes the name of an action of the server', async () => {
    const { agent, model } = await page([saying('Hello.')]);
    const ran = await agent.ask('Hello', { tools: [{ ...readTheme, name: 'get_theme' }] });
    expect(ran.text).toBe('Hello.');
    expect(toolsSent(model)).toEqual(expect.arrayContaining(['get_theme', 'page_get_theme']));
  });

  // proves wire-6-70
  it('is never told a call of the server under its own name', async () => {
    const { agent } = await page([calling({ name: 'get_theme', arguments: {} }), saying('It is dark.')]);
    const tools = ['get_theme', 'server_get_theme'].map((name) => ({ ...readTheme, name }));
    const ran = await agent.ask('Which theme?', { tools });
    expect(ran.events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_START', toolCallName: 'server_server_get_theme' }),
    );
    expect(customIn(ran.events, 'tool-input-available')).toBeUndefined();
  });

  // proves wire-6-81
  it('that no model can be given is told to the developer, and the others are offered', async () => {
    const { agent, model } = await page([saying('Hello.')]);
    const bad = {
      ...setTheme,
      name: 'patterns',
      parameters: { type: 'object', properties: { a: { pattern: '(a+)+$' } } },
    };
    const ran = await agent.ask('Hello', {
      tools: [bad, setTheme, { ...setTheme, name: 'set_theme' }, { ...setTheme, name: '1' }],
    });
    expect(ran.error).toBeUndefined();
    expect(customIn(ran.events, 'LeftOut')).toEqual([
      { tool: 'patterns', reason: expect.stringContaining('pattern') as unknown },
      { tool: 'set_theme', reason: 'Another tool has this name.' },
      { tool: '1', reason: expect.stringContaining('name') as unknown },
    ]);
    expect(toolsSent(model).filter((name) => name.startsWith('page_'))).toEqual(['page_set_theme']);
  });

  // proves wire-6-83
  it('has its result from nobody but its own client, and only for a call that waits', async () => {
    const { url, agent, model, token } = await page([
      calling({ name: 'page_read_theme', arguments: {} }),
      saying('It is dark.'),
    ]);
    const asked = await agent.ask('Which theme?', { tools: [readTheme] });
    const posted = async (toolCallId: string, user: string): Promise<number> => {
      const messages = [
        { id: '1', role: 'user', content: 'Which theme?' },
        { id: '2', role: 'tool', toolCallId, content: 'forged' },
      ];
      const authorization = `Bearer ${user === 'ann' ? token : await makeToken({ sub: user })}`;
      const { status } = await posting(url, { threadId: 'x', runId: 'r', messages }, { authorization });
      return status;
    };
    expect(await posted(callIn(asked), 'bob')).toBe(403);
    expect(await posted('unknown', 'ann')).toBe(404);
    agent.addMessage(result(callIn(asked), 'dark'));
    expect((await agent.read({ tools: [readTheme] })).text).toBe('It is dark.');
    expect(lastSent(model)).not.toContain('forged');
    expect(await posted(callIn(asked), 'ann')).toBe(404);
    expect(model.requests).toHaveLength(2);
  });

  it('takes no run away from its reader by a result of a call that nobody waits for', async () => {
    const { url, agent, model, token } = await page([hangingAfter('One')]);
    const running = agent.ask('Count');
    await model.request(0);
    const messages = [
      { id: '1', role: 'user', content: 'Count' },
      { id: '2', role: 'tool', toolCallId: 'unknown', content: 'forged' },
    ];
    const body = { threadId: agent.threadId, runId: 'r', messages };
    expect((await posting(url, body, { authorization: `Bearer ${token}` })).status).toBe(404);
    agent.abortRun();
    expect((await running).error).not.toContain('taken this one over');
  });

  // proves wire-6-81
  it('is not run when the client offers it no more', async () => {
    const { agent, model } = await page([
      calling({ name: 'page_set_theme', arguments: { theme: 'dark' } }),
      saying('It is gone.'),
    ]);
    await agent.ask('Dark, please', { tools: [setTheme] });
    const ran = await agent.answer({ approved: true }, { tools: [] });
    expect(ran.text).toBe('It is gone.');
    expect(typesIn(ran.events)).not.toContain('TOOL_CALL_START');
    expect(lastSent(model)).toContain('not there any more');
  });
});
