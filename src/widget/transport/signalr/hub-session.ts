import { CountedMessages } from './counted-messages.ts';
import { faultIn, readFields, readMessage, RecordReader, type ServerMessage, writeRecord } from './hub-messages.ts';
import type { Ending, HubSessionOptions } from './hub-session-options.ts';
import { mostWaiting } from './hub-timings.ts';
import { IdleTimer } from './idle-timer.ts';
import { limited } from './limited.ts';
import type { Negotiated } from './negotiate.ts';
import { openTransport } from './open-transport.ts';
import { type CallOptions, PendingCalls } from './pending-calls.ts';
import { runHandler } from './run-handler.ts';
import type { Transport, TransportListener } from './transport.ts';
import { openWebSocket } from './web-socket.ts';

/** The protocol's numbers of the messages that are sent here. */
const ping = 6;
const close = 7;

/** Milliseconds for which an acknowledgement may wait. */
const acknowledgeMs = 1000;
/** Characters after which the acknowledgement is sent at once. The server stops sending when too many are not acknowledged. */
const acknowledgedAtOnce = 2 ** 15;

/** One connection as the server knows it, from its handshake to its end. With stateful reconnect the connection outlives its line. */
export class HubSession {
  readonly #options: HubSessionOptions;
  readonly #calls = new PendingCalls();
  readonly #life = new AbortController();
  readonly #silence: IdleTimer;
  readonly #pause: IdleTimer;
  #transport: Transport | null = null;
  #reader = new RecordReader(mostWaiting);
  #negotiated: Negotiated | null = null;
  /** Null without stateful reconnect. */
  #counted: CountedMessages | null = null;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;
  #ending: Ending | null = null;
  /** Takes the server's handshake while it is awaited. */
  #shaken: ((error: unknown) => void) | null = null;
  #isOpen = false;
  #restoring: Promise<void> | null = null;

  constructor(options: HubSessionOptions) {
    const { keepAliveMs, serverTimeoutMs } = options.timings;
    this.#options = options;
    this.#pause = new IdleTimer(keepAliveMs, () => this.#sendUncounted(writeRecord({ type: ping })));
    this.#silence = new IdleTimer(serverTimeoutMs, () => this.#lose(new Error('the server is silent')));
  }

  get negotiated(): Negotiated | null {
    return this.#negotiated;
  }

  /** Whether the session is open and has a line. */
  get isOnLine(): boolean {
    return this.#isOpen && this.#transport !== null;
  }

  /** Whether the session is open and its line is being restored. */
  get isInterrupted(): boolean {
    return this.#isOpen && this.#transport === null;
  }

  /** Resolves when no line is being restored any more. */
  async settled(): Promise<void> {
    await this.#restoring;
  }

