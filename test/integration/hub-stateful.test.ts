import { describe, expect, it, onTestFinished } from 'vitest';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient, type HubRecord } from '../support/hub-raw-client.ts';
import { hubRoutes, scenarioClient } from '../support/hub-scenario-client.ts';
import { hubServer } from '../support/hub-server.ts';
import { realServer } from '../support/real-server.ts';
import { StatefulClient } from '../support/hub-stateful-client.ts';

const routes = hubRoutes
  .filter(({ transport }) => transport === 'WebSockets')
  .map((route) => [`client ${String(route.release)} with ${route.protocol}`, route] as const);

const eventNames = [
  'Connected',
  'TurnStarted',
  'TextDelta',
  'ActionExecuting',
  'ActionCompleted',
  'ConfirmationRequested',
  'ConfirmationResolved',
  'TurnCompleted',
];

interface ShownEvent {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A model that waits after each of these texts until the test lets it continue. */
function haltingModel(...texts: readonly string[]) {
  const gates = texts.map(() => Promise.withResolvers<undefined>());
  onTestFinished(() => {
    for (const gate of gates) gate.resolve(undefined);
  });
  const model = fakeModel(
    ...texts.map((text, index) => ({
      text,
      until: gates[index]?.promise ?? Promise.resolve(),
      ...(index < texts.length - 1 && { toolCalls: [call('look_up', {}, `call_${String(index)}`)] }),
    })),
  );
  return { model, goOn: (index: number) => gates[index]?.resolve(undefined) };
}

const lookUp = (): ReturnType<typeof fakeTool> => fakeTool({ name: 'look_up', readOnly: true });

/** The product behind a line that can be cut, and an official client with stateful reconnect. */
async function cuttable(route: (typeof hubRoutes)[number], options: Parameters<typeof hubServer>[0]) {
  const server = await hubServer({ disconnectGraceMs: 10_000, ...options });
  const proxy = await cuttingProxy(server.origin);
  const events: ShownEvent[] = [];
  const told: string[] = [];
  const client = await scenarioClient(`${proxy.url}/helper-hub`, route, {
    stateful: true,
    reconnects: true,
    prepare: (connection) => {
      for (const name of eventNames) {
        connection.on(name, (fields: ShownEvent['fields']) => events.push({ name, fields }));
      }
      connection.onreconnecting(() => told.push('reconnecting'));
    },
  });
  const shown = async (name: string): Promise<ShownEvent['fields']> => {
    await expect.poll(() => events.some((event) => event.name === name)).toBe(true);
    return events.findLast((event) => event.name === name)?.fields ?? {};
  };
  const cut = async (): Promise<void> => {
    const connections = proxy.connections();
    const heard = client.heard();
    proxy.cut();
    await expect.poll(() => proxy.connections()).toBe(connections + 1);
    await expect.poll(client.heard).toBeGreaterThan(heard);
  };
  const approve = (actionId: unknown): Promise<Response> =>
    fetch(`${server.origin}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: true }),
    });
  return { ...server, ...client, events, told, shown, cut, approve, proxy };
}

function seqs(events: readonly ShownEvent[]): readonly unknown[] {
  return events.slice(1).map(({ fields }) => fields['seq']);
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_entry, index) => index + 1);
}

describe.each(routes)('%s: a turn over a line that is cut (contract/hub.md#when-the-line-breaks)', (_title, route) => {
  // proves wire-3-49
  it('goes on with nothing lost and nothing twice, however often the line is cut', async () => {
    const { model, goOn } = haltingModel('One ', 'two ', 'three.');
    const { connection, events, told, faults, cut, metrics } = await cuttable(route, { model, toolList: [lookUp()] });
    const result = connection.invoke<unknown>('SendMessage', 'count');
    for (const index of [0, 1, 2]) {
      await expect.poll(() => model.requests).toHaveLength(index + 1);
      await cut();
      goOn(index);
    }
    expect(await result).toMatchObject({ status: 'completed' });
    const deltas = events.filter(({ name }) => name === 'TextDelta');
    expect(deltas.map(({ fields }) => String(fields['text']).trim())).toEqual(['One', 'two', 'three.']);
    expect([events[0]?.name, events.at(-1)?.name]).toEqual(['Connected', 'TurnCompleted']);
    expect(seqs(events)).toEqual(upTo(events.length - 1));
    expect([told, faults()]).toEqual([[], []]);
    const returned = metrics.counted.filter(({ what }) => what === 'connectionReturned').map(({ value }) => value);
    expect(returned).toEqual([0, 1, 2].map(() => ['hub', 'line']));
  });

  // proves wire-3-49
  it('asks a question once, which keeps its actionId and is answered once', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 7 })] }, { text: 'Closed.' });
    const { connection, events, faults, shown, cut, approve } = await cuttable(route, { model, toolList: [tool] });
    const result = connection.invoke<unknown>('SendMessage', 'close case 7');
    const { actionId } = await shown('ConfirmationRequested');
    await cut();
    await cut();
    expect(await (await approve(actionId)).json()).toEqual({ actionId, outcome: 'approved' });
    expect((await approve(actionId)).status).toBe(404);
    expect(await result).toMatchObject({ status: 'completed', text: 'Closed.' });
    expect(tool.runs).toEqual([{ caseId: 7 }]);
    expect(events.filter(({ name }) => name === 'ConfirmationRequested')).toHaveLength(1);
    expect(seqs(events)).toEqual(upTo(events.length - 1));
    expect(faults()).toEqual([]);
  });

  it('is told of an answer that was given while the line was down', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 7 })] }, { text: 'Closed.' });
    const { connection, events, faults, shown, proxy, approve } = await cuttable(route, { model, toolList: [tool] });
    const result = connection.invoke<unknown>('SendMessage', 'close case 7');
    const { actionId } = await shown('ConfirmationRequested');
    proxy.cut();
    expect((await approve(actionId)).status).toBe(200);
    expect(await result).toMatchObject({ status: 'completed', text: 'Closed.' });
    expect(await shown('ConfirmationResolved')).toMatchObject({ actionId, outcome: 'approved' });
    expect(tool.runs).toEqual([{ caseId: 7 }]);
    expect(seqs(events)).toEqual(upTo(events.length - 1));
    expect(faults()).toEqual([]);
  });

  // proves wire-3-49
  it('streams on where it was, and stops when the stream is cancelled', async () => {
    const { model, goOn } = haltingModel('One ', 'two.');
    const { connection, events, faults, cut } = await cuttable(route, { model, toolList: [lookUp()] });
    const items: Record<string, unknown>[] = [];
    let completed = 0;
    const subscription = connection.stream<Record<string, unknown>>('StreamMessage', 'count').subscribe({
      next: (item) => items.push(item),
      complete: () => (completed += 1),
      error: () => undefined,
    });
    await expect.poll(() => model.requests).toHaveLength(1);
    await cut();
    goOn(0);
    await expect.poll(() => items.filter((item) => item['event'] === 'TextDelta')).toHaveLength(2);
    await cut();
    subscription.dispose();
    // The running turn has ended, so the next turn need not wait for it.
    await expect.poll(() => connection.invoke('NewConversation')).toHaveProperty('conversationId');
    expect(items.map((item) => item['seq'])).toEqual(upTo(items.length));
    expect(events.map(({ name }) => name)).toEqual(['Connected']);
    expect([completed, faults()]).toEqual([0, []]);
  });

  it('keeps the conversation for the next message', async () => {
    const model = fakeModel({ text: 'Hello.' }, { text: 'Again.' });
    const { connection, shown, cut } = await cuttable(route, { model });
    await connection.invoke('SendMessage', 'one');
    const { conversationId } = await shown('TurnStarted');
    await cut();
    await connection.invoke('SendMessage', 'two');
    expect(await shown('TurnStarted')).toMatchObject({ conversationId });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toContain('assistant');
  });
});

describe('a turn whose client does not come back to its connection (contract/hub.md#when-the-line-breaks)', () => {
  const events = (client: RawHubClient): readonly HubRecord[] =>
    client.records.filter(({ type, target }) => type === 1 && target !== 'Connected');

  // proves wire-3-50
  it('is stopped when the time for that is over, and not after that time once more', async () => {
    const { model } = haltingModel('Half');
    const server = await hubServer({ model, disconnectGraceMs: 60_000 }, { timings: { reconnectMs: 40 } });
    const client = await StatefulClient.connect(server.url, { events: true });
    client.first.call('SendMessage', '1', 'hello');
    const { turnId } = await client.first.event('TextDelta');
    client.first.socket.terminate();
    const other = await RawHubClient.connect(server.url);
    const ended = async (): Promise<unknown> => {
      other.call('Resume', 'resume', { turnId, afterSeq: 0 });
      return other.event('TurnCompleted');
    };
    await expect.poll(() => client.status()).toBe(404);
    expect(await ended()).toMatchObject({ turnId, status: 'stopped' });
  });

  // proves wire-3-50
  it('is not waited for with a grace of 0', async () => {
    const { model } = haltingModel('Half');
    const { url } = await hubServer({ model, disconnectGraceMs: 0 });
    const negotiated = await fetch(`${url}/negotiate?negotiateVersion=1&useStatefulReconnect=true`, { method: 'POST' });
    expect(await negotiated.json()).not.toHaveProperty('useStatefulReconnect');
    const client = await StatefulClient.connect(url, { events: true });
    client.first.socket.terminate();
    await expect.poll(() => client.status()).toBe(404);
  });

  it.each([
    ['5s', true],
    ['0', undefined],
  ])('is offered as server.disconnectGrace says: %s', async (grace, offered) => {
    const { url } = await realServer({ HELPER__SERVER__DISCONNECTGRACE: grace });
    const query = 'negotiateVersion=1&useStatefulReconnect=true';
    const response = await fetch(`${url}/helper-hub/negotiate?${query}`, { method: 'POST' });
    const { useStatefulReconnect } = (await response.json()) as HubRecord;
    expect(useStatefulReconnect).toBe(offered);
  });

  it('goes on for whoever resumes it meanwhile, and comes to nobody twice', async () => {
    const { model, goOn } = haltingModel('Half', ' and half.');
    const server = await hubServer({ model, toolList: [lookUp()], disconnectGraceMs: 10_000 });
    const away = await StatefulClient.connect(server.url, { events: true });
    away.first.call('SendMessage', '1', 'hello');
    const { turnId } = await away.first.event('TextDelta');
    away.first.socket.terminate();
    const other = await RawHubClient.connect(server.url);
    other.call('Resume', '1', { turnId, afterSeq: 0 });
    await other.result('1');
    goOn(0);
    goOn(1);
    await other.event('TurnCompleted');
    const back = await away.comeBack(2);
    // The client gets what was sent to it before its loss, and the result of its call. The other client has taken all later events over.
    await back.result('1');
    expect(events(back)).toHaveLength(2);
    expect(events(other).map(({ target }) => target)).toEqual([
      'TurnStarted',
      'TextDelta',
      'ActionExecuting',
      'ActionCompleted',
      'TextDelta',
      'TurnCompleted',
    ]);
  });

  // proves wire-3-49
  it('is followed by the messages that wait behind it, where it was resumed', async () => {
    const { model, goOn } = haltingModel('Half');
    const server = await hubServer({ model, disconnectGraceMs: 10_000 });
    const away = await StatefulClient.connect(server.url, { events: true });
    away.first.call('SendMessage', '1', 'hello');
    const { turnId } = await away.first.event('TextDelta');
    away.first.call('SendMessage', '2', 'and more');
    away.first.call('GetConnectionId', '3');
    await away.first.result('3');
    away.first.socket.terminate();
    const other = await RawHubClient.connect(server.url);
    other.call('Resume', '1', { turnId, afterSeq: 0 });
    await other.result('1');
    goOn(0);
    expect(await other.event('TurnCompleted')).toMatchObject({ turnId, status: 'completed' });
    expect(await other.event('TurnCompleted')).toMatchObject({ status: 'completed' });
  });

  // proves wire-3-49
  it('goes on for who resumed it during a turn of its own, when its client never comes back', async () => {
    const { model, goOn } = haltingModel('Half', ' and half.');
    const server = await hubServer(
      { model, toolList: [lookUp()], disconnectGraceMs: 60_000 },
      { timings: { reconnectMs: 40 } },
    );
    const away = await StatefulClient.connect(server.url, { events: true });
    away.first.call('SendMessage', '1', 'hello');
    const { turnId } = await away.first.event('TextDelta');
    const other = await RawHubClient.connect(server.url);
    other.call('SendMessage', '1', 'another question');
    await other.event('TextDelta');
    other.call('Resume', '2', { turnId, afterSeq: 0 });
    await other.result('2');
    away.first.socket.terminate();
    await expect.poll(() => away.status()).toBe(404);
    goOn(0);
    goOn(1);
    const ended = [await other.event('TurnCompleted'), await other.event('TurnCompleted')];
    expect(ended.find((event) => event['turnId'] === turnId)).toMatchObject({ status: 'completed' });
  });
});
