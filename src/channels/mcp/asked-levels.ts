import type { AskedLevel } from './call-logs.ts';
import { isOwnId } from './client-abilities.ts';

/** How many levels are kept. Of more, the oldest is forgotten, and its client is sent nothing until it asks anew. */
const maxLevels = 10_000;

/**
 * The levels from which clients of the older revisions want to be sent logs, by session id. Such a client says so once, and not with each call
 * (contract/mcp-server.md#logs).
 */
export class AskedLevels {
  readonly #levels = new Map<string, AskedLevel>();

  /** Only an id as this server makes them is kept: a client may send anything, of any length. */
  ask(sessionId: unknown, level: AskedLevel): void {
    if (!isOwnId(sessionId)) return;
    this.#levels.delete(sessionId);
    this.#levels.set(sessionId, level);
    const [oldest] = this.#levels.keys();
    if (this.#levels.size > maxLevels && oldest !== undefined) this.#levels.delete(oldest);
  }

  /** Undefined for a client that has not asked, or whose level is forgotten. */
  of(sessionId: unknown): AskedLevel | undefined {
    return typeof sessionId === 'string' ? this.#levels.get(sessionId) : undefined;
  }
}