  /** Opens the session: negotiation, transport, handshake. MUST be called once. */
  async open(signal: AbortSignal): Promise<void> {
    const { timings } = this.#options;
    const listener = this.#listener();
    const { transport, negotiated } = await openTransport({ ...this.#options, listener }, signal);
    this.#transport = transport;
    this.#negotiated = negotiated;
    try {
      await limited(timings.handshakeMs, signal, (limit) => this.#shakeHands(transport, limit));
    } catch (error) {
      transport.cut();
      this.#end({ reason: error, mayReconnect: true });
    }
    if (this.#ending !== null) throw errorOf(this.#ending.reason);
  }

  /** Sends a call and gives it an id. Resolves with its result. For a stream it resolves when the stream has ended. */
  call(call: object, options: CallOptions): Promise<unknown> {
    return this.#calls.make((message) => this.send(message), call, options);
  }

  /**
   * Sends a message.
   * @throws Error when the message cannot be sent, or when too many messages wait.
   */
  send(message: object): void {
    const waiting = this.#counted?.length ?? this.#transport?.waiting ?? 0;
    if (!this.#isOpen) throw new Error('not connected');
    if (waiting > mostWaiting) throw new Error('too much waits');
    const record = writeRecord(message);
    this.#counted?.keep(record);
    this.#transport?.send(record);
    this.#pause.touch();
  }

  /** Ends a line that is known to be dead, without waiting for its silence to be noticed. */
  cut(): void {
    if (this.isOnLine) this.#lose(new Error('offline'));
  }

  /** Says goodbye. Resolves when that is done, or after a while. */
  async close(): Promise<void> {
    if (this.#isOpen) this.#transport?.send(writeRecord({ type: close }));
    await this.#part({ reason: null, mayReconnect: false });
  }

  /** Ends the session after the goodbye of either side. */
  async #part(ending: Ending): Promise<void> {
    const transport = this.#transport;
    this.#transport = null;
    this.#end(ending);
    await transport?.close();
  }

  #shakeHands(transport: Transport, signal: AbortSignal): Promise<void> {
    const version = this.#negotiated?.isStateful === true ? 2 : 1;
    return new Promise((resolve, reject) => {
      this.#shaken = (error) => {
        this.#shaken = null;
        if (error === undefined) resolve();
        else reject(errorOf(error));
      };
      signal.addEventListener('abort', () => this.#shaken?.(signal.reason));
      transport.send(writeRecord({ protocol: 'json', version }));
    });
  }

  #listener(): TransportListener {
    return { onText: (text) => this.#take(text), onEnded: (fault) => this.#lose(fault) };
  }

  /** A message that cannot be understood ends the session. Receiving it again would not help. */
  #take(text: string): void {
    this.#silence.touch();
    try {
      for (const record of this.#reader.take(text)) {
        if (this.#ending !== null) return;
        if (this.#shaken === null) this.#receive(readMessage(record), record.length);
        else this.#accept(readFields(record), this.#shaken);
      }
    } catch (error) {
      this.#end({ reason: error, mayReconnect: true });
    }
    if (this.isOnLine && this.#transport?.isPolled !== true) this.#pause.check();
  }

  #accept(answer: Readonly<Record<string, unknown>>, shaken: (error: unknown) => void): void {
    const fault = 'type' in answer ? new Error('no handshake') : faultIn(answer);
    if (fault !== null) {
      shaken(fault);
      return;
    }
    this.#isOpen = true;
    shaken(undefined);
    if (this.#negotiated?.isStateful === true) this.#counted = new CountedMessages();
    this.#startTimers();
    // A counting client must show that it is ready before the server sends its first message.
    if (this.#counted !== null) this.#sendUncounted(writeRecord({ type: ping }));
  }

  #receive(message: ServerMessage, length: number): void {
    if (this.#counted?.admits(message, length) === false) return;
    switch (message.type) {
      case 1:
        void runHandler(message, this.#options.handlers.get(message.target), (completion) => {
          if (this.#isOpen) this.send(completion);
        });
        break;
      case 2:
      case 3:
        this.#calls.receive(message);
        break;
      case 7:
        void this.#part({
          reason: faultIn(message, 'Server returned an error on close: '),
          mayReconnect: message.allowReconnect === true,
        });
        break;
      case 6:
      case 8:
      case 9:
        break;
    }
    if (this.#counted !== null) this.#acknowledgeInTime(this.#counted);
  }

  #acknowledgeInTime(counted: CountedMessages): void {
    if (counted.unacknowledged > acknowledgedAtOnce) this.#acknowledge(counted);
    else if (counted.unacknowledged > 0) {
      this.#acknowledging ??= setTimeout(() => this.#acknowledge(counted), acknowledgeMs);
    }
  }

  #acknowledge(counted: CountedMessages): void {
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
    if (this.#transport !== null) this.#sendUncounted(counted.acknowledgement());
  }

  #sendUncounted(record: string): void {
    this.#transport?.send(record);
    this.#pause.touch();
  }

  #startTimers(): void {
    if (this.#transport?.isPolled === true) return;
    this.#pause.start();
    this.#silence.start();
  }

  #stopTimers(): void {
    this.#pause.stop();
    this.#silence.stop();
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
  }

  /** Handles the loss of the line. */
  #lose(fault: unknown): void {
    if (this.#counted === null || !this.isOnLine) this.#end({ reason: fault, mayReconnect: true });
    else this.#restoring = this.#restore(this.#counted, fault).finally(() => (this.#restoring = null));
  }

  /** Restores the same connection over another socket, in one attempt. After that the server may have given it up. */
  async #restore(counted: CountedMessages, fault: unknown): Promise<void> {
    const { requests, timings, onInterrupted, reconnectDelay, delay } = this.#options;
    this.#stopTimers();
    this.#transport?.cut();
    this.#transport = null;
    this.#reader = new RecordReader(mostWaiting);
    // The server's message may arrive before the promise of the open socket has resolved.
    counted.awaitSequence();
    onInterrupted();
    await delay.wait(reconnectDelay(-1, fault) ?? 0);
    const { connectionToken = '' } = this.#negotiated ?? {};
    try {
      const transport = await limited(timings.restoreMs, this.#life.signal, async (signal) => {
        await requests.token.read();
        signal.throwIfAborted();
        return openWebSocket({ requests, connectionToken, timings, listener: this.#listener() }, signal);
      });
      this.#transport = transport;
      // The session has ended in the meantime.
      if (this.#ending !== null) transport.cut();
      else this.#goOn(counted);
    } catch {
      this.#end({ reason: fault, mayReconnect: true });
    }
  }

  #goOn(counted: CountedMessages): void {
    this.#sendUncounted(counted.replay());
    this.#startTimers();
    this.#options.onRestored();
  }

  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    const wasOpen = this.#isOpen;
    this.#ending = ending;
    this.#isOpen = false;
    this.#stopTimers();
    this.#life.abort();
    this.#transport?.cut();
    this.#transport = null;
    this.#shaken?.(ending.reason);
    this.#calls.abandon(new Error('lost', { cause: ending.reason }));
    if (wasOpen) this.#options.onEnded(ending);
  }
}

/** The reason as an error. A connection that ends without a reason before it was open has failed. */
function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('ended at once');
}
