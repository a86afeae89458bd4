import { HubConnectionState } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { type OfficialClient, officialClient } from '../support/hub-official-client.ts';
import { hubServer, protocolServer } from '../support/hub-server.ts';

function held(text = 'Half') {
  const release = Promise.withResolvers<undefined>();
  onTestFinished(() => {
    release.resolve(undefined);
  });
  return { model: fakeModel({ text, until: release.promise }, { text: 'next' }), release };
}

function names(client: OfficialClient): string[] {
  return client.events.map(({ name }) => name);
}

function last(client: OfficialClient, name: string): Readonly<Record<string, unknown>> {
  return client.events.findLast((event) => event.name === name)?.fields ?? {};
}

describe('the official client: a turn (contract/hub.md#protocol)', () => {
  // proves wire-2-03, wire-2-25, wire-2-38, wire-3-01, wire-3-08
  it('gets Connected first, the events of the turn, and the result after its end', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'Hello there.' }) });
    const client = await officialClient(url);
    const result: unknown = await client.connection.invoke('SendMessage', 'hello');
    const { turnId } = last(client, 'TurnCompleted');
    expect(result).toEqual({ turnId, status: 'completed', text: 'Hello there.' });
    expect(names(client)).toEqual(['Connected', 'TurnStarted', 'TextDelta', 'TurnCompleted']);
    expect(client.events.slice(1).map(({ fields }) => fields['seq'])).toEqual([1, 2, 3]);
    expect(client.events[0]?.fields).toMatchObject({
      connectionId: client.connection.connectionId,
      user: { isAuthenticated: false, name: '' },
      settings: { language: 'English', maxMessageLength: 4000 },
    });
    expect(client.faults()).toEqual([]);
  });

  // proves service-1-02, wire-3-01
  it('holds a turn with a confirmation, answered over HTTP while it runs (contract/confirmations.md#answering)', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case', { caseId: 7 })] }, { text: 'Closed.' });
    const { url, origin } = await hubServer({ model, toolList: [tool] });
    const client = await officialClient(url);
    const result = client.connection.invoke<unknown>('SendMessage', 'close case 7');
    await expect.poll(() => names(client)).toContain('ConfirmationRequested');
    expect(tool.runs).toEqual([]);
    const { actionId } = last(client, 'ConfirmationRequested');
    const answer = await fetch(`${origin}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: true }),
    });
    expect(await answer.json()).toEqual({ actionId, outcome: 'approved' });
    expect(await result).toMatchObject({ status: 'completed', text: 'Closed.' });
    expect(tool.runs).toEqual([{ caseId: 7 }]);
    const shown = names(client);
    expect(shown.indexOf('ConfirmationResolved')).toBeLessThan(shown.indexOf('ActionExecuting'));
    expect(last(client, 'ActionCompleted')).toMatchObject({ action: 'close_case', status: 'succeeded' });
    expect(client.faults()).toEqual([]);
  });

  // proves wire-3-09, wire-3-25
  it('gets a refused turn as a result, not as an exception', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }), maxMessageLength: 5 });
    const client = await officialClient(url);
    expect(await client.connection.invoke('SendMessage', 'too long')).toMatchObject({
      status: 'refused',
      code: 'message_too_long',
    });
    expect(await client.connection.invoke('SendMessage', '')).toMatchObject({
      status: 'refused',
      code: 'invalid_request',
    });
  });

  // proves wire-1-04, wire-3-26, wire-3-40
  it('gets the errors of SignalR for wrong calls', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const { connection } = await officialClient(url);
    await expect(connection.invoke('Nothing')).rejects.toThrow("Unknown hub method 'Nothing'");
    await expect(connection.invoke('SendMessage', 5)).rejects.toThrow(
      "Failed to invoke 'SendMessage' due to an error on the server.",
    );
    await expect(connection.invoke('SetPage', { name: 'orders', actions: {} })).rejects.toThrow(
      "Failed to invoke 'SetPage' due to an error on the server.",
    );
    expect(await connection.invoke('setpage', { name: 'orders' })).toBeNull();
  });

  // proves wire-3-21
  it('stops a turn over HTTP by its connection id, waiting messages included', async () => {
    const { model } = held();
    const { url, origin } = await hubServer({ model });
    const client = await officialClient(url);
    const results = ['one', 'two'].map((text) => client.connection.invoke<unknown>('SendMessage', text));
    await expect.poll(() => names(client)).toContain('TextDelta');
    const connectionId = await client.connection.invoke<string>('GetConnectionId');
    const answer = await fetch(`${origin}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ connectionId }),
    });
    expect(await answer.json()).toEqual({ stopped: true });
    expect(await Promise.all(results)).toMatchObject([{ status: 'stopped', text: 'Half' }, { status: 'stopped' }]);
    expect(model.requests).toHaveLength(1);
  });
});

