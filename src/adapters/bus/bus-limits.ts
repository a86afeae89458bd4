/** Times of the bus, in milliseconds. */
export interface BusTimes {
  /** How long an answer is waited for, and after which part of that time the call is sent again. */
  readonly answerMs: number;
  readonly againMs: number;
  /** How often both sides of a stream show that they live, and after which silence the other side counts as lost. */
  readonly heartbeatMs: number;
  readonly silenceMs: number;
  /** How often the names of this replica are kept. */
  readonly keepMs: number;
}

/** The times of the product. */
export const busTimes: BusTimes = {
  answerMs: 1_500,
  againMs: 700,
  heartbeatMs: 5_000,
  silenceMs: 15_000,
  keepMs: 20_000,
};

/** Bodies up to this size travel in their message. Larger ones are stored for `blobMs` milliseconds. Sizes are in bytes. */
export const mostInlineBytes = 64 * 1024;
/** The largest body of a call or an answer. */
export const mostBodyBytes = 16 * 1024 * 1024;
/** The largest message of a stream: 64 of them may be unread. */
export const mostItemBytes = 1024 * 1024;
/** Milliseconds for which a large body is stored. */
export const blobMs = 30_000;
/** A longer text on a channel is no message. It holds an inline body and the rest of a message, sealed and in base64. */
export const mostMessageLength = ((mostInlineBytes + 8 * 1024) * 4) / 3;

/** A message is refused when the clock of its sender differs by more milliseconds than this. */
export const clockMs = 120_000;
/** Milliseconds for which an answer is kept for a call that comes again. */
export const keptMs = 60_000;
/** The most answers that are kept, and their most bytes. */
export const mostKept = 10_000;
export const mostKeptBytes = 64 * 1024 * 1024;
/**
 * What is remembered of messages that have come. A message is accepted while its time is less than `clockMs` before or after the time here. A
 * call is sent again under its id within `busTimes.answerMs`; a little more is left for clocks that are set.
 */
export const seenLimits = { lifeMs: 2 * clockMs, most: 200_000, againMs: 2_000 } as const;

/** The most calls that wait for an answer, calls that are being answered, streams of each direction, and names. */
export const mostPending = 10_000;
export const mostRunning = 1_000;
export const mostStreams = 1_000;
export const mostNames = 100_000;

/** How many messages of a stream may be unread. */
export const streamWindow = 64;
