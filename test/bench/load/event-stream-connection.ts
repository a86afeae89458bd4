import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { LoadConnection, LoadRun } from './load-run.ts';
import { ReplyCheck } from './reply-check.ts';

/** The end of a chunked body, together with the end of the chunk before it. */
const endOfBody = Buffer.from('\r\n0\r\n\r\n');
const goodStatus = Buffer.from('HTTP/1.1 200 ');

/** Keep-alive POSTs whose answers are event streams, on a raw socket: an HTTP client would cost more than the server. */
export class EventStreamConnection implements LoadConnection {
  readonly #run: LoadRun;
  readonly #check: ReplyCheck;
  readonly #request: Buffer;
  #socket: Socket | undefined;
  #tail: Buffer = Buffer.alloc(0);
  #waiting = false;
  #atStart = false;

  constructor(run: LoadRun, index: number) {
    this.#run = run;
    this.#check = new ReplyCheck(run, index);
    const { body, path, port } = run.job;
    this.#request = Buffer.from(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${String(port)}\r\ncontent-type: application/json\r\n` +
        `accept: text/event-stream\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
    );
  }

  open(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const socket = connect({ port: this.#run.job.port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    socket.once('connect', () => {
      resolve(undefined);
    });
    socket.on('error', reject);
    socket.on('data', (data) => {
      this.#read(data);
    });
    socket.on('close', () => {
      if (this.#waiting) this.#run.broken('the server closed a connection in the middle of a reply');
    });
    return promise;
  }

  send(): void {
    this.#waiting = true;
    this.#atStart = true;
    this.#tail = Buffer.alloc(0);
    this.#check.begin();
    this.#socket?.write(this.#request);
  }

  close(): void {
    this.#waiting = false;
    this.#socket?.destroy();
  }

  #read(data: Buffer): void {
    if (!this.#waiting) return;
    if (this.#atStart && data.indexOf(goodStatus) !== 0) {
      this.#waiting = false;
      this.#run.broken(`the server answered ${data.toString('utf8', 0, 600)}`);
      return;
    }
    this.#atStart = false;
    this.#check.take(data);
    if (!this.#endsReply(data)) return;
    this.#waiting = false;
    this.#check.end(bodyOf);
    this.#run.replyEnded(this);
  }

  #endsReply(data: Buffer): boolean {
    const end = data.length >= endOfBody.length ? data : Buffer.concat([this.#tail, data]);
    this.#tail = end.subarray(-endOfBody.length);
    return this.#tail.equals(endOfBody);
  }
}

/** Takes the HTTP head and the chunk sizes away. */
function bodyOf(answer: Buffer): string {
  const pieces: Buffer[] = [];
  let position = answer.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const lineEnd = answer.indexOf('\r\n', position);
    const size = Number.parseInt(answer.toString('latin1', position, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(pieces).toString('utf8');
    pieces.push(answer.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = lineEnd + 2 + size + 2;
  }
}
