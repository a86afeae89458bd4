/** What the leader of a team is told it is. */
export function leaderOf(team: string): string {
  return `You lead the team ${team}.`;
}
