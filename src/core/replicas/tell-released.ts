import type { ReplicaBus } from '../ports/replica-bus.ts';
import { turnKinds } from './turn-messages.ts';

/** Milliseconds in which all turns that become free are told together. */
const togetherMs = 10;

/** Tells the other replicas that turns of this one are free. Replicas that miss it find the turns when they look the next time. */
export function tellReleased(bus: ReplicaBus): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      bus.tell(turnKinds.released, null).catch(() => undefined);
    }, togetherMs);
  };
}
