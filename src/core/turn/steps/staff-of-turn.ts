import type { Roster } from '../../agents/roster.ts';
import type { Staff } from '../../agents/staff.ts';
import type { TurnRequest } from '../../request/turn-request.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * The agents that the request may reach, whoever its caller is. Undefined where there are none. A message of another agent reaches no remote
 * agent (contract/a2a-server.md#tasks).
 */
export function rosterOfTurn(
  { channel }: Pick<TurnRequest, 'channel'>,
  { agents }: Pick<TurnServices, 'agents'>,
): Roster | undefined {
  return channel.isFromAgent ? agents?.roster.withoutRemotes : agents?.roster;
}

/** The agents that the coordinator of a turn may hand over to. Undefined where there are none. */
export function staffOfTurn(
  { agents, maxToolRounds }: Pick<TurnServices, 'agents' | 'maxToolRounds'>,
  { roster, ...given }: Pick<Staff, 'toolbox' | 'skills'> & { readonly roster: Roster | undefined },
): Staff | undefined {
  return agents && roster && { ...given, ...agents, roster, maxRounds: maxToolRounds };
}
