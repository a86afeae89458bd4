import type { HelperSettings } from '../../config/settings.ts';
import { Roster, type RosterAgent } from '../../core/agents/roster.ts';
import type { RemoteAgent } from '../../core/ports/remote-agent.ts';
import { agentRules } from '../../core/prompt/instructions.ts';
import type { TurnServices } from '../../core/turn/live/turn-services.ts';
import type { CurrentAgents } from './current-agents.ts';

/** The agents beside the coordinator, as turns use them. Undefined where there are none. */
export function agentsOfTurns(
  settings: HelperSettings,
  { definitions, models }: CurrentAgents,
  remotes: { of(name: string): RemoteAgent | undefined },
): TurnServices['agents'] {
  if (definitions.length === 0) return undefined;
  const agents = definitions.flatMap((definition): readonly RosterAgent[] => {
    if (definition.kind === 'remote') {
      const remote = remotes.of(definition.name);
      return remote === undefined ? [] : [{ definition, remote }];
    }
    const model = models.get(definition.name);
    if (model === undefined) return [];
    // Both are the same to people, but TypeScript knows a member of the union only by its kind.
    return definition.kind === 'team' ? [{ definition, model }] : [{ definition, model }];
  });
  return {
    roster: new Roster(agents),
    rules: agentRules(settings),
    showsFaults: settings.includeWorkflowExceptionDetails,
  };
}
