import type { FastifyRequest } from 'fastify';
import { type Handshake, handshakeAccepted, handshakeRefused, readHandshake } from '../codec/handshake.ts';
import type { CloseOptions, HubCodec } from '../codec/hub-codec.ts';
import { fewMessages, MessageTooLarge } from '../codec/message-reader.ts';
import { RecordBuffer } from '../codec/record-buffer.ts';
import { errorTexts } from '../hub-errors.ts';
import { handshakeLimit } from '../hub-limits.ts';
import type { HubTransport } from '../hub-transport.ts';
import { Arrival } from './arrival.ts';
import { type ClientInvocationOptions, ClientInvocations, disconnected } from './client-invocations.ts';
import { CloseReasons } from './close-reasons.ts';
import type { ConnectionHandler } from './connection-handler.ts';
import type { ConnectionPhase, OpenPhase } from './connection-phase.ts';
import type { Ending } from './ending.ts';
import type { HubConnectionParts } from './hub-connection-parts.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import { StatefulSession, statefulVersion } from './stateful-session.ts';

export type HubConnectionOptions = HubConnectionParts<HubConnection>;

/**
 * One SignalR connection over any transport: handshake, records in and out, keep-alive, end. It has no timer of its own: the holder of the
 * connections calls `tick` about once a second.
 */
export class HubConnection {
  readonly id: string;
  readonly #options: HubConnectionOptions;
  readonly #reasons: CloseReasons;
  readonly #handshake: RecordBuffer;
  readonly #arrival: Arrival;
  #transport: HubTransport;
  readonly #outboxOptions: OutboxOptions;
  #outbox: Outbox | StatefulSession['outbox'];
  /** With stateful reconnect: the state that outlives the socket. */
  #stateful: StatefulSession | undefined;
  #phase: ConnectionPhase;
  #handler: ConnectionHandler | undefined;
  /** Made with the first call of the client: most connections have no call. */
  #invocations: ClientInvocations | undefined;
  #lastReceivedAt: number;
  /** False with long polling, because each poll shows that the connection is alive. */
  readonly #pings: boolean;
  /** The time when the caller's credential ends. */
  #expiresAt = Infinity;
  /** Whether the client has pinged. A client that never pings is not timed out. */
  #clientPings = false;

  constructor(options: HubConnectionOptions) {
    const { transport, limits, now, schedule } = options;
    this.id = options.id;
    this.#options = options;
    this.#reasons = new CloseReasons(options);
    this.#transport = transport;
    this.#handshake = new RecordBuffer(handshakeLimit(limits));
    this.#arrival = new Arrival(options.takeArrivalRoom, () => this.close(this.#reasons.crowded()));
    const onSlow = (): void => this.#closeWith(this.#reasons.slow());
    this.#outboxOptions = { transport, maxBufferedBytes: limits.maxBufferedBytes, now, onSlow, schedule };
    this.#outbox = new Outbox(this.#outboxOptions);
    this.#pings = transport.name !== 'LongPolling';
    this.#lastReceivedAt = now();
    this.#phase = { name: 'handshake', openedAt: this.#lastReceivedAt };
  }

  /** The current transport, or the last one while there is none. */
  get transport(): HubTransport {
    return this.#transport;
  }

  /** The handshake is done and the end has not come. */
  get open(): boolean {
    return this.#phase.name === 'open';
  }

  /** Whether the client may come back to this connection over another socket. */
  get reconnectable(): boolean {
    return this.#stateful !== undefined && this.open;
  }

  /** Sends an event to the client's handlers of that name. */
  sendEvent(target: string, argument: object): void {
    this.write((codec) => codec.event(target, argument));
  }

