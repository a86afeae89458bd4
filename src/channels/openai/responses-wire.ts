import type { WrittenReply } from './chat-wire.ts';
import { errorBody, turnFault } from './openai-fault.ts';
import { type EndedReply, eventOf, isReply, type ReplyWire, saidIn, tokensOf, warningsIn } from './reply-wire.ts';

/** Members that are the same in every response. */
const fixed = {
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
} as const;

const part = (text: string): object => ({ type: 'output_text', text, annotations: [] });

/** `POST /v1/responses` (contract/openai.md#responses). Nothing of a response is kept. */
export function responsesWire({ turnId, model, created }: WrittenReply): ReplyWire {
  const itemId = `msg_${turnId}`;
  const at = { item_id: itemId, output_index: 0, content_index: 0 };
  const head = { id: `resp_${turnId}`, object: 'response', created_at: created, model };
  let number = 0;
  const event = (type: string, members: object): string => {
    const data = eventOf({ type, sequence_number: number, ...members }, type);
    number += 1;
    return data;
  };
  const response = (members: object): object => ({ ...head, ...fixed, ...members });
  const item = (status: string, content: readonly object[]): object => ({
    id: itemId,
    type: 'message',
    role: 'assistant',
    status,
    content,
  });
  const whole = (end: EndedReply): object => {
    const status = statusOf(end);
    const why = status === 'completed' ? {} : { incomplete_details: { reason: 'max_output_tokens' } };
    const output = [item(status, [part(saidIn(end))])];
    return response({ status, ...why, output, usage: usageOf(end), ...warningsIn(end) });
  };
  return {
    opening: () =>
      event('response.created', { response: response({ status: 'in_progress', output: [], usage: null }) }) +
      event('response.in_progress', { response: response({ status: 'in_progress', output: [], usage: null }) }) +
      event('response.output_item.added', { output_index: 0, item: item('in_progress', []) }) +
      event('response.content_part.added', { ...at, part: part('') }),
    text: (piece) => event('response.output_text.delta', { ...at, delta: piece, logprobs: [] }),
    ending: (end) => {
      if (!isReply(end)) {
        const { error } = turnFault(end.code, end.message).body;
        const told = { code: error.code, message: error.message };
        return event('response.failed', {
          response: response({ status: 'failed', error: told, output: [], usage: usageOf(end), ...warningsIn(end) }),
        });
      }
      const text = saidIn(end);
      return (
        (end.status === 'completed' || end.text !== ''
          ? ''
          : event('response.output_text.delta', { ...at, delta: text, logprobs: [] })) +
        event('response.output_text.done', { ...at, text, logprobs: [] }) +
        event('response.content_part.done', { ...at, part: part(text) }) +
        event('response.output_item.done', { output_index: 0, item: item(statusOf(end), [part(text)]) }) +
        event(`response.${statusOf(end)}`, { response: whole(end) })
      );
    },
    whole,
  };
}

/** A reply that its length limit has cut is incomplete. */
function statusOf({ code }: EndedReply): 'completed' | 'incomplete' {
  return code === 'reply_cut' ? 'incomplete' : 'completed';
}

/** Nothing is kept, so no response can go on from an earlier one. */
export const noEarlierResponse = errorBody(400, {
  code: 'previous_response_not_found',
  message: 'Nothing is kept between two requests. Send what the user has said so far as input.',
  param: 'previous_response_id',
});

function usageOf({ usage }: EndedReply): object | null {
  if (usage === undefined) return null;
  const { input, output, total } = tokensOf(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}
