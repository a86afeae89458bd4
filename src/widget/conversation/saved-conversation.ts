/** A turn as the next page of a tab finds it again: by `Resume` (contract/hub.md#when-the-line-breaks). */
export interface SavedTurn {
  readonly turnId: string;
  /** What the user has seen of it. */
  readonly lastSeq: number;
  /** It is to go on: it has not ended, and the user has not asked for its end. */
  readonly isRunning: boolean;
  /** What the user asked, as it was shown, until the sealed conversation holds it; empty from then on. */
  readonly text: string;
}

/** What the next page of a tab needs to go on with a conversation. */
export interface SavedConversation {
  /** Whose it is, as `userOf` says. */
  readonly user: string;
  /** The sealed conversation (contract/sessions.md#snapshots); null before the first turn has ended. */
  readonly snapshot: string | null;
  /** The last turn in it. */
  readonly snapshotTurn: string | null;
  /** The turn that runs, or ended last. */
  readonly turn: SavedTurn | null;
}

/** Whose a connection is: by the server's name for him, and by whom the page's token is about, where there is one. */
export function userOf(
  { isAuthenticated, name }: { readonly isAuthenticated: boolean; readonly name: string },
  subject: string,
): string {
  return `${String(isAuthenticated)} ${name} ${subject}`;
}

/** Whether such a name is one of a user who is known to the server. */
export function isSignedIn(user: string): boolean {
  return user.startsWith('true ');
}
