/** What a user thinks of a reply. */
export type Rating = 'good' | 'bad';

/** A user's rating of a reply, with a word if the user has added one. The word is untrusted text. */
export interface Feedback {
  readonly rating: Rating;
  readonly comment?: string;
}

/** What is known of the turn that a user's message began. It is kept beside that message. */
export interface TurnMark {
  readonly turnId: string;
  /** A call that would change something has run in the turn, or may have run. */
  readonly acted?: true;
  /** What the user thinks of the reply. */
  readonly feedback?: Feedback;
}

/** The mark with this rating; undefined takes an earlier one back. */
export function rated({ turnId, acted }: TurnMark, feedback: Feedback | undefined): TurnMark {
  return { turnId, ...(acted === undefined ? {} : { acted }), ...(feedback === undefined ? {} : { feedback }) };
}

/** Whether both are the same rating with the same word. */
export function isSameFeedback(one: Feedback | undefined, other: Feedback | undefined): boolean {
  return one?.rating === other?.rating && one?.comment === other?.comment;
}

/** Reads a mark that this server has kept, perhaps in another version. Undefined where it has another form. */
export function readTurnMark(kept: unknown): TurnMark | undefined {
  if (!isRecord(kept) || typeof kept['turnId'] !== 'string') return undefined;
  const feedback = readFeedback(kept['feedback']);
  return {
    turnId: kept['turnId'],
    ...(kept['acted'] === true ? { acted: true } : {}),
    ...(feedback === undefined ? {} : { feedback }),
  };
}

function readFeedback(kept: unknown): Feedback | undefined {
  if (!isRecord(kept)) return undefined;
  const { rating, comment } = kept;
  if (rating !== 'good' && rating !== 'bad') return undefined;
  return { rating, ...(typeof comment === 'string' ? { comment } : {}) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
