import type { FastifyRequest } from 'fastify';
import { type ClientInvocationOptions, ClientInvocations, disconnected } from './client-invocations.ts';
import type { ClientMessage } from './client-message.ts';
import type { Ending } from './ending.ts';
import { handshakeAccepted, handshakeRefused, readHandshake } from './handshake.ts';
import type { CloseOptions, HubCodec } from './hub-codec.ts';
import { errorTexts, HubProtocolError } from './hub-errors.ts';
import type { HubLimits, HubLog, HubTimings } from './hub-limits.ts';
import type { HubTransport } from './hub-transport.ts';
import { type MessageReader, MessageTooLarge } from './message-reader.ts';
import { Outbox } from './outbox.ts';
import { RecordBuffer } from './record-buffer.ts';

/** Takes what a connection brings once its handshake is done. */
export interface ConnectionHandler {
  receive(message: ClientMessage): void;
  /** The caller has shown a new credential with `request`. */
  renewed?(request: FastifyRequest): void;
  /** Called once. Nothing can be sent any more. */
  ended(ending: Ending): void;
}

/** What one connection is made of. */
export interface HubConnectionOptions {
  readonly id: string;
  readonly transport: HubTransport;
  readonly limits: HubLimits;
  readonly timings: HubTimings;
  readonly settingNames: { readonly maxMessageBytes: string; readonly maxBufferedBytes: string };
  readonly log: HubLog;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  /** Called when the handshake was accepted and answered. */
  readonly onOpen: (connection: HubConnection) => ConnectionHandler;
  /** Called once, when the transport is gone. */
  readonly onClosed: () => void;
}

const noBytes = Buffer.alloc(0);

/** `closing`: the connection has ended, its socket is still there and is cut at `cutAt`. */
type Phase =
  | { readonly name: 'handshake'; readonly openedAt: number }
  | { readonly name: 'open'; readonly codec: HubCodec; readonly messages: MessageReader }
  | { readonly name: 'closing'; readonly cutAt: number }
  | { readonly name: 'closed' };

/**
 * One SignalR connection over any transport: handshake, records in and out, keep-alive, end. It owns no timer: `tick`
 * is called about once a second by who holds the connections.
 */
export class HubConnection {
  readonly id: string;
  readonly #options: HubConnectionOptions;
  readonly #handshake: RecordBuffer;
  readonly #outbox: Outbox;
  #phase: Phase;
  #handler: ConnectionHandler | undefined;
  /** Made with the first call: most connections have none. */
  #invocations: ClientInvocations | undefined;
  #lastReceivedAt: number;
  /** Each poll shows by itself that the line is alive. */
  readonly #pings: boolean;
  /** When the caller's credential ends. */
  #expiresAt = Infinity;
  /** Clients that never ping are not timed out. */
  #clientPings = false;

