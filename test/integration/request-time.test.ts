import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chunk, ending, type ModelScript } from '../support/scripted-model.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { certificate, key } from '../unit/config/certificates.ts';

const server = { requestTimeout: '300ms' };

const head = requestText('POST /helper/approve', { 'content-type': 'application/json', 'content-length': '1000' });

describe('server.requestTimeout (contract/limits.md#callers, contract/configuration.md)', () => {
  // proves wire-8-80
  it.each([
    ['nothing at all', ''],
    ['half a head', 'POST /helper/approve HTTP/1.1\r\nHost: localhost\r\n'],
    ['a head without its body', head],
    ['half a body', `${head}{"actionId":`],
    [
      'a body without a length that does not end',
      requestText('POST /helper/chat', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }) +
        '1\r\n{\r\n',
    ],
    ['half a body to an address that is none of ours', head.replace('/helper/approve', '/nothing')],
  ])('ends %s with 408 and lets go of a client that does not close its side', async (title, begun) => {
    const { url } = await scriptedServer({ scripts: [], settings: { server } });
    const client = await openRawSocket(url);
    client.send(begun);
    await client.closed;
    const [answer = '', body = ''] = client.read().split('\r\n\r\n').slice(-2);
    // An address that does not exist is answered at once. The server then waits for the body as long as for any other body.
    expect(client.statuses()).toEqual(title.endsWith('none of ours') ? [404, 408] : [408]);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toMatch(/x-content-type-options: nosniff/i);
    expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'request_timeout', title: 'Request timeout' });
  });

  // proves wire-8-80
  it('ends a head that drips', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server } });
    const client = await openRawSocket(url);
    client.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\nx-long: ');
    const drip = setInterval(() => {
      client.send('a');
    }, 20);
    onTestFinished(() => {
      clearInterval(drip);
    });
    await client.closed;
    expect(client.statuses()).toEqual([408]);
  });

  // proves wire-8-80
  it('ends a body that drips', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server } });
    const client = await openRawSocket(url);
    client.send(head);
    const drip = setInterval(() => {
      client.send(' ');
    }, 20);
    onTestFinished(() => {
      clearInterval(drip);
    });
    await client.closed;
    expect(client.statuses()).toEqual([408]);
  });

  // proves wire-8-80
  it('counts anew for the next request of a connection', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server } });
    const client = await openRawSocket(url);
    client.send(requestText('GET /healthz'));
    await client.answered(1);
    client.send(head);
    await client.closed;
    expect(client.statuses()).toEqual([200, 408]);
  });

  // proves wire-8-80
  it('ends no answer: a stream may take as long as it likes', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { url, model } = await scriptedServer({ scripts: [held(gate.promise)], settings: { server } });
    const client = await openRawSocket(url);
    client.send(requestText('GET /helper/chat?message=x'));
    await model.request(0);
    // The stalled request of another client shows that the time is over.
    const other = await openRawSocket(url);
    await other.closed;
    expect(other.statuses()).toEqual([408]);
    gate.resolve(undefined);
    await expect.poll(client.read).toContain('event: end');
    expect(client.statuses()).toEqual([200]);
  });

  // proves wire-8-80
  it('never answers in the middle of another answer: half a request behind a stream ends the connection', async () => {
    const gate = Promise.withResolvers<undefined>();
    onTestFinished(() => {
      gate.resolve(undefined);
    });
    const { url, model } = await scriptedServer({ scripts: [held(gate.promise)], settings: { server } });
    const client = await openRawSocket(url);
    client.send(requestText('GET /helper/chat?message=x'));
    await model.request(0);
    client.send('GET /healthz HTTP/1.1\r\nHost: loc');
    await client.closed;
    expect(client.statuses()).toEqual([200]);
  });

  // proves wire-8-80
  it('ends a TLS handshake that is never made', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'helper-tls-'));
    onTestFinished(() => {
      rmSync(directory, { recursive: true });
    });
    const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    writeFileSync(certFile, certificate);
    writeFileSync(keyFile, key);
    const { url } = await scriptedServer({
      scripts: [],
      settings: { server: { ...server, tls: { certFile, keyFile } } },
    });
    await (
      await openRawSocket(url)
    ).closed;
    const secure = connectTls({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
    let answer = '';
    secure.setEncoding('latin1').on('data', (text: string) => (answer += text));
    secure.write('GET /healthz HTTP/1.1\r\n');
    await new Promise((resolve) => secure.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

/** A reply that begins at once and ends when `until` resolves. */
function held(until: Promise<unknown>): ModelScript {
  return async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: 'Wait.' }));
    await until;
    await exchange.send(ending());
    exchange.end();
  };
}
