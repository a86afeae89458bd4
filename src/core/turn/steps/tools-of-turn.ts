import { tenantOf } from '../../identity/principal.ts';
import { namesIn } from '../../tool-filter/find-tools.ts';
import { everyTool, type OfferedTools } from '../../tool-filter/offered-tools.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'prompt/tools';

/** The tools that were chosen for a turn. Recorded as JSON. */
interface ChosenForTurn {
  readonly names: readonly string[];
}

/**
 * The tools of a toolbox that are sent to the model with the message of a turn (contract/tool-filter.md). Returned without a promise where
 * all tools are sent, so that the model does not wait. A turn that continues from a record sends the recorded tools, or all tools if the
 * record has none.
 * @throws TurnStopped after a Stop.
 */
export function toolsOfTurn(
  turn: LiveTurn,
  toolbox: Toolbox,
  { toolFilter }: TurnServices,
): OfferedTools | Promise<OfferedTools> {
  const { record, request, options, signal } = turn;
  if (toolFilter === undefined) return everyTool;
  if (!record.has(key) && (record.isReplay || !toolFilter.appliesTo(toolbox))) return everyTool;
  const choose = async (): Promise<ChosenForTurn> => {
    turn.requireRunning();
    const question = {
      text: request.message.text,
      recent: options.recentWords,
      used: namesIn(options.history.map(({ message }) => message)),
      tenant: tenantOf(request.caller.principal),
      signal,
    };
    return { names: await toolFilter.choose(toolbox, question) };
  };
  const chosen = record.step(key, choose, { kind: 'prompt', part: 'tools' });
  return chosen.then(({ names }) => toolFilter.offering(toolbox, names));
}
