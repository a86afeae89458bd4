import { connect } from 'node:net';
import { decode } from '@msgpack/msgpack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LengthPrefixedBuffer } from '../../src/channels/hub/protocol/codec/length-prefixed-buffer.ts';
import { fakeModel } from '../support/fake-model.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { hubServer } from '../support/hub-server.ts';
import { realServer } from '../support/real-server.ts';

/*
 * What two clients that are in no package registry of this project send, byte for byte as it was recorded between them and
 * this server: Microsoft's C++ client (its source of July 2026, built with cpprestsdk 2.10.18) and Python's signalrcore 1.0.2.
 */

/** Sends one HTTP request as it is, and reads its answer until the server closes. */
async function raw(url: string, head: string, body = ''): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  socket.write(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  await new Promise((resolve, reject) => {
    socket.once('close', resolve).once('error', reject);
  });
  const [lines = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(lines)?.[1]), body: rest.join('\r\n\r\n') };
}

const product = () => realServer();

describe('Microsoft’s C++ client (contract/hub.md#protocol)', () => {
  const headers = { 'user-agent': 'WebSocket++/0.8.2' };
  const call = '{"arguments":["Where is order 1001?"],"invocationId":"0","target":"SendMessage","type":1}\u001e';

  /** Plays the client's JSON frames: the handshake, a ping at once, a call, and a close with a reason. */
  async function playJson(address: string): Promise<void> {
    const client = await RawHubClient.open(address, headers);
    client.socket.send('{"protocol":"json","version":1}\u001e');
    await client.next((record) => Object.keys(record).length === 0);
    client.socket.send('{"type":6}\u001e');
    client.socket.send(call);
    expect(await client.event('Connected')).toMatchObject({ user: { isAuthenticated: false } });
    expect(await client.result('0')).toMatchObject({ status: 'completed' });
    client.socket.close(1000, 'Normal');
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(client.faults).toEqual([]);
  }

  // proves wire-3-91
  it('negotiates with an empty text body and connects in JSON', async () => {
    const { url } = await product();
    const { host } = new URL(url);
    const negotiated = await raw(
      url,
      `POST /helper-hub/negotiate?negotiateVersion=1 HTTP/1.1\nHost: ${host}\nContent-Length:0\n` +
        'Content-Type:text/plain; charset=utf-8\nUser-Agent:cpprestsdk/2.10.18\nConnection: close',
    );
    expect(negotiated.status).toBe(200);
    // The guard of the server's own answer: contract/hub.md#protocol names these fields.
    const { connectionToken } = JSON.parse(negotiated.body) as { readonly connectionToken: string };
    await playJson(`${url}/helper-hub?id=${connectionToken}`);
  });

  // proves wire-3-91
  it('skips negotiation with an empty id', async () => {
    const { url } = await product();
    await playJson(`${url}/helper-hub?id=`);
  });

  // proves wire-3-91
  it('speaks MessagePack, with an empty id too', async () => {
    const { url } = await product();
    const client = await RawHubClient.open(`${url}/helper-hub?id=`, headers);
    // Its frames are MessagePack, which the linter of JSON frames does not read.
    client.socket.removeAllListeners('message');
    const reader = new LengthPrefixedBuffer(1_000_000);
    const records: unknown[][] = [];
    let isAccepted = false;
    client.socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) return;
      if (isAccepted) records.push(...[...reader.take(data)].map((record) => decode(record) as unknown[]));
      else expect(data.toString()).toBe('{}\u001e');
      isAccepted = true;
    });
    client.socket.send(Buffer.from('{"protocol":"messagepack","version":1}\u001e'));
    await expect.poll(() => isAccepted).toBe(true);
    client.socket.send(Buffer.from('029106', 'hex'));
    client.socket.send(Buffer.from('(\x96\x01\x80\xa10\xabSendMessage\x91\xb4Where is order 1001?\x90', 'latin1'));
    await expect
      .poll(() => records.find(([type]) => type === 3))
      .toMatchObject([3, {}, '0', 3, { status: 'completed' }]);
    expect(records[0]?.[3]).toBe('Connected');
    client.socket.close(1000, 'Normal');
    expect(await client.closed).toMatchObject({ code: 1000 });
  });
});