  constructor(options: HubConnectionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#handshake = new RecordBuffer(options.limits.maxMessageBytes);
    this.#outbox = new Outbox({
      transport: options.transport,
      maxBufferedBytes: options.limits.maxBufferedBytes,
      now: options.now,
      onSlow: () => {
        this.#closeSlow();
      },
    });
    this.#pings = options.transport.name !== 'LongPolling';
    this.#lastReceivedAt = options.now();
    this.#phase = { name: 'handshake', openedAt: this.#lastReceivedAt };
  }

  get transport(): HubTransport {
    return this.#options.transport;
  }

  /** The handshake is done and the end has not come. */
  get open(): boolean {
    return this.#phase.name === 'open';
  }

  /** Sends an event to the client's handlers of that name. */
  sendEvent(target: string, argument: object): void {
    this.write((codec) => codec.event(target, JSON.stringify(argument)));
  }

  /** Like `sendEvent`, for an argument that is serialised already: the hot path, nothing is serialised twice. */
  sendEventJson(target: string, argumentJson: string): void {
    if (this.#phase.name === 'open') this.#outbox.push(this.#phase.codec.event(target, argumentJson));
  }

  /**
   * Calls the client's handler of that name and resolves to what it returns: the client's own words, so untrusted. May be
   * awaited inside a method, also while others wait for it.
   * @throws ClientInvocationError, or the signal's reason
   */
  async invokeClient(target: string, argument: object, options: ClientInvocationOptions): Promise<unknown> {
    if (!this.open) throw disconnected();
    this.#invocations ??= new ClientInvocations(this.#options.limits.maxClientInvocations);
    return this.#invocations.ask((invocationId) => {
      this.write((codec) => codec.invocation(invocationId, target, JSON.stringify(argument)));
    }, options);
  }

  /** The same caller has shown a new credential: the connection lives as long as that one. */
  renew(deadline: number, request: FastifyRequest): void {
    this.expireAt(deadline);
    this.#handler?.renewed?.(request);
  }

  /** Ends the connection with `allowReconnect` at a time of its clock: its caller's credential lives no longer. */
  expireAt(deadline: number): void {
    this.#expiresAt = deadline;
  }

  /** Queues a record. What cannot be serialised ends this connection, and only this one. */
  write(record: (codec: HubCodec) => string): void {
    if (this.#phase.name !== 'open') return;
    let text: string;
    try {
      text = record(this.#phase.codec);
    } catch (error) {
      this.#options.log.warn({ error }, 'a hub message could not be serialised');
      this.close({ error: `${errorTexts.closed} A message could not be serialised.` });
      return;
    }
    this.#outbox.push(text);
  }

  /** Ends the connection with a Close message after what was sent before, and cuts it `closeMs` later. */
  close(options: CloseOptions): void {
    if (this.open) this.#outbox.flush();
    this.#closeWith(options);
  }

  /** Bytes from the client. */
  receive(chunk: Buffer): void {
    if (this.#hasEnded()) return;
    this.#lastReceivedAt = this.#options.now();
    try {
      const rest = this.#phase.name === 'handshake' ? this.#shakeHands(chunk) : chunk;
      if (this.#phase.name === 'open') this.#receiveMessages(rest, this.#phase);
    } catch (error) {
      this.#closeFor(error);
    }
  }

  /** The transport refused a message over the limit before it was read. */
  refuseTooLarge(): void {
    this.#closeFor(new MessageTooLarge());
  }

  /** The transport is on its way out by itself: the client said goodbye, or the line broke. */
  transportEnding(ending: Ending): void {
    if (!this.#hasEnded()) this.#end(ending);
  }

  /** The transport is gone. */
  transportClosed(ending: Ending): void {
    if (this.#phase.name === 'closed') return;
    this.transportEnding(ending);
    this.#phase = { name: 'closed' };
    this.#options.onClosed();
  }

  /** Looks at the clock: pings, timeouts, and cutting what does not end. */
  tick(): void {
    const now = this.#options.now();
    const { timings, transport } = this.#options;
    transport.tick?.(now);
    if (this.#phase.name === 'closing') {
      if (now >= this.#phase.cutAt) transport.terminate();
    } else if (this.#phase.name === 'handshake') {
      if (now - this.#phase.openedAt >= timings.handshakeMs) this.#closeWith({ error: errorTexts.handshakeTimeout });
    } else if (this.#phase.name === 'open') {
      if (this.#clientPings && now - this.#lastReceivedAt >= timings.clientTimeoutMs) this.#closeSilent();
      else if (now >= this.#expiresAt) this.close({ allowReconnect: true });
      else if (this.#pings && now - this.#outbox.lastSentAt >= timings.keepAliveMs)
        this.#outbox.push(this.#phase.codec.ping);
    }
  }

  #hasEnded(): boolean {
    return this.#phase.name === 'closing' || this.#phase.name === 'closed';
  }

  /** Returns what came behind the handshake. */
  #shakeHands(chunk: Buffer): Buffer {
    const first = this.#handshake.takeFirst(chunk);
    if (first === undefined) return noBytes;
    const carriesBinary = this.#options.transport.useBinary !== undefined;
    this.#accept(readHandshake(first.record, { carriesBinary }));
    return first.rest;
  }

  #receiveMessages(chunk: Buffer, { codec, messages }: Extract<Phase, { readonly name: 'open' }>): void {
    for (const record of messages.take(chunk)) {
      const message = codec.read(record);
      if (message.kind === 'ping') this.#clientPings = true;
      else if (message.kind === 'close') this.#sayGoodbye();
      else if (message.kind === 'completion') this.#invocations?.settle(message);
      else this.#handler?.receive(message);
      if (this.#hasEnded()) return;
    }
  }

  #accept(codec: HubCodec): void {
    const { transport, limits } = this.#options;
    if (codec.isBinary) transport.useBinary?.();
    // A frame of its own: no client has to expect more behind the answer.
    transport.send(handshakeAccepted);
    this.#phase = { name: 'open', codec, messages: codec.newReader(limits.maxMessageBytes) };
    const handler = this.#options.onOpen(this);
    if (this.open) this.#handler = handler;
    else handler.ended('dropped');
  }

  #sayGoodbye(): void {
    this.#end('graceful');
    this.#options.transport.close();
  }

  #closeFor(error: unknown): void {
    if (error instanceof MessageTooLarge) {
      const { limits, settingNames } = this.#options;
      const limit = `${String(limits.maxMessageBytes)} bytes (${settingNames.maxMessageBytes})`;
      this.close({ error: `${errorTexts.closed} A message is larger than the limit of ${limit}.` });
    } else if (error instanceof HubProtocolError) {
      this.close({ error: this.open ? `${errorTexts.closed} ${error.message}` : error.message });
    } else {
      this.#options.log.warn({ error }, 'a hub connection failed');
      this.close({ error: errorTexts.closed });
    }
  }

  #closeSlow(): void {
    const { limits, settingNames } = this.#options;
    const limit = `${String(limits.maxBufferedBytes)} bytes (${settingNames.maxBufferedBytes})`;
    this.#closeWith({ error: `The client reads too slowly: more than ${limit} are waiting.`, allowReconnect: true });
  }

  #closeSilent(): void {
    const seconds = String(this.#options.timings.clientTimeoutMs / 1000);
    this.close({ error: `The client has not sent a message or ping for ${seconds} s.`, allowReconnect: true });
  }

  #closeWith(options: CloseOptions): void {
    const { transport } = this.#options;
    if (this.#phase.name === 'handshake') {
      transport.send(handshakeRefused(options.error ?? errorTexts.handshakeTimeout));
    } else if (this.#phase.name === 'open') {
      transport.send(this.#phase.codec.close(options));
    } else {
      return;
    }
    this.#end('dropped');
    transport.close();
  }

  #end(ending: Ending): void {
    this.#phase = { name: 'closing', cutAt: this.#options.now() + this.#options.timings.closeMs };
    this.#outbox.discard();
    this.#invocations?.abandon();
    this.#handler?.ended(ending);
    this.#handler = undefined;
  }
}
