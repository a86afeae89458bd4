import type { TokenEstimates } from '../history/token-estimates.ts';
import {
  type CallMeter,
  type MeteredCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
} from '../ports/chat-model.ts';
import { type Amounts, amountsOf, guessedUsage, largest, type ModelBounds, sumOf, type Usage } from './call-amounts.ts';

const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** One call of a model: what it was sent, and what is known of its reply. */
interface FollowedCall {
  readonly model: string;
  readonly request: ModelRequest;
  /** Characters of the text that were read. */
  length: number;
  /** Bytes of the text and the calls that were read. Models that do not tell them have none. */
  bytes: number;
  reply: ModelReply | undefined;
  hasFailed: boolean;
  /** The model had the request and took too long over it. What it has thought meanwhile is paid for. */
  isOverdue: boolean;
}

const nothingRead = { length: 0, bytes: 0, reply: undefined, hasFailed: false, isOverdue: false } as const;

/** What a call has taken. */
interface TakenByCall {
  readonly usage: Usage;
  readonly amounts: Amounts;
}

/** Adds up what models have taken for one call of the server. A plugin may ask them several times for it, or never. */
export class BudgetMeter implements CallMeter {
  /** The bounds of the models that may answer. */
  readonly #bounds: readonly ModelBounds[];
  readonly #estimates: TokenEstimates;
  readonly #calls: FollowedCall[] = [];

  constructor(bounds: readonly ModelBounds[], estimates: TokenEstimates) {
    this.#bounds = bounds;
    this.#estimates = estimates;
  }

  began(model: string, request: ModelRequest): MeteredCall {
    const call: FollowedCall = { model, request, ...nothingRead };
    this.#calls.push(call);
    return {
      wrote: (escaped) => {
        call.length += escaped.length;
      },
      read: (bytes) => {
        call.bytes += bytes;
      },
      replied: (reply) => {
        call.reply = reply;
      },
      failed: (error) => {
        call.hasFailed = true;
        call.isOverdue = error instanceof ModelError && error.code === 'model_timeout';
      },
    };
  }

  /**
   * What all models have taken so far. `stated` is the usage that the reply names. A plugin may have asked a model that the server does not
   * know, and names its usage there, so the part of it that exceeds the known calls counts too.
   */
  taken(stated: Usage = noUsage): Amounts {
    const calls = this.#calls.filter(isPaid).map((call) => this.#takenBy(call));
    const sum = (unit: keyof Usage): number => calls.reduce((tokens, { usage }) => tokens + usage[unit], 0);
    const beyond = {
      inputTokens: Math.max(0, stated.inputTokens - sum('inputTokens')),
      outputTokens: Math.max(0, stated.outputTokens - sum('outputTokens')),
    };
    const ofOthers = largest(this.#bounds.map((bounds) => amountsOf(bounds, beyond)));
    return sumOf([...calls.map(({ amounts }) => amounts), ofOthers]);
  }

  /** Where several models of the configuration have the name of the model that was asked, the larger amounts count. */
  #takenBy(call: FollowedCall): TakenByCall {
    const named = this.#bounds.filter(({ model }) => model === call.model);
    const possible = (named.length > 0 ? named : this.#bounds).map((bounds) => {
      const usage = reportedBy(call) ?? guessedUsage(bounds, { ...lengthOf(call), estimates: this.#estimates });
      return { usage, amounts: amountsOf(bounds, usage) };
    });
    return { usage: possible[0]?.usage ?? noUsage, amounts: largest(possible.map(({ amounts }) => amounts)) };
  }
}

/** A call that failed before its first token has taken nothing. A call that was stopped or took too long has taken its input at least. */
function isPaid({ hasFailed, isOverdue, length, bytes, request }: FollowedCall): boolean {
  return !hasFailed || isOverdue || length > 0 || bytes > 0 || request.signal.aborted;
}

/** Undefined where nobody reports a usage: some servers report none, and a call that was cut off has no reply. */
function reportedBy({ reply }: FollowedCall): Usage | undefined {
  const isReported = reply !== undefined && reply.usage.inputTokens + reply.usage.outputTokens > 0;
  return isReported ? reply.usage : undefined;
}

/** What the usage of a call is guessed from. The arguments of tools are part of what a model writes. */
function lengthOf({ request, length, bytes, reply }: FollowedCall): Pick<FollowedCall, 'request' | 'length'> {
  if (reply === undefined) return { request, length: Math.max(length, bytes) };
  return { request, length: reply.toolCalls.reduce((sum, { arguments: written }) => sum + written.length, length) };
}