  /** Like `sendEvent`, for an argument that is serialised already: the hot path, nothing is serialised twice. */
  sendEventJson(target: string, argumentJson: string): void {
    this.write((codec) => codec.eventJson(target, argumentJson));
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
      this.write((codec) => codec.invocation(invocationId, target, argument));
    }, options);
  }

  /** Called when the same caller has shown a new credential. The connection now lasts as long as the new one. */
  renew(deadline: number, request: FastifyRequest): void {
    this.expireAt(deadline);
    this.#handler?.renewed?.(request);
  }

  /** Sets the time of the connection's clock when it ends with `allowReconnect`, because the caller's credential ends then. */
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

  /** Sends the queued records and a Close message, and cuts the connection `closeMs` later. */
  close(options: CloseOptions): void {
    if (this.open) this.#outbox.flush();
    this.#closeWith(options);
  }

  /** Counts further bytes of a frame that has not arrived completely. Only some transports can see such bytes. */
  arriving(bytes: number): void {
    // A client cannot ping while it sends a large message.
    if (!this.#hasEnded()) this.#arrival.grow(bytes, (this.#lastReceivedAt = this.#options.now()));
  }

  /** Bytes from the client: a whole frame. */
  receive(chunk: Buffer): void {
    if (this.#hasEnded()) return;
    this.#lastReceivedAt = this.#options.now();
    try {
      const rest = this.#phase.name === 'handshake' ? this.#shakeHands(chunk) : chunk;
      if (this.#phase.name === 'open') this.#receiveMessages(rest, this.#phase);
      if (this.#phase.name === 'open') this.#arrival.frameEnded(this.#phase.messages.held, this.#lastReceivedAt);
    } catch (error) {
      this.#closeFor(error);
    }
  }

  /** The transport refused a message over the limit before it was read. */
  refuseTooLarge(): void {
    this.#closeFor(new MessageTooLarge());
  }

  /** The transport is ending by itself: the client said goodbye, or the line broke. */
  transportEnding(ending: Ending): void {
    if (this.#hasEnded()) return;
    if (this.reconnectable && ending === 'dropped') this.#stateful?.leave(this.#options.now());
    else this.#end(ending);
  }

  /** Called when the transport has ended. */
  transportClosed(ending: Ending): void {
    this.transportEnding(ending);
    if (!this.open) this.#finish();
  }

  /** Called when the client is back over another socket. Both sides continue where they were. An earlier socket is closed. */
  reconnect(transport: HubTransport): void {
    if (this.#stateful === undefined || this.#phase.name !== 'open') {
      transport.terminate();
      return;
    }
    const [earlier, { codec }] = [this.#transport, this.#phase];
    this.#transport = transport;
    earlier.terminate();
    if (codec.isBinary) transport.useBinary?.();
    // An unfinished message of the earlier socket can never be completed, so a new reader begins.
    this.#phase = { name: 'open', codec, messages: codec.newReader(this.#options.limits.maxMessageBytes) };
    this.#arrival.end();
    this.#lastReceivedAt = this.#options.now();
    this.#stateful.comeBack(transport);
    this.#handler?.cameBack?.();
  }

  /** Looks at the clock: pings, timeouts, and cutting what does not end. */
  tick(): void {
    const now = this.#options.now();
    const { timings } = this.#options;
    this.#transport.tick?.(now);
    if (this.#phase.name === 'closing') {
      if (now >= this.#phase.cutAt) this.#transport.terminate();
    } else if (this.#phase.name === 'handshake') {
      if (now - this.#phase.openedAt >= timings.handshakeMs) this.#closeWith({ error: errorTexts.handshakeTimeout });
    } else if (this.#phase.name === 'open') {
      this.#tickOpen(now, this.#phase.codec);
    }
  }

  #tickOpen(now: number, codec: HubCodec): void {
    const { timings } = this.#options;
    const awaySince = this.#stateful?.awaySince;
    this.#stateful?.tick(now);
    if (now >= this.#expiresAt) {
      this.close({ allowReconnect: true });
    } else if (awaySince !== undefined) {
      if (now - awaySince >= timings.reconnectMs) this.#end('lost');
    } else if (now - (this.#arrival.since ?? now) >= timings.arrivalMs) {
      this.close(this.#reasons.stalled());
    } else if (this.#clientPings && now - this.#lastReceivedAt >= timings.clientTimeoutMs) {
      this.close(this.#reasons.silent());
    } else if (this.#pings && now - this.#outbox.lastSentAt >= timings.keepAliveMs) {
      this.#outbox.pushControl(codec.ping);
    }
  }

  #hasEnded(): boolean {
    return this.#phase.name === 'closing' || this.#phase.name === 'closed';
  }

  /** Returns the bytes after the handshake. */
  #shakeHands(chunk: Buffer): Buffer {
    const first = this.#handshake.takeFirst(chunk);
    if (first === undefined) return Buffer.alloc(0);
    const carriesBinary = this.#transport.useBinary !== undefined;
    this.#accept(readHandshake(first.record, { carriesBinary }));
    return first.rest;
  }

  #receiveMessages(chunk: Buffer, { codec, messages }: OpenPhase): void {
    for (const record of fewMessages(messages.take(chunk), this.#options.limits.maxMessagesPerFrame)) {
      const message = codec.read(record, this.#options.crowding);
      if (this.#stateful?.admits(message) === false) continue;
      if (message.kind === 'ping') this.#clientPings = true;
      else if (message.kind === 'close') this.#sayGoodbye();
      else if (message.kind === 'completion') this.#invocations?.settle(message);
      else this.#handler?.receive(message);
      if (this.#hasEnded()) return;
    }
  }

  #accept({ codec, version }: Handshake): void {
    const { limits } = this.#options;
    const transport = this.#transport;
    if (codec.isBinary) transport.useBinary?.();
    // The answer is sent in a frame of its own, so that no client has to handle further messages in the same frame.
    transport.send(handshakeAccepted);
    this.#phase = { name: 'open', codec, messages: codec.newReader(limits.maxMessageBytes) };
    if (this.#options.stateful === true && version >= statefulVersion) {
      this.#stateful = new StatefulSession({ ...this.#outboxOptions, ...limits, codec });
      this.#outbox = this.#stateful.outbox;
    }
    const handler = this.#options.onOpen(this);
    if (this.open) this.#handler = handler;
    else handler.ended('dropped');
  }

  #sayGoodbye(): void {
    this.#end('graceful');
    this.#transport.close();
  }

  #closeFor(error: unknown): void {
    const reason = this.#reasons.of(error, this);
    if (reason === undefined) this.#options.log.warn({ error }, 'a hub connection failed');
    this.close(reason ?? { error: errorTexts.closed });
  }

  #closeWith(options: CloseOptions): void {
    const transport = this.#transport;
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
    this.#arrival.end();
    this.#outbox.discard();
    this.#invocations?.abandon();
    this.#handler?.ended(ending);
    this.#handler = undefined;
    // Without a socket, the connection does not wait for the socket to close.
    if (this.#stateful?.awaySince !== undefined) this.#finish();
  }

  #finish(): void {
    if (this.#phase.name === 'closed') return;
    this.#phase = { name: 'closed' };
    this.#options.onClosed();
  }
}
