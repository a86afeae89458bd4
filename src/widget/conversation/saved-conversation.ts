/** A turn that the next page of the tab finds again through `Resume` (contract/hub.md#when-the-line-breaks). */
export interface SavedTurn {
  readonly turnId: string;
  /** The number of the turn's last event that the user has seen. */
  readonly lastSeq: number;
  /** Whether the next page continues the turn: the turn has not ended, and the user has not stopped it. */
  readonly isRunning: boolean;
  /** The user's message as the transcript showed it. Empty once the sealed conversation holds the message. */
  readonly text: string;
}

/** What the next page of a tab needs to continue a conversation. */
export interface SavedConversation {
  /** The user of the conversation, in the form of `userOf`. */
  readonly user: string;
  /** The sealed conversation (contract/sessions.md#snapshots); null before the first turn has ended. */
  readonly snapshot: string | null;
  /** The last turn in the sealed conversation. */
  readonly snapshotTurn: string | null;
  /** The turn that runs, or that ended last. */
  readonly turn: SavedTurn | null;
}

/** Names the user of a connection: by the server's name for the user, and by the subject of the page's token where there is one. */
export function userOf(
  { isAuthenticated, name }: { readonly isAuthenticated: boolean; readonly name: string },
  subject: string,
): string {
  return `${String(isAuthenticated)} ${name} ${subject}`;
}

/** Whether a name from `userOf` belongs to a user whom the server knows. */
export function isSignedIn(user: string): boolean {
  return user.startsWith('true ');
}
