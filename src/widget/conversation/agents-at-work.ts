import type { TurnEventHead, TurnHubEvents } from '../../wire/hub-events.ts';
import type { ConversationState, RunningTurn } from './conversation-state.ts';

type Activity = Omit<TurnHubEvents['AgentActivity'], keyof TurnEventHead>;

/** The name of the agent that answers by itself. Its words are the assistant's own (contract/events.md#members, `agent`). */
export const coordinator = 'coordinator';

/** Whether it is an agent that users are told the name of. A part of a restored answer names nobody. */
export function isNamed(agent: string): boolean {
  return agent !== '' && agent !== coordinator;
}

/** The state after an agent has begun or ended its work (contract/events.md#members, `AgentActivity`). */
export function agentActed(state: ConversationState, activity: Activity): ConversationState {
  const { turn } = state;
  // The text of an agent that speaks says so by itself.
  if (turn === null || activity.phase === 'speaking') return state;
  const { working = [] } = turn;
  const ended = working.findLastIndex(({ agent }) => agent === activity.agent);
  const now = activity.phase === 'started' ? [...working, activity] : working.filter((_, at) => at !== ended);
  return { ...state, turn: { ...turn, working: now, isSpeaking: false } };
}

/** The names of the agents that work now. A team is left out while its members work: they have a round, and began after it. */
export function namesAtWork(turn: RunningTurn | null): readonly string[] {
  const working = turn?.working ?? [];
  const last = working.findLastIndex(({ round }) => round !== undefined);
  const shown = working.filter(({ kind }, at) => kind !== 'team' || at >= last);
  return [...new Set(shown.map(({ agent }) => agent))];
}

/**
 * Whose words come now. The coordinator's words need a name only below those of another agent, so that nobody takes them for that
 * agent's.
 */
export function speakerOf({ entries }: ConversationState, agent: string): string {
  if (isNamed(agent)) return agent;
  const message = entries.findLastIndex(({ kind }) => kind === 'user');
  const isShared = entries.some((entry, at) => at > message && entry.kind === 'reply' && entry.speaker !== undefined);
  return isShared ? agent : '';
}
