import type { Staff } from '../../agents/staff.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** The agents that the coordinator of a turn may hand over to. Undefined where there are none. */
export function staffOfTurn(
  { agents, maxToolRounds }: Pick<TurnServices, 'agents' | 'maxToolRounds'>,
  given: Pick<Staff, 'toolbox' | 'skills'>,
): Staff | undefined {
  return agents && { ...given, ...agents, maxRounds: maxToolRounds };
}
