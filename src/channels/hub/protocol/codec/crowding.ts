/** What a client is told whose message has more of it. */
export const crowdedText = 'A message has more values than this server reads.';

/** What no honest message has more of. Whoever reads more of it is held up, or needs many times the memory of the message. */
export interface Crowding {
  /** Lists and objects of one message. */
  readonly containers: number;
  /** Members of one object. */
  readonly members: number;
  /** Values of one message. */
  readonly values: number;
  /** Whether JSON has more than these. */
  readonly isCrowded: (json: string) => boolean;
}
