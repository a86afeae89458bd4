import type { ReplicaBus } from '../ports/replica-bus.ts';
import { turnKinds } from './turn-messages.ts';

/** Milliseconds in which all turns that become free are told together. */
const togetherMs = 10;

/**
 * Tells the other replicas that turns of this one are free. Replicas that miss it find the turns when they look the next time. The returned
 * function resolves once it was told, and never rejects.
 */
export function tellReleased(bus: ReplicaBus): () => Promise<void> {
  let telling: Promise<void> | undefined;
  const tell = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, togetherMs));
    telling = undefined;
    await bus.tell(turnKinds.released, null).catch(() => undefined);
  };
  return () => (telling ??= tell());
}
