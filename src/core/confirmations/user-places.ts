/** The most confirmations that one user may have open at a time (contract/limits.md#callers). */
export const maxOpenConfirmationsPerUser = 20;

/** How many confirmations each user has open. */
export class UserPlaces {
  readonly #taken = new Map<string, number>();

  /**
   * Takes one of the user's places. Call it before anything is awaited, so that parallel calls cannot all see the last place as free.
   * False: no place is left.
   */
  take(userKey: string): boolean {
    const taken = this.#taken.get(userKey) ?? 0;
    if (taken >= maxOpenConfirmationsPerUser) return false;
    this.#taken.set(userKey, taken + 1);
    return true;
  }

  giveBack(userKey: string): void {
    const left = (this.#taken.get(userKey) ?? 1) - 1;
    if (left === 0) this.#taken.delete(userKey);
    else this.#taken.set(userKey, left);
  }
}
