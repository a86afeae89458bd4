import type { Assistant } from '../../core/assistant.ts';
import { atMost } from '../../core/base/at-most.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import { reportSecurity } from '../../core/identity/report-security.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { SessionSnapshots } from '../../core/sessions/snapshot/session-snapshots.ts';
import type { ApproveAnswer } from '../../wire/control-bodies.ts';
import { restoredSession } from '../shared/restored-session.ts';
import type { ApproveOptions, HelperSession, HelperTurn, RestoredConversation, SendOptions } from './helper-session.ts';
import { readAnswer, readSend, readSnapshot } from './read-arguments.ts';
import { TurnReader } from './turn-reader.ts';

/** Milliseconds for which `close` waits for the turn that it ends. An action may ignore its signal. */
const lastEndMs = 2_000;

export interface InProcessSessionOptions {
  readonly assistant: Assistant;
  readonly snapshots: SessionSnapshots;
  readonly principal: Principal;
  /** Bytes of events that may wait for their reader. */
  readonly maxBufferedBytes: number;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Called once. */
  readonly onClosed: () => void;
}

/** One session of the core for the program around it (contract/in-process.md). */
export class InProcessSession implements HelperSession {
  readonly #options: InProcessSessionOptions;
  readonly #session: Session;
  /** Reads the turn that the running restore has begun. */
  #copy: TurnReader | undefined;
  #isRestoring = false;
  #closing: Promise<void> | undefined;

  constructor(options: InProcessSessionOptions) {
    this.#options = options;
    this.#session = options.assistant.openSession({
      channel: 'in-process',
      principal: options.principal,
      onCopy: (turn) => {
        this.#copy = this.#reader();
        this.#copy.follow(turn);
      },
    });
  }

  get conversationId(): string {
    return this.#session.conversationId;
  }

  send(text: string, options?: SendOptions): HelperTurn {
    const read = readSend(text, options);
    const reader = this.#reader(read.signal);
    void this.#session.send(read.message, { ...read.options, signal: reader.signal }).then((turn) => {
      reader.follow(turn);
    });
    return reader;
  }

  async approve(actionId: string, approved: boolean, options?: ApproveOptions): Promise<ApproveAnswer> {
    const answer = readAnswer(actionId, approved, options);
    const { assistant, principal } = this.#options;
    try {
      return await assistant.answerConfirmation(answer, principal);
    } catch (error) {
      this.#noteOwnerFault(error, answer.actionId);
      throw error;
    }
  }

  async stop(): Promise<boolean> {
    return this.#session.stop('user');
  }

  async snapshot(): Promise<string> {
    return this.#options.snapshots.save(this.#session);
  }

  async restore(snapshot: string): Promise<RestoredConversation> {
    const sealed = readSnapshot(snapshot);
    if (this.#isRestoring) throw new HelperError('turn_in_progress', 'A conversation is being restored already.');
    this.#isRestoring = true;
    try {
      const restored = await this.#options.snapshots.restore(this.#session, sealed);
      return { ...restoredSession(restored), events: this.#takeCopy() };
    } finally {
      this.#isRestoring = false;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const turn = this.#session.activeTurn;
    this.#session.close('connection-closed');
    this.#options.onClosed();
    if (turn !== undefined) await atMost(lastEndMs, turn.result);
  }

  /** The events of the turn that a restore has begun. Empty when the restore has begun no turn. */
  #takeCopy(): HelperTurn {
    const copy = this.#copy;
    this.#copy = undefined;
    if (copy !== undefined) return copy;
    const none = this.#reader();
    none.end();
    return none;
  }

  #reader(signal?: AbortSignal): TurnReader {
    return new TurnReader({ maxBufferedBytes: this.#options.maxBufferedBytes, signal });
  }

  #noteOwnerFault(error: unknown, actionId: string): void {
    if (!(error instanceof HelperError)) return;
    const { code: reason } = error;
    if (reason !== 'unauthenticated' && reason !== 'not_owner') return;
    const who = this.#options.principal.userKey;
    reportSecurity({ what: 'approve_refused', reason, who, actionId }, this.#options);
  }
}
