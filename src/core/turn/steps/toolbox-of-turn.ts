import { untilStopped } from '../../base/until-stopped.ts';
import { readerOf } from '../../identity/may-read.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * The tools for the caller of a turn, which keeps them to its end. Waits for tools that come only when somebody needs them.
 * @throws the reason of the turn's signal after a Stop.
 */
export function toolboxOfTurn(
  turn: LiveTurn,
  services: Pick<TurnServices, 'toolbox' | 'wakeTools'>,
): Toolbox | Promise<Toolbox> {
  const present = (): Toolbox => {
    const toolbox = services.toolbox().of(readerOf(turn.principal));
    return turn.request.channel.isTextOnly ? toolbox.withoutPages : toolbox;
  };
  const waking = services.wakeTools?.(turn);
  return waking === undefined ? present() : untilStopped(waking, turn.signal).then(present);
}
