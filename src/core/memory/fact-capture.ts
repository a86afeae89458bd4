import { atMost } from '../base/at-most.ts';
import type { Classifier } from '../classifier/classifier.ts';
import { tenantOfKey } from '../identity/user-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { MemoryStore, PendingCapture } from '../ports/memory-store.ts';
import type { CallerMetrics, Metrics } from '../ports/metrics.ts';
import { untilRetry } from '../base/until-retry.ts';
import { extractFacts } from './extract-facts.ts';
import type { FactRanking } from './fact-ranking.ts';

/** Captures that run at the same time, each of another user. */
const atOnce = 2;
/** Most captures that wait in this process. Further captures are left to the next start. */
const mostWaiting = 1_000;
/** Most captures of one user that wait. */
const mostOfUser = 20;
/** Most captures that a failing store has not taken yet. They are in memory alone. */
const mostUnkept = 1_000;
/** Attempts in one process. */
const mostAttempts = 3;
/** Milliseconds until a failed capture is tried again, times the attempts so far. */
const againAfterMs = 60_000;
/** Milliseconds a turn waits at its end until what was said is kept. */
const longestWaitMs = 2_000;
/** Milliseconds an erasure waits for an attempt under way. */
const longestAttemptMs = 10_000;

/** A kept capture does not have the roles of its user, so its calls are made without roles. */
const noRoles: ReadonlySet<string> = new Set();

const tooMany = 'too many messages wait to be looked through for facts: the next start looks through this one';

export interface FactCaptureOptions {
  readonly store: MemoryStore;
  /** Whether facts are looked for now. A reload may have turned this off: then captures that wait are dropped. Default: true. */
  readonly isOn?: () => boolean;
  /** Called for each capture, because a reload may have brought another classifier. */
  readonly classifier: () => Classifier;
  /** Called for each capture, because a reload may have brought another ranking. */
  readonly ranking: () => FactRanking;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of'>;
}

/** What a user has said and the store has not taken yet. */
interface Unkept {
  readonly capture: PendingCapture;
  attempts: number;
  /** The attempt under way. */
  attempt: Promise<void>;
}

interface Waiting {
  readonly capture: PendingCapture;
  readonly attempts: number;
}

/**
 * Looks for facts in what users have said. This work runs after a turn and never delays one (contract/memory.md#capture). Each kept message
 * is looked at once, by this process or by the next one. The messages of one user are looked at one after the other.
 */
export class FactCapture {
  readonly #options: FactCaptureOptions;
  readonly #closing = new AbortController();
  readonly #busy = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #unkept = new Set<Unkept>();
  #waiting: Waiting[] = [];
  #isKeeping = false;

  constructor(options: FactCaptureOptions) {
    this.#options = options;
  }