describe('the official client: streams (contract/hub.md#protocol, StreamMessage)', () => {
  // proves wire-3-10, wire-3-11
  it('gets the events as items of the stream, and not as hub events', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'Hello.' }) });
    const client = await officialClient(url);
    const items: Record<string, unknown>[] = [];
    await new Promise<void>((complete, error) => {
      client.connection
        .stream<Record<string, unknown>>('StreamMessage', 'hello')
        .subscribe({ next: (item) => items.push(item), complete, error });
    });
    expect(items.map((item) => [item['event'], item['seq']])).toEqual([
      ['TurnStarted', 1],
      ['TextDelta', 2],
      ['TurnCompleted', 3],
    ]);
    expect(names(client)).toEqual(['Connected']);
    expect(client.faults()).toEqual([]);
  });

  // proves wire-3-12, wire-3-24
  it('stops the turn by cancelling the stream', async () => {
    const { model } = held();
    const { url, metrics } = await hubServer({ model });
    const client = await officialClient(url);
    const subscription = client.connection.stream('StreamMessage', 'hello').subscribe({
      next: () => undefined,
      complete: () => undefined,
      error: () => undefined,
    });
    await expect.poll(() => model.requests.length).toBe(1);
    subscription.dispose();
    await expect
      .poll(() => metrics.counted.filter(({ what }) => what === 'turnEnded'))
      .toMatchObject([{ value: { status: 'stopped' } }]);
    expect(client.faults()).toEqual([]);
  });

  // proves wire-3-22, wire-8-03
  it('lets neither a message nor a stream wait for a stream', async () => {
    const { model } = held();
    const { url } = await hubServer({ model });
    const client = await officialClient(url);
    const observer = { next: () => undefined, complete: () => undefined, error: () => undefined };
    client.connection.stream('StreamMessage', 'first').subscribe(observer);
    const refused = { status: 'refused', code: 'turn_in_progress' };
    expect(await client.connection.invoke('SendMessage', 'second')).toMatchObject(refused);
    const items: unknown[] = [];
    await new Promise<void>((complete, error) => {
      client.connection
        .stream('StreamMessage', 'third')
        .subscribe({ next: (item) => items.push(item), complete, error });
    });
    expect(items.at(-1)).toMatchObject({ event: 'TurnCompleted', ...refused });
  });
});

