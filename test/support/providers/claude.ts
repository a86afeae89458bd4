import type { ModelScript } from '../scripted-model.ts';

/** What a block of a reply streams: its beginning, and its pieces. */
export type ClaudeBlock = readonly [begun: object, ...deltas: readonly object[]];

/** A streamed reply in Anthropic's own form: its blocks, why it ends, and what it has used. */
export function claudeSays(
  blocks: readonly ClaudeBlock[],
  stopReason: string,
  { output_tokens: output, ...input }: Readonly<Record<string, number>> & { readonly output_tokens: number },
): ModelScript {
  return async (exchange) => {
    exchange.head(200, { 'content-type': 'text/event-stream' });
    const { model } = exchange;
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model };
    const events = [
      { type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } },
      ...blocks.flatMap(([begun, ...deltas], index) => [
        { type: 'content_block_start', index, content_block: begun },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: output } },
      { type: 'message_stop' },
    ];
    for (const event of events) await exchange.send(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    exchange.end();
  };
}

/** Words. */
export const claudeText = (text: string): ClaudeBlock => [
  { type: 'text', text: '' },
  { type: 'text_delta', text },
];

/** A call in pieces. */
export const claudeCall = (name: string): ClaudeBlock => [
  { type: 'tool_use', id: `toolu_${name}`, name, input: {} },
  { type: 'input_json_delta', partial_json: '{"id"' },
  { type: 'input_json_delta', partial_json: ':1}' },
];
