import { LiveMap } from '../../../core/base/live-map.ts';
import { AnswerFailed } from '../../../core/ports/answer-failed.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import type { BusCall } from '../../../core/ports/replica-bus.ts';
import { ReplicaGone } from '../../../core/ports/replica-gone.ts';
import { mostBodyBytes, mostPending } from '../bus-limits.ts';
import type { BusLine } from '../messages/bus-line.ts';
import type { BusMessage } from '../messages/bus-message.ts';
import type { DroppedMessages } from '../messages/dropped-messages.ts';

/** One call as it is asked. */
export interface AskedCall {
  readonly type: 'ask' | 'open';
  readonly id: string;
  readonly call: BusCall;
  readonly signal: AbortSignal | undefined;
}

interface Pending {
  readonly replica: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** The calls of this replica that wait for their answers. */
export class Asks {
  readonly #line: BusLine;
  readonly #dropped: DroppedMessages;
  readonly #pending = new LiveMap<Pending>();

  constructor(line: BusLine, dropped: DroppedMessages) {
    this.#line = line;
    this.#dropped = dropped;
  }

  /** Asks, and asks once more under the same id while no answer has come (`ReplicaBus.ask`). */
  async ask(asked: AskedCall): Promise<unknown> {
    const { call, id, signal } = asked;
    signal?.throwIfAborted();
    if (!this.#line.carrier.isUp) throw new BusAway('the bus between the replicas is away');
    if (this.#pending.size >= mostPending) throw new BusAway('too many calls wait for their answers');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = (): void => {
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(id, { replica: call.replica, resolve, reject });
    const stop = this.#send(asked, reject);
    try {
      return await promise;
    } finally {
      stop();
      this.#pending.delete(id);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** An answer has come. */
  take(message: BusMessage<'answer' | 'failure'>): void {
    const pending = this.#pending.get(message.id);
    if (pending?.replica !== message.from) {
      this.#dropped.drop('stray');
      return;
    }
    if (message.type === 'failure') pending.reject(new AnswerFailed(message.code));
    // The call may have its answer already, as it is sent twice. Nobody would then hear of a body that cannot be had.
    else void this.#line.bodyOf(message).then(pending.resolve, pending.reject);
  }

  close(): void {
    for (const { reject } of this.#pending.values()) reject(new BusAway('this replica ends'));
  }

  /** Sends the call, twice at most. Returns what ends that. */
  #send({ type, call, id }: AskedCall, reject: (reason: unknown) => void): () => void {
    const line = this.#line;
    const { answerMs, againMs } = line.times;
    const { kind, replica } = call;
    const until = line.carrier.now() + answerMs;
    const packed = line.pack(call.body, mostBodyBytes);
    packed.catch(reject);
    const attempt = async (number: number): Promise<void> => {
      const head = { type, kind, until, attempt: number } as const;
      const sending = await line.sendToLiving(replica, { id, head }, await packed);
      if (sending === 'gone') reject(new ReplicaGone('there is no such replica'));
    };
    // A first attempt that fails may have arrived all the same. The second one decides.
    void attempt(1).catch(() => undefined);
    const again = setTimeout(() => void attempt(2).catch(reject), againMs);
    const end = setTimeout(() => {
      reject(new BusAway('the other replica has not answered in time'));
    }, answerMs);
    return () => {
      clearTimeout(again);
      clearTimeout(end);
    };
  }
}
