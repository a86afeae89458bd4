import type { ReplicaBus } from '../ports/replica-bus.ts';
import type { ReleasedTurn } from '../turn/kept/drain.ts';
import { sentReleased, turnKinds } from './turn-messages.ts';

/** Milliseconds in which all turns that become free are told together. */
const togetherMs = 10;
/** The most turns that are told together, so that what is told fits into a message. */
const mostTold = 500;

/**
 * Tells the other replicas which turns of this one are free. Replicas that miss it find the turns when they look the next time. The returned
 * function resolves once it was told, and never rejects.
 */
export function tellReleased(bus: ReplicaBus): (turn: ReleasedTurn) => Promise<void> {
  let turns: ReleasedTurn[] = [];
  let telling: Promise<void> | undefined;
  const tell = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, togetherMs));
    const released = turns;
    telling = undefined;
    turns = [];
    for (let first = 0; first < released.length; first += mostTold) {
      const told = sentReleased(released.slice(first, first + mostTold));
      await bus.tell(turnKinds.released, told).catch(() => undefined);
    }
  };
  return (turn) => {
    turns.push(turn);
    return (telling ??= tell());
  };
}