  /**
   * Keeps what was said, and looks for facts in it later. Resolves once the message is durable, once the store has failed, or once that takes
   * too long. What the store has not taken is tried again beside the turns. Never rejects, because a turn does not fail when its memory fails.
   */
  async keep(capture: PendingCapture): Promise<void> {
    const unkept: Unkept = { capture, attempts: 0, attempt: Promise.resolve() };
    this.#unkept.add(unkept);
    await atMost(longestWaitMs, this.#tryToKeep(unkept));
  }

  /** Nothing that this user has said is kept from now on, unless it was kept already. The user is being erased. */
  async forget(userKey: string): Promise<void> {
    const theirs = [...this.#unkept].filter(({ capture }) => capture.userKey === userKey);
    for (const unkept of theirs) this.#unkept.delete(unkept);
    await atMost(longestAttemptMs, Promise.all(theirs.map(({ attempt }) => attempt)));
  }

  /**
   * Goes on with what earlier processes have left. Where replicas share the store, it may be called again: then it takes what those have left
   * that died since. Rejects when the store fails.
   */
  async takeUp(): Promise<void> {
    const { store } = this.#options;
    for (const capture of await store.pending()) {
      if (this.#closing.signal.aborted) return;
      if (this.#isFull(capture.userKey)) continue;
      const isOurs = (await store.captures?.claim(capture.turnId)) ?? true;
      if (isOurs) this.#enqueue({ capture, attempts: 0 });
    }
  }

  /** Stops all captures. Where the store outlives this process, the next process takes up the rest. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server ends'));
    for (const timer of this.#timers) clearTimeout(timer);
    this.#waiting = [];
    await atMost(longestWaitMs, Promise.all([...this.#unkept].map((unkept) => this.#tryToKeep(unkept))));
    for (const unkept of this.#unkept) this.#giveUp(unkept);
  }

  /** One attempt after the other. Never rejects. */
  #tryToKeep(unkept: Unkept): Promise<void> {
    unkept.attempt = unkept.attempt.then(() => this.#attempt(unkept));
    return unkept.attempt;
  }

  async #attempt(unkept: Unkept): Promise<void> {
    // The user was erased, or an attempt before this one has succeeded.
    if (!this.#unkept.has(unkept)) return;
    const { capture } = unkept;
    const { store, log } = this.#options;
    const { turnId } = capture;
    try {
      const isNew = await store.pend(capture);
      // An earlier attempt may have succeeded although its answer was lost.
      const isOurs = isNew || (unkept.attempts > 0 && (await store.isPending(turnId)));
      if (!this.#unkept.delete(unkept) || !isOurs) return;
      if (this.#isFull(capture.userKey)) log.warn({ turnId }, tooMany);
      else this.#enqueue({ capture, attempts: 0 });
    } catch (error) {
      unkept.attempts += 1;
      if (unkept.attempts === 1) log.warn({ error, turnId }, 'what was said could not be kept for the memory yet');
      if (!this.#unkept.has(unkept) || this.#closing.signal.aborted) return;
      const ofUser = [...this.#unkept].filter((other) => other.capture.userKey === capture.userKey);
      if (this.#unkept.size > mostUnkept || ofUser.length > mostOfUser) this.#giveUp(unkept);
      else void this.#keepUnkept();
    }
  }

  /** Tries again until the store has taken everything. */
  async #keepUnkept(): Promise<void> {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    for (let failures = 0; this.#unkept.size > 0;) {
      await untilRetry(failures);
      if (this.#closing.signal.aborted) break;
      failures += 1;
      for (const unkept of this.#unkept) {
        if (this.#options.isOn?.() === false) this.#unkept.delete(unkept);
        await this.#tryToKeep(unkept);
        // The store fails, so the others need not be tried now. This one must not keep them waiting.
        if (this.#unkept.delete(unkept)) {
          this.#unkept.add(unkept);
          break;
        }
        failures = 0;
      }
    }
    this.#isKeeping = false;
  }

  #giveUp(unkept: Unkept): void {
    const { capture } = unkept;
    this.#unkept.delete(unkept);
    this.#counted(capture).factsCaptured('dropped');
    this.#options.log.warn({ turnId: capture.turnId }, 'what was said could not be kept for the memory');
  }

  /** Whether no further capture of this user may wait. The bound for one user keeps the others from waiting for that user. */
  #isFull(userKey: string): boolean {
    if (this.#waiting.length + this.#timers.size >= mostWaiting) return true;
    return this.#waiting.filter(({ capture }) => capture.userKey === userKey).length >= mostOfUser;
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#next();
  }

  #next(): void {
    if (this.#closing.signal.aborted || this.#busy.size >= atOnce) return;
    const index = this.#waiting.findIndex(({ capture }) => !this.#busy.has(capture.userKey));
    const [waiting] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (waiting === undefined) return;
    const { userKey } = waiting.capture;
    this.#busy.add(userKey);
    void this.#run(waiting).finally(() => {
      this.#busy.delete(userKey);
      this.#next();
    });
    this.#next();
  }

  async #run({ capture, attempts }: Waiting): Promise<void> {
    const { log } = this.#options;
    const { turnId } = capture;
    try {
      this.#counted(capture).factsCaptured(await this.#capture(capture));
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#counted(capture).factsCaptured('failed');
      const isLast = attempts + 1 >= mostAttempts;
      log.warn({ error, turnId, isLast }, 'a message could not be looked through for facts');
      // After the last attempt, the next start tries again, where the store outlives this process.
      if (!isLast) this.#again({ capture, attempts: attempts + 1 });
    }
  }

  async #capture(capture: PendingCapture): Promise<'changed' | 'nothing'> {
    const { store, classifier, ranking: asked, clock } = this.#options;
    const ranking = asked();
    const { userKey, turnId } = capture;
    if (!(await store.isPending(turnId))) return 'nothing';
    if (this.#options.isOn?.() === false) {
      await store.drop(turnId);
      return 'nothing';
    }
    const facts = await store.facts(userKey);
    const extraction = { capture, facts, now: clock.now(), signal: this.#closing.signal };
    const spender = { userKey, roles: noRoles, tenant: tenantOfKey(userKey), conversationId: capture.conversationId };
    const models = { classifier: classifier().for(spender), ranking };
    const change = (await extractFacts(extraction, models)) ?? { add: [], replace: [], remove: [] };
    const isChange = change.add.length + change.replace.length + change.remove.length > 0;
    if (!(await store.change(userKey, change, turnId)) || !isChange) return 'nothing';
    // Nothing waits for these vectors: neither the next message of this user nor the capture of another user.
    void store.facts(userKey).then(
      (changed) => ranking.prepare(userKey, changed),
      () => undefined,
    );
    return 'changed';
  }

  #counted({ userKey }: PendingCapture): Pick<CallerMetrics, 'factsCaptured'> {
    return this.#options.metrics.of(tenantOfKey(userKey));
  }

  #again(waiting: Waiting): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#enqueue(waiting);
    }, againAfterMs * waiting.attempts).unref();
    this.#timers.add(timer);
  }
}
