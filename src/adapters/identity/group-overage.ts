import type { Logger } from '../../core/ports/logger.ts';

/** Milliseconds between two lines, because every token of such a user is one. */
const pauseMs = 60 * 60_000;

/** Tells the operator that Entra leaves groups out of the tokens of users who have many. Roles by group do not count for them. */
export class GroupOverage {
  readonly #log: Logger;
  readonly #now: () => number;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor({ log, now }: { readonly log: Logger; readonly now: () => number }) {
    this.#log = log;
    this.#now = now;
  }

  note(claims: Readonly<Record<string, unknown>>): void {
    if (!leavesOutGroups(claims) || this.#now() - this.#toldAt < pauseMs) return;
    this.#toldAt = this.#now();
    this.#log.warn(
      { oid: claims['oid'] },
      'Entra has left the groups out of the token of a user who has too many: roles by group do not count for such users. In the application’s token configuration choose "Groups assigned to the application", or use app roles',
    );
  }
}

/** Whether a token only names where its groups could be asked for. */
export function leavesOutGroups({
  _claim_names: names,
  hasgroups,
  groups,
}: Readonly<Record<string, unknown>>): boolean {
  const isElsewhere = typeof names === 'object' && names !== null && 'groups' in names;
  return groups === undefined && (isElsewhere || hasgroups === true || hasgroups === 'true');
}
