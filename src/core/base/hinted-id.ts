import { randomId } from './random-id.ts';

/** What stands before the dot of an id that says where to look first. */
const hint = /^([a-z2-7]{8})\.[A-Za-z0-9_-]{22}$/;

/**
 * An id that says which replica has made it, `<replica>.<random>` (contract/replicas.md). The random part alone makes the id unguessable.
 * Without a replica, the id is a `randomId`.
 */
export function hintedId(replica: string | undefined): string {
  return replica === undefined ? randomId() : `${replica}.${randomId()}`;
}

/** The replica that has made an id. Undefined for an id that says nothing of one. The id is a client's, so the replica may be none of ours. */
export function makerOf(id: string): string | undefined {
  return hint.exec(id)?.[1];
}
