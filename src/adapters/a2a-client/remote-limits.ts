/** What a remote agent may take and send (contract/agents.md#remote-agents). Durations are milliseconds. */
export interface RemoteLimits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Until a card is read. */
  readonly cardMs: number;
  /** Without an event of a stream, or until an answer begins. */
  readonly silenceMs: number;
  /** From the sending of a message to the end of its reply. */
  readonly totalMs: number;
  /** Until the request to cancel a task is given up. */
  readonly cancelMs: number;
  /** Between two questions about a task that works. The time grows from the first to the last. */
  readonly pollMs: { readonly first: number; readonly last: number };
  /** After a failure. The pause doubles from the first to the last. */
  readonly pauseMs: { readonly first: number; readonly last: number };
  /** How long a card is kept that does not say it, and between which bounds a card may say it. */
  readonly freshMs: { readonly default: number; readonly least: number; readonly most: number };
  readonly cardBytes: number;
  /** Of one answer that is not a stream. */
  readonly answerBytes: number;
  /** Of one stream. */
  readonly streamBytes: number;
  readonly streamEvents: number;
  /** Characters of one reply. What is longer is cut. */
  readonly replyLength: number;
  /** Characters of an id that the remote agent gives. */
  readonly idLength: number;
}

const second = 1_000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

/** The limits of a running server. Tests shorten some of them. */
export const remoteLimits: RemoteLimits = {
  connectMs: 5 * second,
  cardMs: 10 * second,
  silenceMs: minute,
  totalMs: 5 * minute,
  cancelMs: 5 * second,
  pollMs: { first: second / 2, last: 5 * second },
  pauseMs: { first: second, last: minute },
  freshMs: { default: 5 * minute, least: minute / 2, most: 60 * minute },
  cardBytes: 256 * 1024,
  answerBytes: 8 * mebibyte,
  streamBytes: 64 * mebibyte,
  streamEvents: 50_000,
  replyLength: mebibyte,
  idLength: 256,
};
