import type { TurnErrorCode } from '../../core/errors/error-codes.ts';
import type { PartError } from '../../core/errors/part-errors.ts';
import type { TokenUsage, TurnStatus } from '../../core/events/turn-event.ts';

/** How a turn came to its end. */
export interface EndedReply {
  readonly status: TurnStatus;
  readonly code: TurnErrorCode | undefined;
  /** The whole reply. */
  readonly text: string;
  /** Why there is no reply, in the configured language. Empty where there is one. */
  readonly message: string;
  /** What was not read of the message. */
  readonly warnings: readonly PartError[];
  /** Seconds after which the same request is let through, where that is known. */
  readonly retryAfter?: number | undefined;
  /** Undefined where it is not known. */
  readonly usage: TokenUsage | undefined;
}

/** How a reply is written down for clients of one endpoint, whole or as a stream of server-sent events. */
export interface ReplyWire {
  /** The first events of a stream. */
  opening(): string;
  /** A piece of the reply. */
  text(piece: string): string;
  /** The last events of a stream. */
  ending(end: EndedReply): string;
  /** The answer to a request without a stream, where there is a reply. */
  whole(end: EndedReply): object;
}

/** Codes with which a turn tells its user in words why it does not answer. A client gets these words as the reply. */
const saidInWords: readonly (TurnErrorCode | undefined)[] = ['unsafe_message', 'out_of_scope', 'reply_withheld'];

/** Whether the user gets a text in place of an error. */
export function isReply({ status, code }: EndedReply): boolean {
  return status === 'completed' || saidInWords.includes(code);
}

/** The text of a reply, or of a refusal that stands in its place. */
export function saidIn({ text, message }: EndedReply): string {
  return text === '' ? message : text;
}

/** The member that says what was not read of the message. Clients do not know it, so it is absent where everything was read. */
export function warningsIn({ warnings }: EndedReply): { readonly warnings?: readonly PartError[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** One server-sent event. */
export function eventOf(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The tokens of a reply. */
export function tokensOf({
  inputTokens,
  outputTokens,
}: TokenUsage): Readonly<Record<'input' | 'output' | 'total', number>> {
  return { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
}
