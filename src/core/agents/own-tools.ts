import type { Tool } from '../tools/tool.ts';
import type { WrittenAgent } from './written-agent.ts';

/** The tools that only one of these agents has. */
export function ownToolsOf(agents: readonly Pick<WrittenAgent, 'definition'>[]): readonly Tool[] {
  return agents.flatMap(({ definition }) => (definition.kind === 'specialist' ? definition.ownTools : []));
}
