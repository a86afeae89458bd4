import { readerOf } from '../../identity/may-read.ts';
import { noSkills, type OfferedSkills } from '../../skills/offered-skills.ts';
import { untilStopped } from '../../base/until-stopped.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * The skills that the user of a turn is offered (contract/skills.md). Returned without a promise where there are no skills or they are
 * already known, so that the model does not wait.
 * @throws TurnStopped after a Stop.
 */
export function skillsOfTurn(
  { request, signal }: LiveTurn,
  conversation: object,
  { skills }: TurnServices,
): OfferedSkills | Promise<OfferedSkills> {
  if (skills === undefined) return noSkills;
  const reader = readerOf(request.caller.principal);
  const list = skills.of(conversation);
  return list instanceof Promise
    ? untilStopped(list, signal).then((read) => read.offeredTo(reader))
    : list.offeredTo(reader);
}
