import type { Classifier } from '../classifier/classifier.ts';
import type { ChatReducer } from '../ports/chat-reducer.ts';
import type { Compaction } from './compact-history.ts';
import type { TokenEstimates } from './token-estimates.ts';

/** What decides how much of a conversation a turn sends. */
export interface HistoryServices {
  readonly estimates: TokenEstimates;
  /** Sums up what compaction leaves out. Left out, no summaries are made. */
  readonly summaries?: Classifier | undefined;
  /** Left out, a history is shortened only where it does not fit the window of the model. */
  readonly compaction?: Compaction | undefined;
  /** Decides which messages are kept, in place of `maxSessionMessages`. */
  readonly reducer?: ChatReducer | undefined;
}
