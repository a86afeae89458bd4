import type { TeamDefinition, TeamMode, TeamOptions } from './agent-definition.ts';

/** The options that each mode reads, beside `maxRounds` and `maxTokens` (contract/agents.md#definitions). */
export const optionsOfMode: Readonly<Record<TeamMode, readonly (keyof TeamOptions)[]>> = {
  sequential: ['chainOnlyAgentResponses'],
  concurrent: ['aggregator'],
  groupChat: ['manager'],
  handoff: ['start', 'handoffs', 'returnToPrevious'],
  magentic: ['manager', 'maxStalls', 'maxResets'],
};

const usualRounds = 12;

/** Fills in the options that a team leaves out. */
export function withTeamDefaults(
  { members }: Pick<TeamDefinition, 'members'>,
  given: Partial<TeamOptions>,
): TeamOptions {
  return {
    maxRounds: given.maxRounds ?? Math.max(usualRounds, members.length),
    maxTokens: given.maxTokens,
    chainOnlyAgentResponses: given.chainOnlyAgentResponses ?? false,
    aggregator: given.aggregator ?? 'concat',
    manager: given.manager ?? 'roundRobin',
    start: given.start ?? members[0] ?? '',
    handoffs: given.handoffs ?? [],
    returnToPrevious: given.returnToPrevious ?? false,
    maxStalls: given.maxStalls ?? 3,
    maxResets: given.maxResets ?? 2,
  };
}

/** The given options that the mode of the team does not read. */
export function idleOptions(mode: TeamMode, given: object): readonly string[] {
  const read: readonly string[] = ['maxRounds', 'maxTokens', ...optionsOfMode[mode]];
  return Object.keys(given).filter((option) => !read.includes(option));
}
