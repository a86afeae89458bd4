import type { ConnectionHubEvents, RemainingBudget } from '../../wire/hub-events.ts';

/** What the server keeps of the user who is connected. */
export interface KeptOfUser {
  /** Conversations, and facts, of a signed-in user. */
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
