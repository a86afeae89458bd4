import { turnFault } from './openai-fault.ts';
import { type EndedReply, eventOf, isReply, type ReplyWire, saidIn, tokensOf, warningsIn } from './reply-wire.ts';

/** Who writes a reply, and for which turn. */
export interface WrittenReply {
  readonly turnId: string;
  /** The name that the client has called the assistant by. */
  readonly model: string;
  /** Epoch seconds. */
  readonly created: number;
}

/** `POST /v1/chat/completions` (contract/openai.md#chat-completions). */
export function chatWire(
  { turnId, model, created }: WrittenReply,
  { includesUsage }: { readonly includesUsage: boolean },
): ReplyWire {
  const head = { id: `chatcmpl-${turnId}`, created, model };
  const chunk = (choices: readonly object[], more: object = {}): string =>
    eventOf({ ...head, object: 'chat.completion.chunk', choices, ...more });
  const delta = (content: object, reason: string | null = null, more: object = {}): string => {
    const usage = includesUsage ? { usage: null } : {};
    return chunk([{ index: 0, delta: content, finish_reason: reason, logprobs: null }], { ...usage, ...more });
  };
  return {
    opening: () => delta({ role: 'assistant', content: '' }),
    text: (piece) => delta({ content: piece }),
    ending: (end) => {
      if (!isReply(end)) return eventOf(turnFault(end.code, end.message).body) + done;
      const refusal = end.status === 'completed' || end.text !== '' ? '' : delta({ content: end.message });
      const usage = includesUsage ? chunk([], { usage: usageOf(end) }) : '';
      return refusal + delta({}, reasonOf(end), warningsIn(end)) + usage + done;
    },
    whole: (end) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: saidIn(end), refusal: null },
          finish_reason: reasonOf(end),
          logprobs: null,
        },
      ],
      usage: usageOf(end),
      ...warningsIn(end),
    }),
  };
}

const done = 'data: [DONE]\n\n';

function reasonOf({ status, code }: EndedReply): string {
  if (code === 'reply_cut') return 'length';
  return status === 'completed' ? 'stop' : 'content_filter';
}

function usageOf({ usage }: EndedReply): object | null {
  if (usage === undefined) return null;
  const { input, output, total } = tokensOf(usage);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total };
}
