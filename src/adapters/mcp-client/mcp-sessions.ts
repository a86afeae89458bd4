import { McpFault } from './mcp-fault.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { McpLimits } from './mcp-limits.ts';

/** Opens a connection. What else belongs to it is closed with it. */
export type OpenSession = (signal: AbortSignal) => Promise<OpenedSession>;

export interface OpenedSession {
  readonly connection: McpConnection;
  close(): Promise<void>;
}

interface Session {
  readonly opening: Promise<OpenedSession>;
  uses: number;
  /** Since when nobody uses it, on the clock of `performance.now()`. */
  idleSince: number;
}

/** The key of the connection that all users share. */
export const sharedKey = '';

/** The beginning of the keys of those who are not signed in. */
export const strangerKey = 'stranger ';

/** The connections with one MCP server, by who uses them. Those that nobody has used for a while are closed, except for the shared one. */
export class McpSessions {
  readonly #limits: Pick<McpLimits, 'idleMs' | 'sessions'>;
  readonly #closing = new AbortController();
  readonly #sessions = new Map<string, Session>();
  /** The ends of sessions under way. */
  readonly #ending = new Set<Promise<void>>();
  readonly #keepsShared: boolean;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: Pick<McpLimits, 'idleMs' | 'sessions'>, keepsShared: boolean) {
    this.#limits = limits;
    this.#keepsShared = keepsShared;
  }

  /** Runs `work` with the connection of a key, which is opened where there is none. @throws what opening or the work throws. */
  async use<Value>(
    key: string,
    open: OpenSession,
    work: (connection: McpConnection) => Promise<Value>,
  ): Promise<Value> {
    if (this.#closing.signal.aborted) throw new McpFault('not-sent', 'is being closed');
    const session = this.#sessions.get(key) ?? this.#open(key, open);
    session.uses += 1;
    try {
      const { connection } = await session.opening;
      return await work(connection);
    } finally {
      session.uses -= 1;
      session.idleSince = performance.now();
    }
  }

  /** Ends the connection of a key, and what is under way on it. The next use opens another. */
  drop(key: string): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.#sessions.delete(key);
    const ending = session.opening
      .then((opened) => opened.close())
      .catch(() => undefined)
      .then(() => {
        this.#ending.delete(ending);
      });
    this.#ending.add(ending);
  }

  /** Ends all connections. Resolves once they have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new McpFault('not-sent', 'is being closed'));
    clearInterval(this.#sweep);
    for (const key of [...this.#sessions.keys()]) this.drop(key);
    await Promise.all(this.#ending);
  }

  #open(key: string, open: OpenSession): Session {
    this.#makeRoom(key);
    const session: Session = { opening: open(this.#closing.signal), uses: 0, idleSince: performance.now() };
    this.#sessions.set(key, session);
    session.opening.catch(() => {
      if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    });
    this.#sweep ??= setInterval(() => this.#closeIdle(), this.#limits.idleMs / 4).unref();
    return session;
  }

  /**
   * Those of strangers end first, and a stranger ends no other's: what a user has in a program is not lost because strangers come.
   * @throws McpFault where there is no room.
   */
  #makeRoom(key: string): void {
    if (this.#sessions.size < this.#limits.sessions) return;
    const idle = [...this.#sessions].filter(([one, { uses }]) => uses === 0 && !this.#isKept(one));
    const ofStrangers = idle.filter(([one]) => one.startsWith(strangerKey));
    const mayEnd = ofStrangers.length > 0 || key.startsWith(strangerKey) ? ofStrangers : idle;
    const [longest] = mayEnd.sort(([, one], [, other]) => one.idleSince - other.idleSince);
    if (longest === undefined) throw new McpFault('not-sent', 'has too many connections');
    this.drop(longest[0]);
  }

  #closeIdle(): void {
    const until = performance.now() - this.#limits.idleMs;
    for (const [key, { uses, idleSince }] of [...this.#sessions]) {
      if (uses === 0 && idleSince < until && !this.#isKept(key)) this.drop(key);
    }
  }

  #isKept(key: string): boolean {
    return key === sharedKey && this.#keepsShared;
  }
}
