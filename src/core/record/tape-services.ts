import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordSealer } from '../ports/record-sealer.ts';
import type { TurnStore } from '../ports/turn-store.ts';
import type { RecordLine } from './record-line.ts';

/** From when on turns are kept: from their first question, or from their beginning (`server.durableTurns`). */
export type TapePolicy = 'question' | 'always';

/** What the tapes of all turns have in common. */
export interface TapeServices {
  readonly store: TurnStore;
  readonly sealer: RecordSealer;
  /** The mark that stands for a user key in the store. */
  readonly markOf: (userKey: string) => string;
  readonly policy: TapePolicy;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds a turn is kept after its end (`server.resumeWindow`). */
  readonly resumeWindowMs: number;
  /** Called when a delivery is stored. */
  readonly onDelivery?: () => void;
}

/** What a tape begins with. */
export interface TapeBeginning {
  /** JSON of the turn's header. */
  readonly header: string;
  /** The user of the turn. */
  readonly userKey: string;
  readonly lines: readonly RecordLine[];
}
