import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import type { AskedRun, ResumeEntry } from './read-input.ts';
import { Threads } from './threads.ts';
import { TurnRun } from './turn-run.ts';

export interface RunsOptions {
  readonly assistant: Assistant;
  readonly clock: Pick<Clock, 'now'>;
  readonly withdrawn: string;
}

/** Who sends a request. */
export interface RunCaller {
  readonly principal: Principal;
  readonly authorization: string | undefined;
  /** The key by which turns of callers without a name are counted. */
  readonly address: string;
  readonly traceparent: string | undefined;
}

/** Stands in place of what the assistant has said: a client's word for it is not taken. */
const answered = '[This was answered. The answer is not kept.]';

/** The turns of clients of AG-UI (contract/ag-ui.md#runs). */
export class Runs {
  readonly #options: RunsOptions;
  readonly #threads: Threads;
  /** The turns that run, by their ids. */
  readonly #running = new Map<string, TurnRun>();

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#threads = new Threads(options.assistant, options.clock);
  }

  /** Begins the turn of a message. */
  begin(threadId: string, { message, earlier }: AskedRun, { traceparent, ...caller }: RunCaller): TurnRun {
    const { session, isNew } = this.#threads.of(threadId, caller);
    if (isNew) takeUpEarlier(session, earlier);
    const turn = session.startNow(message, { traceparent });
    if (caller.principal.kind !== 'signed-in') {
      void turn.result.then(() => {
        session.close('connection-closed');
      });
    }
    return this.#read(turn);
  }

  /**
   * Takes the answers to questions, and goes on with the turn of the first.
   * @throws HelperError as `Assistant.answerConfirmation`, for the first answer that is not taken.
   */
  async resume(entries: readonly ResumeEntry[], { principal }: RunCaller): Promise<TurnRun> {
    const { assistant } = this.#options;
    const [first] = entries;
    if (first === undefined) throw new HelperError('invalid_request', 'resume must have an answer.');
    // Looked for before the answer is given: the turn may end with it.
    const turn = await assistant.turnOfConfirmation(first.interruptId, principal);
    const run = turn === undefined || turn === 'later' ? undefined : this.#read(turn);
    for (const entry of entries) await assistant.answerConfirmation(answerIn(entry), principal);
    if (run === undefined) throw new HelperError('nothing_to_answer', 'The run of this question is over.');
    return run;
  }

  /** Ends all conversations. */
  close(): void {
    this.#threads.close();
  }

  #read(turn: Turn): TurnRun {
    const known = this.#running.get(turn.id);
    if (known !== undefined) return known;
    const run = new TurnRun(turn, this.#options.withdrawn);
    this.#running.set(turn.id, run);
    void turn.result.then(() => this.#running.delete(turn.id));
    return run;
  }
}

/** The answer of a user. What the user has left without one is declined. */
function answerIn({
  interruptId: actionId,
  status,
  payload,
}: ResumeEntry): Parameters<Assistant['answerConfirmation']>[0] {
  if (status === 'cancelled') return { actionId, approved: false };
  if (payload?.approved === undefined)
    throw new HelperError('invalid_request', 'An answer that is resolved needs the payload {approved: true or false}.');
  const { approved, arguments: edited } = payload;
  return { actionId, approved, ...(edited === undefined ? {} : { arguments: edited }) };
}

/** What the user has said in a conversation that this server does not know. */
function takeUpEarlier(session: Session, earlier: readonly string[]): void {
  if (earlier.length === 0) return;
  const at = Date.now();
  session.replaceConversation(
    earlier.flatMap((text) => [
      { message: { role: 'user', text }, at },
      { message: { role: 'assistant', text: answered, toolCalls: [] }, at },
    ]),
  );
}
