import type { Assistant } from '../../core/assistant.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Session } from '../../core/sessions/session.ts';
import { ClientTools } from './client-tools.ts';
import type { TurnRun } from './turn-run.ts';

/** How long a conversation that nobody goes on with is held, in milliseconds. */
const idleMs = 30 * 60_000;

/** The most conversations that are held of one user. */
const mostOfUser = 20;

/** The most that are held in all. */
const mostInAll = 5_000;

type Opening = Omit<Parameters<Assistant['openSession']>[0], 'channel' | 'uiActions'>;

/** A conversation of this server. */
export interface Thread {
  readonly session: Session;
  readonly tools: ClientTools;
  /** Its newest turn. */
  run?: TurnRun;
  /** Whether its client has shown its user something. */
  hasContext?: boolean;
}

interface HeldThread extends Thread {
  readonly owner: string;
  usedAt: number;
}

/**
 * The conversations of signed-in users, by the ids that their clients have chosen (contract/ag-ui.md#threads). A thread belongs to its user:
 * the same id of another user is another thread. Idle ones are forgotten, the least used first.
 */
export class Threads {
  readonly #assistant: Pick<Assistant, 'openSession'>;
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order in which they were used. */
  readonly #threads = new Map<string, HeldThread>();

  constructor(assistant: Pick<Assistant, 'openSession'>, clock: Pick<Clock, 'now'>) {
    this.#assistant = assistant;
    this.#clock = clock;
  }

  /** The conversation of this thread. Undefined where nothing is known of what was said in it. */
  find(threadId: string, { principal, authorization }: Opening): Thread | undefined {
    this.#forgetIdle();
    const key = keyOf(threadId, principal);
    const known = key === undefined ? undefined : this.#threads.get(key);
    if (key === undefined || known === undefined || principal === undefined) return undefined;
    known.session.renew(principal, authorization);
    this.#use(key, known);
    return known;
  }

  /** Begins the conversation of this thread. */
  begin(threadId: string, opening: Opening): Thread {
    const tools = new ClientTools();
    const session = this.#assistant.openSession({ ...opening, channel: 'agui', uiActions: tools });
    const key = keyOf(threadId, opening.principal);
    if (key === undefined) return { session, tools };
    const owner = session.principal.userKey;
    this.#makeRoom(owner);
    const thread: HeldThread = { session, tools, owner, usedAt: this.#clock.now() };
    this.#threads.set(key, thread);
    return thread;
  }

  /** Ends all conversations. */
  close(): void {
    for (const key of this.#threads.keys()) this.#forget(key);
  }

  #use(key: string, thread: HeldThread): void {
    thread.usedAt = this.#clock.now();
    this.#threads.delete(key);
    this.#threads.set(key, thread);
  }

  /** A conversation whose user is asked something is in use. */
  #forgetIdle(): void {
    const since = this.#clock.now() - idleMs;
    for (const [key, thread] of this.#threads) {
      if (thread.usedAt >= since) return;
      if (thread.session.activeTurn === undefined) this.#forget(key);
      else this.#use(key, thread);
    }
  }

  #makeRoom(owner: string): void {
    const own = [...this.#threads].filter(([, thread]) => thread.owner === owner);
    if (own.length >= mostOfUser) this.#forgetOldest(own);
    if (this.#threads.size >= mostInAll) this.#forgetOldest([...this.#threads]);
  }

  /** One whose user is asked something goes last. */
  #forgetOldest(threads: readonly (readonly [string, HeldThread])[]): void {
    const [key] = threads.find(([, { session }]) => session.activeTurn === undefined) ?? threads[0] ?? [];
    if (key !== undefined) this.#forget(key);
  }

  #forget(key: string): void {
    this.#threads.get(key)?.session.close('connection-closed');
    this.#threads.delete(key);
  }
}

/** A client chooses the id, so that others might guess it. Without a user it names nothing. */
function keyOf(threadId: string, principal: Opening['principal']): string | undefined {
  return principal?.kind === 'signed-in' ? JSON.stringify([principal.userKey, threadId]) : undefined;
}
