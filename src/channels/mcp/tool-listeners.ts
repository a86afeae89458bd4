import { createHash } from 'node:crypto';
import type { DirectCaller } from '../../core/direct/direct-call.ts';
import type { DirectCalls } from '../../core/direct/direct-calls.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { readerOf } from '../../core/identity/may-read.ts';
import { type Answer, cut, onceOver } from '../shared/once-over.ts';

/** Milliseconds for which changes are gathered, so that many at once are told once. */
const gatheredMs = 100;

/** Milliseconds between two looks at which streams have to end. */
const lookMs = 1000;

/** How many callers are checked side by side. The host's own check of a user may ask another server. */
const checkedAtOnce = 20;

/** A client that is told of changes of its list of tools, over a stream that it has opened. */
export interface ListeningClient {
  readonly caller: DirectCaller;
  /** The caller as a request would be let in now. Rejects where it would be refused. */
  readonly callerNow: () => Promise<DirectCaller>;
  /** When the token of the caller expires, in epoch milliseconds. Undefined: never. */
  readonly expiresAt: number | undefined;
  /** The answer with the stream. */
  readonly answer: Answer;
  /** Tells that the list has changed. */
  readonly tell: () => void;
  /** Ends the stream. A second call does nothing. */
  readonly end: () => void;
}

export interface ToolListenersOptions {
  readonly direct: Pick<DirectCalls, 'onOfferChange'>;
  /** The list of tools of a caller, as it would be sent now. */
  readonly listOf: (caller: DirectCaller) => Promise<unknown>;
}

interface Listener {
  readonly client: ListeningClient;
  /** A digest of the list that the client has been able to read since it was told last. */
  known: Promise<string>;
}

type DigestOf = (caller: DirectCaller) => Promise<string>;

/**
 * The clients that are told of changes of their lists of tools (contract/mcp-server.md#changed-lists). A client is told only when its own
 * list differs from the one before, so that nobody learns of changes in what others may use.
 */
export class ToolListeners {
  readonly #options: ToolListenersOptions;
  readonly #open = new Set<Listener>();
  readonly #leave: () => void;
  #looking: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  /** How many changes there were. */
  #changes = 0;

  constructor(options: ToolListenersOptions) {
    this.#options = options;
    this.#leave = options.direct.onOfferChange(() => {
      this.#changed();
    });
  }

  /** Tells this client of changes until nobody reads its stream any more. */
  add(client: ListeningClient): void {
    // The client reads its list after this. So a change while the digest is made is told at worst once too often.
    const listener = { client, known: this.#digestOf(client.caller) };
    // A digest that failed is none that another one could be like.
    listener.known.catch(() => undefined);
    this.#open.add(listener);
    this.#looking ??= setInterval(() => {
      this.#look();
    }, lookMs).unref();
    onceOver(client.answer, () => {
      this.#open.delete(listener);
      if (this.#open.size > 0) return;
      clearInterval(this.#looking);
      this.#looking = undefined;
    });
  }

  /** Ends all streams. */
  close(): void {
    this.#leave();
    clearTimeout(this.#telling);
    for (const { client } of this.#open) client.end();
  }

  /** Ends the streams of those whose token has expired, and of those who do not read. */
  #look(): void {
    for (const { client } of this.#open) {
      if (client.answer.raw.writableNeedDrain) cut(client.answer);
      else if (client.expiresAt !== undefined && Date.now() >= client.expiresAt) client.end();
    }
  }

  #changed(): void {
    if (this.#open.size === 0) return;
    this.#changes += 1;
    this.#telling ??= setTimeout(() => void this.#tellAll(), gatheredMs).unref();
  }

  async #tellAll(): Promise<void> {
    const changes = this.#changes;
    const digestOf = this.#sharedDigests();
    const listeners = [...this.#open];
    const lane = async (): Promise<void> => {
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift())
        await tellIfChanged(next, digestOf);
    };
    await Promise.all(Array.from({ length: checkedAtOnce }, lane));
    this.#telling = undefined;
    if (this.#changes > changes) this.#changed();
  }

  /** Makes one digest for all callers who are offered the same because of who they are. */
  #sharedDigests(): DigestOf {
    const made = new Map<string, Promise<string>>();
    return (caller) => {
      const { roles, tenant } = readerOf(caller.principal);
      const key = JSON.stringify([caller.principal.kind, tenant, [...roles].toSorted()]);
      const digest = made.get(key) ?? this.#digestOf(caller);
      made.set(key, digest);
      return digest;
    };
  }

  async #digestOf(caller: DirectCaller): Promise<string> {
    const list = await this.#options.listOf(caller);
    return createHash('sha256').update(JSON.stringify(list)).digest('base64');
  }
}

/**
 * Never rejects: whoever may not come in any more is told nothing, and its stream ends. Where nobody can say whether the list has changed, the
 * client is told that it may have: it reads its list, and meets the fault if that lasts.
 */
async function tellIfChanged(listener: Listener, digestOf: DigestOf): Promise<void> {
  const { client } = listener;
  try {
    const caller = await client.callerNow();
    const digest = digestOf(caller);
    const isKnown = await isSame(listener.known, digest);
    listener.known = digest;
    digest.catch(() => undefined);
    if (!isKnown) client.tell();
  } catch (error) {
    if (isRefusal(error)) client.end();
    else client.tell();
  }
}

async function isSame(before: Promise<string>, now: Promise<string>): Promise<boolean> {
  const [known, digest] = await Promise.allSettled([before, now]);
  return known.status === 'fulfilled' && digest.status === 'fulfilled' && known.value === digest.value;
}

/** Whether the caller may not come in. */
function isRefusal(error: unknown): boolean {
  return error instanceof HelperError && (error.code === 'unauthenticated' || error.code === 'forbidden');
}
