import type { PassageVector } from '../../../../../core/ports/passage-vector-store.ts';
import type { MakeCall } from '../../messages.ts';
import type { VectorStore } from './vector-store.ts';

/** What vectors are shared with. */
export interface SharingParts {
  readonly store: VectorStore;
  /** The identity of the model. */
  readonly identity: string;
  readonly call: MakeCall;
  readonly signal: AbortSignal;
}

/** How many vectors are asked for at once. The main thread reads them, and serves users between two calls. */
const askedAtOnce = 100;

/**
 * Takes the vectors that other servers or an earlier process have kept, for all texts that have none. `written` is called after vectors were
 * written.
 * @throws Error of SQLite. @throws the reason of the signal.
 */
export async function takeKept(parts: SharingParts, written: (count: number) => void): Promise<void> {
  const { store, identity, call, signal } = parts;
  let { texts, last } = store.missing(0, askedAtOnce);
  while (texts.length > 0) {
    const found = await call('find', { identity, hashes: texts.map(({ hash }) => hash) });
    signal.throwIfAborted();
    store.write(found);
    if (found.length > 0) written(found.length);
    ({ texts, last } = store.missing(last, askedAtOnce));
  }
}

/** Keeps vectors for other servers and later starts. Returns false when they were not kept. @throws the reason of the signal. */
export async function keep(
  { identity, call, signal }: SharingParts,
  vectors: readonly PassageVector[],
): Promise<boolean> {
  const isKept = await call('keep', { identity, vectors });
  signal.throwIfAborted();
  return isKept;
}

/**
 * Says that all vectors of the index are in use, and keeps those that are kept nowhere else. Returns false when this could not be done.
 * @throws Error of SQLite. @throws the reason of the signal.
 */
export async function useAll(parts: SharingParts): Promise<boolean> {
  const { store, identity, call, signal } = parts;
  let hashes = store.hashes('', askedAtOnce);
  while (hashes.length > 0) {
    const unknown = await call('use', { identity, hashes });
    signal.throwIfAborted();
    if (unknown === undefined) return false;
    if (unknown.length > 0 && !(await keep(parts, store.vectorsOf(unknown)))) return false;
    hashes = store.hashes(hashes.at(-1) ?? '', askedAtOnce);
  }
  return true;
}