describe('the official client: connections (contract/hub.md#protocol)', () => {
  // proves wire-3-17
  it('connects without negotiation and learns its id', async () => {
    const { url, assistant } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await officialClient(url, { skipNegotiation: true });
    expect(client.connection.connectionId).toBeNull();
    const connectionId = await client.connection.invoke<string>('GetConnectionId');
    await expect.poll(() => last(client, 'Connected')['connectionId']).toBe(connectionId);
    expect(assistant.findSession(connectionId)).toBeDefined();
    expect(client.faults()).toEqual([]);
  });

  it('keeps twenty connections apart', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'Hi.' }) });
    const clients = await Promise.all(Array.from({ length: 20 }, () => officialClient(url)));
    await Promise.all(clients.map(({ connection }) => connection.invoke('SendMessage', 'hello')));
    const conversations = clients.map((client) => last(client, 'TurnStarted')['conversationId']);
    expect(new Set(conversations).size).toBe(20);
    for (const client of clients) {
      expect(names(client)).toEqual(['Connected', 'TurnStarted', 'TextDelta', 'TurnCompleted']);
    }
  });

  // proves wire-3-31
  it('ends its turn at once when it stops, and frees the session', async () => {
    const { model } = held();
    const { url, assistant, metrics } = await hubServer({ model, disconnectGraceMs: 60_000 });
    const client = await officialClient(url);
    const result = client.connection.invoke('SendMessage', 'hello').catch(() => 'rejected');
    await expect.poll(() => names(client)).toContain('TextDelta');
    const connectionId = client.connection.connectionId ?? '';
    await client.connection.stop();
    expect(await result).toBe('rejected');
    await expect.poll(() => assistant.findSession(connectionId)).toBeUndefined();
    await expect.poll(() => assistant.runningTurns).toBe(0);
    const changes = metrics.counted.filter(({ what }) => what.startsWith('connection'));
    expect(changes).toEqual([
      { what: 'connectionOpened', value: 'hub' },
      { what: 'connectionEnded', value: ['hub', expect.any(Number)] },
    ]);
  });

  // proves wire-3-36
  it('reconnects after its line was cut and picks the turn up with nothing lost', async () => {
    const { model, release } = held('first ');
    const { url } = await hubServer({ model, disconnectGraceMs: 60_000 });
    const client = await officialClient(url, { reconnects: true });
    const lost = client.connection.invoke('SendMessage', 'hello').catch(() => 'rejected');
    await expect.poll(() => names(client)).toContain('TextDelta');
    const turnId = last(client, 'TextDelta')['turnId'];
    const reconnected = new Promise((resolve) => {
      client.connection.onreconnected(resolve);
    });
    client.sockets.at(-1)?.terminate();
    expect(await lost).toBe('rejected');
    await reconnected;
    const before = client.events.length;
    expect(await client.connection.invoke('Resume', { turnId, afterSeq: 1 })).toEqual({
      turnId,
      lastSeq: 2,
      running: true,
    });
    release.resolve(undefined);
    await expect.poll(() => names(client)).toContain('TurnCompleted');
    const resumed = client.events.slice(before).filter(({ name }) => name !== 'Connected');
    expect(resumed.map(({ name, fields }) => [name, fields['seq']])).toEqual([
      ['TextDelta', 2],
      ['TurnCompleted', 3],
    ]);
    expect(await client.connection.invoke('SendMessage', 'and now?')).toMatchObject({ status: 'completed' });
    expect(client.faults()).toEqual([]);
  });

  // proves wire-3-05
  it('reconnects when the server asks it to, and does not when the server has an error', async () => {
    const connected: { close: (options: { error?: string; allowReconnect?: boolean }) => void }[] = [];
    const { url } = await protocolServer<undefined>({
      application: {
        methods: {},
        connected: (connection) => {
          connected.push(connection);
          return undefined;
        },
        disconnected: () => undefined,
      },
    });
    const client = await officialClient(url, { reconnects: true });
    const reconnected = new Promise((resolve) => {
      client.connection.onreconnected(resolve);
    });
    const closed = new Promise<Error | undefined>((resolve) => {
      client.connection.onclose(resolve);
    });
    connected[0]?.close({ allowReconnect: true });
    await reconnected;
    await expect.poll(() => connected.length).toBe(2);
    connected[1]?.close({ error: 'enough' });
    expect((await closed)?.message).toBe('Server returned an error on close: enough');
    expect(client.connection.state).toBe(HubConnectionState.Disconnected);
    expect(client.faults()).toEqual([]);
  });

  it('is kept alive by pings while nothing happens', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) }, { timings: { keepAliveMs: 20 } });
    const client = await officialClient(url);
    let pings = 0;
    client.sockets[0]?.on('message', () => (pings += 1));
    await expect.poll(() => pings).toBeGreaterThan(2);
    expect(client.connection.state).toBe(HubConnectionState.Connected);
    expect(client.faults()).toEqual([]);
  });

  // proves wire-2-39, wire-10-06
  it('is told that the server drains, and comes back to another one (contract/restarts.md#stopping)', async () => {
    const { url, control } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await officialClient(url);
    const closed = new Promise<Error | undefined>((resolve) => {
      client.connection.onclose(resolve);
    });
    control.drain(25);
    await expect.poll(() => last(client, 'ServerDraining')).toEqual({ inSeconds: 25 });
    await expect(officialClient(url)).rejects.toThrow('503');
    await control.closeAll();
    expect(await closed).toBeUndefined();
  });
});
