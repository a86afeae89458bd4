/** Stands before a request in the conversation of the agent to whom it is handed over. */
export const requestMark = 'For you: ';

/** What the leader of a team is told it is. */
export function leaderOf(team: string): string {
  return `You lead the team ${team}.`;
}
