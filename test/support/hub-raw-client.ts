import { WebSocket } from 'ws';
import { HubWireLinter } from './hub-wire-linter.ts';

export type HubRecord = Readonly<Record<string, unknown>>;

/** The server answered an upgrade with a status other than 101. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the upgrade was refused with ${String(status)}: ${body}`);
    this.status = status;
    this.body = body;
  }
}

/**
 * A hub client that works with frames. Its own messages are sent unchanged. Every received frame passes the wire linter, whose faults
 * make the wait for a record or the end fail.
 */
export class RawHubClient {
  readonly socket: WebSocket;
  /** One entry per frame. */
  readonly frames: (readonly HubRecord[])[] = [];
  /** Resolves when the socket is closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #linter = new HubWireLinter();
  readonly #taken = new Set<HubRecord>();
  #waiting: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake();
      });
    });
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (!Buffer.isBuffer(data)) return;
      this.frames.push(this.#linter.check(data, isBinary));
      this.#wake();
    });
  }

  /**
   * Opens a WebSocket to a hub.
   * @throws UpgradeRefused when the server answers with another status than 101.
   */
  static open(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    localAddress?: string,
  ): Promise<RawHubClient> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, localAddress, perMessageDeflate: true });
    const client = new RawHubClient(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        resolve(client);
      });
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => {
          reject(new UpgradeRefused(response.statusCode ?? 0, body));
        });
      });
    });
  }

  /** Opens a connection and shakes hands. Waits for the event `Connected` by default. */
  static async connect(
    url: string,
    options: {
      readonly events?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
      readonly version?: number;
      /** The address of this machine from which the connection comes. */
      readonly localAddress?: string;
    } = {},
  ): Promise<RawHubClient> {
    const client = await RawHubClient.open(url, options.headers, options.localAddress);
    client.say({ protocol: 'json', version: options.version ?? 1 });
    await client.next((record) => Object.keys(record).length === 0);
    if (options.events !== false) await client.event('Connected');
    return client;
  }

  get records(): readonly HubRecord[] {
    return this.frames.flat();
  }

  /** Every rule of the protocol that the server has broken so far. */
  get faults(): readonly string[] {
    return this.#linter.faults;
  }

  /** Sends one message as one record in one frame. */
  say(message: object): void {
    this.socket.send(`${JSON.stringify(message)}\u001e`);
  }

  call(target: string, invocationId: string, ...given: readonly unknown[]): void {
    this.say({ type: 1, target, arguments: given, invocationId });
  }

  /** The result of a call, or the text of its error. */
  async result(invocationId: string): Promise<unknown> {
    const completion = await this.next((record) => record['type'] === 3 && record['invocationId'] === invocationId);
    return 'error' in completion ? { error: completion['error'] } : completion['result'];
  }

  /** The argument of the next event of that name. */
  async event(target: string): Promise<HubRecord> {
    const found = await this.next((record) => record['type'] === 1 && record['target'] === target);
    const [argument] = Array.isArray(found['arguments']) ? (found['arguments'] as unknown[]) : [];
    return typeof argument === 'object' && argument !== null ? Object.fromEntries(Object.entries(argument)) : {};
  }

  /** The next record that fits and that no earlier call has returned. */
  async next(fits: (record: HubRecord) => boolean): Promise<HubRecord> {
    for (;;) {
      if (this.faults.length > 0) throw new Error(`the hub broke the wire: ${this.faults.join('; ')}`);
      const found = this.records.find((record) => !this.#taken.has(record) && fits(record));
      if (found !== undefined) {
        this.#taken.add(found);
        return found;
      }
      if (this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`the connection ended before the record came: ${JSON.stringify(this.records)}`);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
