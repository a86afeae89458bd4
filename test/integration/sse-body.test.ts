import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fakeModel } from '../support/fake-model.ts';
import { testHttp } from '../support/test-http.ts';

/** Sends requests over one connection, the next when the answer before it has ended; resolves with all that was read. */
function overOneConnection(port: number, requests: readonly string[], ends: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1', () => socket.write(requests[sent++] ?? ''));
    socket.setEncoding('utf8').on('data', (text: string) => {
      read += text;
      if (read.split(ends).length - 1 < sent) return;
      const next = requests[sent++];
      if (next === undefined) socket.end();
      else socket.write(next);
    });
    socket.on('close', () => {
      resolve(read);
    });
    socket.on('error', reject);
  });
}

/** The content of a chunked body. Throws where a chunk is not as long as it says. */
function unchunked(body: string): string {
  let bytes = Buffer.from(body);
  let content = '';
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n');
    const length = Number.parseInt(bytes.toString('latin1', 0, lineEnd), 16);
    const end = lineEnd + 2 + length;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new Error(`not a chunk: ${bytes.toString()}`);
    if (length === 0) return content;
    content += bytes.toString('utf8', lineEnd + 2, end);
    bytes = bytes.subarray(end + 2);
  }
}

const words = 'Grüße, 世界 😀!';

/** A model whose text and end arrive in separate reads. The text is therefore a separate piece of the body. */
function slowModel() {
  return fakeModel({ pieces: [words], until: new Promise((resolve) => setImmediate(resolve)) });
}

describe('the body of a stream (contract/sse.md#asking)', () => {
  it('is well chunked whatever the characters, on a connection that is used again', async () => {
    const { url } = await testHttp({ model: slowModel() });
    const port = Number(new URL(url).port);
    const request = 'GET /helper/chat?message=hello HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const read = await overOneConnection(port, [request, request], '\r\n0\r\n\r\n');
    const answers = read.split(/(?=HTTP\/1\.1 200 OK\r\n)/);
    expect(answers).toHaveLength(2);
    for (const answer of answers) {
      const body = unchunked(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      expect(body).toContain(`"text":"${words}"`);
      expect(body.match(/event: end/g)).toHaveLength(1);
    }
  });

  it('is not chunked for a client of HTTP/1.0', async () => {
    const { url } = await testHttp({ model: slowModel() });
    const port = Number(new URL(url).port);
    const request = 'GET /helper/chat?message=hello HTTP/1.0\r\nHost: localhost\r\n\r\n';
    const read = await overOneConnection(port, [request], 'event: end');
    expect(read).not.toMatch(/transfer-encoding/i);
    expect(read.slice(read.indexOf('\r\n\r\n') + 4)).toMatch(
      /^retry: 2000\nid: [\w-]+:0\n\nid: [\w-]+:2\nevent: text\n/,
    );
    expect(read).toContain(words);
  });
});
