import { describe, expect, it } from 'vitest';
import { credentialOf, fakeAuthenticator as authenticate } from '../support/hub-fake-authenticator.ts';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { RawHubClient, UpgradeRefused, type HubRecord } from '../support/hub-raw-client.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';
import { StatefulClient } from '../support/hub-stateful-client.ts';

/** Looks at the clock 100 times a second, and waits for clients longer than any test. */
const timings = { reconnectMs: 60_000, keepAliveMs: 40 };

function raised(number: number): HubRecord {
  return { type: 1, target: 'Raised', arguments: [{ number }] };
}

/** Sends the events 1 to `count`, and waits for them. */
async function raise(client: RawHubClient, count: number): Promise<void> {
  client.call('Raise', '1', count);
  await client.result('1');
}

/** The messages of a socket without pings and acknowledgements. */
function messages(client: RawHubClient): readonly HubRecord[] {
  return client.records.filter(({ type }) => type !== 6 && type !== 8);
}

function bearer(credential: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${credential}` };
}

async function drop(client: RawHubClient): Promise<void> {
  client.socket.terminate();
  await client.closed;
}

describe('stateful reconnect: negotiation (contract/hub.md#when-the-line-breaks)', () => {
  const offer = async (url: string, query: string): Promise<unknown> => {
    const response = await fetch(`${url}/negotiate?${query}`, { method: 'POST' });
    return ((await response.json()) as HubRecord)['useStatefulReconnect'];
  };

  // proves wire-3-48
  it('is offered to clients that ask for it, with version 1', async () => {
    const { url } = await scenarioServer({ timings });
    expect(await offer(url, 'negotiateVersion=1&useStatefulReconnect=true')).toBe(true);
    expect(await offer(url, 'NegotiateVersion=1&UseStatefulReconnect=True')).toBe(true);
    expect(await offer(url, 'negotiateVersion=1&useStatefulReconnect=false')).toBeUndefined();
    expect(await offer(url, 'negotiateVersion=1')).toBeUndefined();
    expect(await offer(url, 'useStatefulReconnect=true')).toBeUndefined();
  });

  it('is not offered by a hub that does not wait for anybody', async () => {
    const { url } = await scenarioServer({ timings: { reconnectMs: 0 } });
    expect(await offer(url, 'negotiateVersion=1&useStatefulReconnect=true')).toBeUndefined();
  });

  it('is not had by a client that negotiated it and then speaks version 1', async () => {
    const { url, endings } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url, { version: 1 });
    await drop(client.first);
    await expect.poll(() => endings).toEqual(['dropped']);
    expect(await client.status()).toBe(404);
  });

  it('is not had by a client that speaks version 2 and did not negotiate it', async () => {
    const { url, endings } = await scenarioServer({ timings });
    const { address } = await HttpHubClient.negotiate(url);
    const client = await RawHubClient.connect(address, { events: false, version: 2 });
    await raise(client, 1);
    expect(client.records.some(({ type }) => type === 8)).toBe(false);
    await drop(client);
    await expect.poll(() => endings).toEqual(['dropped']);
  });

  it('is not had over other transports', async () => {
    const { url, endings } = await scenarioServer({ timings: { ...timings, abandonedMs: 400 } });
    const client = await HttpHubClient.negotiate(url, {}, 'useStatefulReconnect=true');
    await client.poll();
    await client.post('{"protocol":"json","version":2}\u001e');
    await expect.poll(() => endings).toEqual(['dropped']);
  });
});

describe('stateful reconnect: messages to the client (contract/hub.md#when-the-line-breaks)', () => {
  // proves wire-3-48
  it('that it has not acknowledged come again, behind a Sequence that names the first of them', async () => {
    const { url, endings } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await raise(client.first, 3);
    await drop(client.first);
    const second = await client.comeBack(2);
    second.call('Echo', '2', 'back');
    expect(await second.result('2')).toBe('back');
    expect(messages(second)).toEqual([
      { type: 9, sequenceId: 1 },
      ...[1, 2, 3].map(raised),
      { type: 3, invocationId: '1', result: null },
      { type: 3, invocationId: '2', result: 'back' },
    ]);
    expect(endings).toEqual([]);
    expect(second.faults).toEqual([]);
  });

  it('that it has acknowledged do not', async () => {
    const { url } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await raise(client.first, 3);
    client.first.say({ type: 8, sequenceId: 2 });
    client.first.call('Echo', '2', 1);
    await client.first.result('2');
    await drop(client.first);
    const second = await client.comeBack(3);
    await second.result('2');
    expect(messages(second)).toEqual([
      { type: 9, sequenceId: 3 },
      raised(3),
      { type: 3, invocationId: '1', result: null },
      { type: 3, invocationId: '2', result: 1 },
    ]);
  });

  it('are kept while it is away, as often as it goes', async () => {
    const { url, connections } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    for (let number = 1; number <= 3; number += 1) {
      const socket = number === 1 ? client.first : await client.comeBack(1);
      await drop(socket);
      await expect.poll(() => connections.map((connection) => connection.transport.bufferedBytes)).toEqual([0]);
      connections[0]?.sendEvent('Raised', { number });
    }
    const last = await client.comeBack(1);
    await last.next((record) => JSON.stringify(record) === JSON.stringify(raised(3)));
    expect(messages(last)).toEqual([{ type: 9, sequenceId: 1 }, ...[1, 2, 3].map(raised)]);
  });

  it('wait for acknowledgements at the bound, and go on with them', async () => {
    const { url } = await scenarioServer({ timings, limits: { maxUnacknowledgedBytes: 120 } });
    const client = await StatefulClient.connect(url);
    client.first.call('Raise', '1', 20);
    await client.first.next((record) => JSON.stringify(record) === JSON.stringify(raised(3)));
    // Pings still arrive while other messages wait for acknowledgements.
    await client.first.next(({ type }) => type === 6);
    expect(messages(client.first)).toEqual([{}, ...[1, 2, 3].map(raised)]);
    // An acknowledgement of a number that was never sent frees only the messages that were sent.
    client.first.say({ type: 8, sequenceId: 1_000 });
    await client.first.next((record) => JSON.stringify(record) === JSON.stringify(raised(6)));
    await client.first.next(({ type }) => type === 6);
    expect(messages(client.first)).toEqual([{}, ...[1, 2, 3, 4, 5, 6].map(raised)]);
    for (let acknowledged = 6; acknowledged <= 21; acknowledged += 3) {
      client.first.say({ type: 8, sequenceId: acknowledged });
      await client.first.next(({ type }) => type === 6);
    }
    expect(await client.first.result('1')).toBeNull();
    expect(messages(client.first)).toHaveLength(22);
    expect(client.first.faults).toEqual([]);
  });

  // proves wire-2-35
  it.each([
    ['while it is away', true],
    ['when it reads and never acknowledges', false],
  ])('are not kept without bound %s', async (_title, isAway) => {
    const limits = { maxBufferedBytes: 2_000 };
    const { url, connections, endings } = await scenarioServer({ timings, limits });
    const client = await StatefulClient.connect(url);
    await expect.poll(() => connections).toHaveLength(1);
    if (isAway) await drop(client.first);
    for (let number = 1; endings.length === 0 && number < 1_000; number += 1) {
      connections[0]?.sendEvent('Raised', { number });
      await new Promise(setImmediate);
    }
    expect(endings).toEqual(['dropped']);
    await client.first.closed;
    if (!isAway) expect(client.first.records.at(-1)).toMatchObject({ type: 7, allowReconnect: true });
    expect(await client.status()).toBe(404);
  });

  it('come before its Close', async () => {
    const { url, connections } = await scenarioServer({ timings, limits: { maxUnacknowledgedBytes: 120 } });
    const client = await StatefulClient.connect(url);
    await expect.poll(() => connections).toHaveLength(1);
    for (let number = 1; number <= 9; number += 1) connections[0]?.sendEvent('Raised', { number });
    connections[0]?.close({ allowReconnect: true });
    await client.first.closed;
    expect(messages(client.first)).toEqual([
      {},
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(raised),
      { type: 7, allowReconnect: true },
    ]);
  });
});

describe('stateful reconnect: messages of the client (contract/hub.md#when-the-line-breaks)', () => {
  // proves wire-3-48
  it('are acknowledged, each number once, with pings and acknowledgements uncounted', async () => {
    const { url } = await scenarioServer({ timings });
    const { first } = await StatefulClient.connect(url);
    first.say({ type: 6 });
    first.say({ type: 8, sequenceId: 1 });
    first.say({ type: 2, invocationId: 'upload', item: 1 });
    first.say({ type: 5, invocationId: 'none' });
    first.say({ type: 3, invocationId: 's9', result: 1 });
    first.call('Echo', '1', 1);
    expect(await first.next((record) => record['type'] === 8)).toEqual({ type: 8, sequenceId: 4 });
    await first.next(({ type }) => type === 6);
    await first.next(({ type }) => type === 6);
    first.call('Echo', '2', 1);
    expect(await first.next((record) => record['type'] === 8)).toEqual({ type: 8, sequenceId: 5 });
    expect(first.records.filter(({ type }) => type === 8)).toHaveLength(2);
  });

  it('that come again are taken once', async () => {
    const { url, notes } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    const note = (text: string): object => ({ type: 1, target: 'Note', arguments: [text] });
    client.first.say(note('one'));
    client.first.say(note('two'));
    await expect.poll(() => notes).toEqual(['one', 'two']);
    await drop(client.first);
    const second = await client.comeBack(2);
    for (const text of ['two', 'three']) second.say(note(text));
    await expect.poll(() => notes).toEqual(['one', 'two', 'three']);
    await drop(second);
    const third = await client.comeBack(1);
    for (const text of ['one', 'two', 'three', 'four']) third.say(note(text));
    await expect.poll(() => notes).toEqual(['one', 'two', 'three', 'four']);
  });

  // proves wire-3-48
  it('are acknowledged again when they come again, so that no client keeps them for ever', async () => {
    const { url } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    client.first.call('Echo', '1', 1);
    await client.first.next(({ type }) => type === 8);
    await drop(client.first);
    const second = await client.comeBack(1);
    second.call('Echo', '1', 1);
    expect(await second.next(({ type }) => type === 8)).toEqual({ type: 8, sequenceId: 1 });
  });

  it('are not taken before its Sequence', async () => {
    const { url, notes } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await drop(client.first);
    const second = await client.comeBack(undefined);
    second.say({ type: 1, target: 'Note', arguments: ['too early'] });
    second.say({ type: 9, sequenceId: 1 });
    second.say({ type: 1, target: 'Note', arguments: ['in time'] });
    await expect.poll(() => notes).toEqual(['in time']);
  });

  it('that were never sent are missed: a Sequence behind them ends the connection', async () => {
    const { url, endings } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await drop(client.first);
    const second = await client.comeBack(2);
    expect(await second.next(({ type }) => type === 7)).toEqual({
      type: 7,
      error: "Connection closed with an error. Sequence ID greater than amount of messages we've received.",
    });
    await second.closed;
    expect(endings).toEqual(['dropped']);
    expect(await client.status()).toBe(404);
  });

  it('that were cut in the middle are not glued to what the next socket brings', async () => {
    const { url, notes } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    client.first.call('Echo', '1', 1);
    client.first.socket.send('{"type":1,"target":"No');
    await client.first.result('1');
    await drop(client.first);
    const second = await client.comeBack(2);
    second.say({ type: 1, target: 'Note', arguments: ['whole'] });
    await expect.poll(() => notes).toEqual(['whole']);
  });
});

describe('stateful reconnect: sockets (contract/hub.md#when-the-line-breaks)', () => {
  // proves wire-3-48
  it('has one at a time: a second one takes over', async () => {
    const { url, endings, connections } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await raise(client.first, 1);
    const second = await client.comeBack(2);
    expect(await client.first.closed).toMatchObject({ code: 1006 });
    second.call('Echo', '2', 'mine');
    expect(await second.result('2')).toBe('mine');
    expect(connections).toHaveLength(1);
    expect(endings).toEqual([]);
  });

  // proves wire-3-49
  it('takes none of another caller, whose attempt changes nothing', async () => {
    const { url, endings } = await scenarioServer({ timings, authenticate });
    const client = await StatefulClient.connect(url, { headers: bearer('ada') });
    await raise(client.first, 1);
    for (const headers of [bearer('eve'), {}]) expect(await client.status(headers)).toBe(404);
    client.first.call('Echo', '2', 'still here');
    expect(await client.first.result('2')).toBe('still here');
    await drop(client.first);
    for (const headers of [bearer('eve'), {}]) expect(await client.status(headers)).toBe(404);
    const second = await client.comeBack(3);
    expect(await second.result('2')).toBe('still here');
    expect(endings).toEqual([]);
  });

  it('takes none with a credential that is over', async () => {
    const { url } = await scenarioServer({ timings, authenticate });
    const client = await StatefulClient.connect(url, { headers: bearer('ada') });
    await drop(client.first);
    expect(await client.status(bearer('invalid'))).toBe(401);
    expect(await client.status(bearer('ada'))).toBe(101);
  });

  it('lives as long as the credential it comes back with', async () => {
    const { url, endings } = await scenarioServer({ timings, authenticate });
    const short = bearer(credentialOf('ada', 500));
    const [renewed, over] = await Promise.all(
      [1, 2].map(() => StatefulClient.connect(url, { headers: short }).then((client) => ({ client }))),
    );
    if (renewed === undefined || over === undefined) throw new Error('both are connected');
    await Promise.all([drop(renewed.client.first), drop(over.client.first)]);
    const back = await RawHubClient.open(renewed.client.address, bearer(credentialOf('ada', 600_000)));
    back.say({ type: 9, sequenceId: 1 });
    // The server keeps the other connection only as long as the credential of its client is valid.
    await expect.poll(() => endings).toEqual(['dropped']);
    expect(await over.client.status(bearer('ada'))).toBe(404);
    back.call('Echo', '1', 'renewed');
    expect(await back.result('1')).toBe('renewed');
  });

  // proves wire-3-50
  it('waits for a client as long as it says, and then tells the application', async () => {
    const { url, endings } = await scenarioServer({ timings: { ...timings, reconnectMs: 80 } });
    const client = await StatefulClient.connect(url);
    await drop(client.first);
    await expect.poll(() => endings).toEqual(['lost']);
    expect(await client.status()).toBe(404);
  });

  it.each([
    ['a Close message', (client: RawHubClient) => client.say({ type: 7 })],
    ['a WebSocket close', (client: RawHubClient) => client.socket.close(1000)],
    ['a close without a code', (client: RawHubClient) => client.socket.close()],
  ])('does not wait for a client that said goodbye: %s', async (_title, leave) => {
    const { url, endings } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    leave(client.first);
    await client.first.closed;
    expect(endings).toEqual(['graceful']);
    expect(await client.status()).toBe(404);
  });

  it('takes a goodbye before the Sequence too', async () => {
    const { url, endings } = await scenarioServer({ timings });
    const client = await StatefulClient.connect(url);
    await drop(client.first);
    const second = await client.comeBack(undefined);
    second.say({ type: 7 });
    await second.closed;
    expect(endings).toEqual(['graceful']);
  });

  // proves wire-3-51
  it('is counted once, also while its client is away', async () => {
    const { url } = await scenarioServer({ timings, limits: { maxConnectionsPerKey: 1 } });
    const client = await StatefulClient.connect(url);
    const other = (): Promise<number> =>
      RawHubClient.open(url).then(
        () => 101,
        (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
      );
    await drop(client.first);
    expect(await other()).toBe(429);
    const second = await client.comeBack(1);
    expect(await other()).toBe(429);
    second.say({ type: 7 });
    await second.closed;
    expect(await other()).toBe(101);
  });

  it('does not time out while its client is away, and is pinged again when that is back', async () => {
    const { url, endings } = await scenarioServer({ timings: { ...timings, clientTimeoutMs: 400 } });
    const client = await StatefulClient.connect(url);
    client.first.call('Echo', '1', 1);
    client.first.say({ type: 6 });
    await client.first.result('1');
    await drop(client.first);
    const plain = await RawHubClient.connect(url, { events: false });
    plain.say({ type: 6 });
    await plain.closed;
    expect(endings).toEqual(['dropped']);
    const second = await client.comeBack(2);
    await second.next(({ type }) => type === 6);
    expect(await second.next(({ type }) => type === 7)).toMatchObject({ allowReconnect: true });
  });

  it('may come back while the server takes nobody new', async () => {
    const controls: { refuseNew(): void }[] = [];
    const { url } = await scenarioServer({ timings, control: (control) => controls.push(control) });
    const client = await StatefulClient.connect(url);
    await drop(client.first);
    controls[0]?.refuseNew();
    const second = await client.comeBack(1);
    second.call('Echo', '1', 'still here');
    expect(await second.result('1')).toBe('still here');
  });

  it('holds up no shutdown, whether its client is there or away', async () => {
    const controls: { closeAll(): Promise<void> }[] = [];
    const { url, endings } = await scenarioServer({ timings, control: (control) => controls.push(control) });
    const away = await StatefulClient.connect(url);
    const there = await StatefulClient.connect(url);
    await drop(away.first);
    await controls[0]?.closeAll();
    expect(endings).toEqual(['dropped', 'dropped']);
    expect(there.first.records.at(-1)).toEqual({ type: 7, allowReconnect: true });
    for (const client of [away, there]) expect(await client.status()).toBe(503);
  });
});
