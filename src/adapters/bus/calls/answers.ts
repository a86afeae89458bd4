import { jsonText } from '../../../core/base/json-text.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { mostBodyBytes, mostRunning, seenLimits } from '../bus-limits.ts';
import { codeOf } from '../code-of.ts';
import type { BusLine } from '../messages/bus-line.ts';
import type { BusMessage } from '../messages/bus-message.ts';
import type { DroppedMessages } from '../messages/dropped-messages.ts';
import { SeenIds } from '../messages/seen-ids.ts';
import { KeptAnswers, type Outcome } from './kept-answers.ts';

/** A call that has come from another replica. */
type Incoming = BusMessage<'ask' | 'open'>;

/** Does what a call asks for. The value that it gives is the answer. */
type Handler = (body: unknown, call: Incoming) => Promise<unknown>;

/** Answers the calls of other replicas, each once. */
export class Answers {
  readonly #line: BusLine;
  readonly #log: Logger;
  readonly #dropped: DroppedMessages;
  readonly #handlers = new Map<string, Handler>();
  readonly #kept: KeptAnswers;
  readonly #seen: SeenIds;
  #running = 0;

  constructor(line: BusLine, log: Logger, dropped: DroppedMessages) {
    this.#line = line;
    this.#log = log;
    this.#dropped = dropped;
    const elapsed = (): number => line.clock.elapsed();
    this.#kept = new KeptAnswers(elapsed);
    this.#seen = new SeenIds(seenLimits, elapsed);
  }

  /** @throws Error when the kind has a handler already. */
  register(type: Incoming['type'], kind: string, handler: Handler): void {
    const name = `${type} ${kind}`;
    if (this.#handlers.has(name)) throw new Error(`${name} is answered already`);
    this.#handlers.set(name, handler);
  }

  take(call: Incoming): void {
    if (this.#line.carrier.now() > call.until) {
      this.#dropped.drop('late');
      return;
    }
    const kept = this.#kept.get(call.id);
    if (kept !== undefined) this.#answerAgain(call, kept);
    else this.#answerOnce(call);
  }

  #answerAgain(call: Incoming, { attempts, outcome }: { attempts: Set<number>; outcome: Promise<Outcome> }): void {
    if (attempts.has(call.attempt) || call.attempt > 2) {
      this.#dropped.drop('replayed');
      return;
    }
    attempts.add(call.attempt);
    void outcome.then((answer) => this.#send(call, answer));
  }

  #answerOnce(call: Incoming): void {
    const noted = this.#seen.note(call);
    if (noted !== 'new') {
      this.#dropped.drop(noted === 'seen' ? 'replayed' : 'overloaded');
      return;
    }
    const outcome = this.#outcomeOf(call);
    this.#kept.keep(call.id, call.attempt, outcome);
    void outcome.then((answer) => this.#send(call, answer));
  }

  async #outcomeOf(call: Incoming): Promise<Outcome> {
    const handler = this.#handlers.get(`${call.type} ${call.kind}`);
    if (handler === undefined) return { code: 'unknown_kind' };
    if (this.#running >= mostRunning) return { code: 'overloaded' };
    this.#running += 1;
    try {
      const text = jsonText(await handler(await this.#line.bodyOf(call), call));
      return Buffer.byteLength(text) > mostBodyBytes ? { code: 'payload_too_large' } : { text };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'internal') this.#log.error({ error, kind: call.kind }, 'a call of another replica failed');
      return { code };
    } finally {
      this.#running -= 1;
    }
  }

  /** An answer that cannot be sent is asked for again, or the caller gives up. */
  async #send(call: Incoming, outcome: Outcome): Promise<void> {
    const address = { to: call.from, id: call.id };
    try {
      if ('code' in outcome) await this.#line.send(address, { type: 'failure', code: outcome.code });
      else await this.#line.send(address, { type: 'answer' }, await this.#line.packText(outcome.text, mostBodyBytes));
    } catch {
      this.#log.debug({ kind: call.kind }, 'an answer to another replica could not be sent');
    }
  }
}
