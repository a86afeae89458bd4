import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { recordSeparator } from './verify-reply.ts';
import { clientTextFrame, ServerFrames } from './web-socket-frames.ts';

/** The address of a hub. */
export interface HubAddress {
  readonly port: number;
  readonly path: string;
}

/** The callbacks of a hub connection. */
export interface HubListener {
  /** Whole records of one WebSocket message, separators included. */
  records(payload: Buffer): void;
  broken(reason: string): void;
}

const closeFrame = 8;
const handshake = clientTextFrame(`{"protocol":"json","version":1}${recordSeparator}`);

function upgradeRequest({ port, path }: HubAddress): string {
  return (
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${String(port)}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n'
  );
}

/**
 * A hub connection on a raw socket, without negotiation: upgrade, handshake, and open once the event `Connected` has
 * come (contract/events.md#slow-readers and contract/hub.md). It sends no pings, so the server never times it out.
 */
export class HubSocket {
  readonly #socket: Socket;
  readonly #listener: HubListener;
  readonly #frames = new ServerFrames();
  readonly #opened = Promise.withResolvers<undefined>();
  #state: 'upgrading' | 'greeting' | 'open' | 'closed' = 'upgrading';
  #received = '';

  constructor(address: HubAddress, listener: HubListener) {
    this.#listener = listener;
    this.#socket = connect({ port: address.port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('connect', () => this.#socket.write(upgradeRequest(address)));
    this.#socket.on('data', (data) => {
      if (this.#state === 'upgrading') this.#upgrade(data);
      else this.#read(data);
    });
    this.#socket.on('error', (error) => {
      this.#break(error.message);
    });
    this.#socket.on('close', () => {
      this.#break('the server closed the connection');
    });
  }

  /** Resolves with the event `Connected`; rejects when the server refuses. */
  opened(): Promise<void> {
    return this.#opened.promise;
  }

  write(frame: Buffer): void {
    this.#socket.write(frame);
  }

  close(): void {
    this.#state = 'closed';
    this.#socket.destroy();
  }

  #upgrade(data: Buffer): void {
    this.#received += data.toString('latin1');
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    if (!this.#received.startsWith('HTTP/1.1 101 ')) {
      this.#break(`the server answered ${this.#received.slice(0, 600)}`);
      return;
    }
    this.#state = 'greeting';
    this.#socket.write(handshake);
    const rest = Buffer.from(this.#received.slice(end + 4), 'latin1');
    this.#received = '';
    if (rest.length > 0) this.#read(rest);
  }

  #read(data: Buffer): void {
    for (const { opcode, payload } of this.#frames.read(data)) {
      if (this.#state === 'closed') return;
      if (opcode === closeFrame) this.#break(`the server closed the WebSocket: ${payload.toString('utf8', 2)}`);
      else if (this.#state === 'greeting') this.#greet(payload);
      else this.#listener.records(payload);
    }
  }

  #greet(payload: Buffer): void {
    this.#received += payload.toString('utf8');
    if (!this.#received.includes('"Connected"')) return;
    this.#received = '';
    this.#state = 'open';
    this.#opened.resolve(undefined);
  }

  #break(reason: string): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    this.close();
    if (wasOpen) this.#listener.broken(reason);
    else this.#opened.reject(new Error(reason));
  }
}
