import type { ChatMessage, ModelRequest } from '../ports/chat-model.ts';
import { ContextExceeded } from '../ports/context-exceeded.ts';
import { cutTo, turnStarts, withCut } from './cut.ts';
import type { TokenEstimates } from './token-estimates.ts';

/** Tokens that one model takes and gives in one call (contract/models.md#the-context-window). */
export interface ContextWindow {
  readonly contextWindow: number;
  /** Left out, an eighth of the window, at most 4,096, is kept free for the answer. */
  readonly maxOutputTokens?: number | undefined;
}

/** The factor by which estimates are raised, because an estimate may be too low. */
const margin = 1.05;

/** A text never has more tokens than UTF-8 bytes. A UTF-16 code unit has at most three UTF-8 bytes. */
const mostTokensOfUnit = 3;

/** The parts of a request that count toward the window. */
type Sent = Pick<ModelRequest, 'instructions' | 'messages' | 'tools'>;

/** Messages that fit. */
export interface Fitted {
  readonly messages: readonly ChatMessage[];
  /** The estimate for the whole request, before the factor of the model. Undefined where the request is surely small enough. */
  readonly estimated: number | undefined;
}

/**
 * Shortens what is sent to a model until it fits the window of that model (contract/models.md#the-context-window). Results of tools
 * collapse, the oldest first and never those that the model has not read yet. Then whole turns are left out, the oldest first. The
 * newest turn stays.
 * @throws ContextExceeded when the newest turn alone does not fit.
 */
export function fitWindow(
  request: Sent,
  window: ContextWindow,
  { estimates, model }: { readonly estimates: TokenEstimates; readonly model: string },
): Fitted {
  const { messages } = request;
  const room = roomOf(window);
  if (isSurelySmall(request, room)) return { messages, estimated: undefined };
  const beside = estimates.besideMessages(request);
  const limit = Math.floor(room / (estimates.factor(model) * margin)) - beside;
  const stages = [{ collapseTo: unreadFrom(messages), dropTo: turnStarts(messages).at(-1) ?? 0 }];
  const { cut, tokens } = cutTo(limit, messages, { stages, tokensOf: (message) => estimates.ofMessage(message) });
  if (tokens > limit) {
    throw new ContextExceeded(
      `the newest turn has about ${String(tokens)} tokens, and ${model} has room for ${String(Math.max(0, limit))}`,
    );
  }
  return { messages: withCut(messages, cut), estimated: tokens + beside };
}

function roomOf({ contextWindow, maxOutputTokens }: ContextWindow): number {
  return contextWindow - (maxOutputTokens ?? Math.min(4_096, Math.floor(contextWindow / 8)));
}

/**
 * A cheap test that makes counting tokens unnecessary for most requests. The numbers 40 and 200 stand for the rest of the JSON around each
 * message and each call.
 */
function isSurelySmall({ instructions, messages, tools }: Sent, room: number): boolean {
  const most = room / mostTokensOfUnit;
  let units = instructions.length;
  for (const message of messages) {
    if (message.role === 'user' && message.images !== undefined) return false;
    units += message.text.length + 40;
    if (message.role === 'assistant') {
      if (message.extras !== undefined) return false;
      for (const call of message.toolCalls) units += call.arguments.length + 200;
    }
    if (units > most) return false;
  }
  return tools.length === 0 ? units <= most : units + lengthOfTools(tools) <= most;
}

const toolLengths = new WeakMap<ModelRequest['tools'], number>();

function lengthOfTools(tools: ModelRequest['tools']): number {
  const known = toolLengths.get(tools) ?? JSON.stringify(tools).length;
  toolLengths.set(tools, known);
  return known;
}

/** The index at which the results at the end begin. The model has asked for these results and has not read them yet. */
function unreadFrom(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex(({ role }) => role !== 'tool') + 1;
}
