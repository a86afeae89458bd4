import type { ConnectionHubEvents, RemainingBudget } from '../../wire/hub-events.ts';

/** What the server keeps of the user who is connected. */
export interface KeptOfUser {
  /**
   * Whether the server keeps conversations (`conversations`) and facts (`memory`) of the user. Both are false unless the user is signed in.
   */
  readonly conversations: boolean;
  readonly memory: boolean;
  /** What the user may still spend. */
  readonly budget: RemainingBudget | undefined;
}

/** What the server keeps of the user of a new connection. Null when there is nothing to show. */
export function keptOfUser({ user, settings }: ConnectionHubEvents['Connected']): KeptOfUser | null {
  const { conversations, memory, budget } = settings;
  const isKept = user.isAuthenticated && (conversations || memory);
  if (!isKept && budget === undefined) return null;
  return { conversations: isKept && conversations, memory: isKept && memory, budget };
}
