import { HubSocket } from './hub-socket.ts';
import type { HoldJob, HoldResult } from './load-job.ts';

const inFlight = 64;

/** Opens hub connections, a few at a time, and leaves them open. */
export async function holdConnections({ port, path, connections }: HoldJob): Promise<HoldResult> {
  const faults: string[] = [];
  const begin = performance.now();
  let opened = 0;
  const listener = {
    records: () => undefined,
    broken: (reason: string) => {
      faults.push(reason);
    },
  };
  const openInTurn = async (): Promise<void> => {
    while (opened < connections) {
      opened++;
      await new HubSocket({ port, path }, listener).opened();
    }
  };
  try {
    await Promise.all(Array.from({ length: inFlight }, openInTurn));
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return { seconds: (performance.now() - begin) / 1000, faults: faults.slice(0, 5) };
}