describe('Python’s signalrcore (contract/hub.md#protocol)', () => {
  const shake = '{"protocol": "json", "version": 0}\u001e';
  const call =
    '{"type": 1, "headers": {"Content-Type": "application/json"}, "target": "SendMessage", ' +
    '"arguments": ["Where is order 1001?"], "invocationId": "cf746604-51a1-47a0-a160-abcd3848e98d"}\u001e';
  const stream =
    '{"type": 4, "headers": {"Content-Type": "application/json"}, "target": "StreamMessage", ' +
    '"arguments": ["Where is order 1002?"], "invocationId": "5ab90fc8-a678-413b-aa18-e90147a46323", "streamIds": []}\u001e';

  /** Plays the client's negotiation of version 0, in which the connection id is also the token. */
  async function negotiate(url: string): Promise<string> {
    const { host } = new URL(url);
    const negotiated = await raw(
      url,
      `POST /helper-hub/negotiate HTTP/1.1\nAccept-Encoding: identity\nContent-Length: 0\nHost: ${host}\n` +
        'User-Agent: Python-urllib/3.11\nContent-Type: application/json\nConnection: close',
    );
    expect(negotiated.status).toBe(200);
    const answer = JSON.parse(negotiated.body) as { readonly negotiateVersion: number; readonly connectionId: string };
    expect(answer.negotiateVersion).toBe(0);
    return answer.connectionId;
  }

  // proves wire-3-91
  it('connects over WebSockets with version 0, a host without its port and headers in its calls', async () => {
    const { url } = await product();
    const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
    const client = await RawHubClient.open(`${url}/helper-hub?id=${await negotiate(url)}`, headers);
    client.socket.send(shake);
    await client.next((record) => Object.keys(record).length === 0);
    client.socket.send(call);
    expect(await client.result('cf746604-51a1-47a0-a160-abcd3848e98d')).toMatchObject({ status: 'completed' });
    client.socket.send(stream);
    expect(await client.next(({ type }) => type === 2)).toMatchObject({ item: { event: 'TurnStarted' } });
    await client.next(
      ({ type, invocationId }) => type === 3 && invocationId !== 'cf746604-51a1-47a0-a160-abcd3848e98d',
    );
    expect(client.faults).toEqual([]);
    client.socket.terminate();
  });

  // proves wire-3-91
  it('connects over LongPolling: it posts its handshake before it polls', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'On its way.' }) });
    const { origin, host } = new URL(url);
    const address = `/helper-hub?id=${await negotiate(origin)}`;
    const post = (body: string) =>
      raw(
        origin,
        `POST ${address} HTTP/1.1\nAccept-Encoding: identity\nHost: ${host}\nUser-Agent: Python-urllib/3.11\n` +
          `Content-Type: application/json\nContent-Length: ${String(Buffer.byteLength(body))}\nConnection: close`,
        body,
      );
    const poll = async (): Promise<string> => {
      const { status, body } = await raw(
        origin,
        `GET ${address} HTTP/1.1\nAccept-Encoding: identity\nHost: ${host}\nUser-Agent: Python-urllib/3.11\n` +
          'Accept: Text\nConnection: close',
      );
      expect(status).toBe(200);
      return body;
    };
    expect(await post(shake)).toEqual({ status: 200, body: '' });
    expect(await poll()).toBe('');
    let heard = '';
    while (!heard.includes('Connected')) heard += await poll();
    expect(heard.startsWith('{}\u001e')).toBe(true);
    expect(await post(call)).toMatchObject({ status: 200 });
    while (!heard.includes('"type":3')) heard += await poll();
    expect(heard).toContain('"invocationId":"cf746604-51a1-47a0-a160-abcd3848e98d","result":{');
    const goodbye = `DELETE ${address} HTTP/1.1\nHost: ${host}\nUser-Agent: Python-urllib/3.11\nConnection: close`;
    expect(await raw(origin, goodbye)).toMatchObject({ status: 202 });
  });
});
