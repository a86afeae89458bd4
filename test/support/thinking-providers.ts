import { chunk, ending, type ModelExchange, type ModelScript, sending } from './scripted-model.ts';

/** Words of a thought that no user may read. */
export const secretThought = 'The user must not read this.';

/** A provider that writes something beside its calls, and the members of the message with which it wants that back. */
export interface ThinkingProvider {
  /** The pieces that come before the call. */
  readonly thought: readonly object[];
  /** Members of the call. */
  readonly ofCall?: object;
  /** What must come back with the message. */
  readonly back: object;
  /** What must come back with the call. */
  readonly backOfCall?: object;
}

const signature = `sig${'A'.repeat(500)}==`;
const google = { google: { thought_signature: signature } };

export const thinkingProviders: Readonly<Record<string, ThinkingProvider>> = {
  'a text in pieces': {
    thought: [{ reasoning_content: secretThought }, { reasoning_content: ' And "more".' }],
    back: { reasoning_content: `${secretThought} And "more".` },
  },
  'a text of another name': { thought: [{ reasoning: secretThought }], back: { reasoning: secretThought } },
  'details in pieces': {
    thought: [
      { reasoning: secretThought, reasoning_details: [{ type: 'reasoning.text', text: secretThought, index: 0 }] },
      { reasoning: ' More.', reasoning_details: [{ type: 'reasoning.text', text: ' More.', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.text', signature, format: 'anthropic-claude-v1', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: signature, id: 'rs_1', index: 1 }] },
    ],
    back: {
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: `${secretThought} More.`,
          signature,
          format: 'anthropic-claude-v1',
          index: 0,
        },
        { type: 'reasoning.encrypted', data: signature, id: 'rs_1', index: 1 },
      ],
    },
  },
  'blocks of Claude behind a gateway': {
    thought: [
      { thinking_blocks: [{ type: 'thinking', thinking: secretThought, signature: null }] },
      { thinking_blocks: [{ type: 'thinking', thinking: ' More.', signature: null }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature }] },
      { thinking_blocks: [{ type: 'redacted_thinking', data: 'x1' }] },
      { thinking_blocks: [{ type: 'redacted_thinking', data: 'x2' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'Again.', signature: null }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'second' }] },
    ],
    back: {
      thinking_blocks: [
        { type: 'thinking', thinking: `${secretThought} More.`, signature },
        { type: 'redacted_thinking', data: 'x1' },
        { type: 'redacted_thinking', data: 'x2' },
        { type: 'thinking', thinking: 'Again.', signature: 'second' },
      ],
    },
  },
  'a signature of the call': {
    thought: [],
    ofCall: { extra_content: google },
    back: {},
    backOfCall: { extra_content: google },
  },
};

/** Thinks, and then calls a tool. */
export function thinkingAndCalling(
  { thought, ofCall = {} }: ThinkingProvider,
  call: { readonly name: string; readonly arguments: object },
): ModelScript {
  const { name, arguments: args } = call;
  const written = { index: 0, id: 'call_1', type: 'function', ...ofCall };
  const called = { tool_calls: [{ ...written, function: { name, arguments: JSON.stringify(args) } }] };
  return sending(...thought.map((delta) => chunk(delta)), chunk(called), ending('tool_calls'));
}

/** The messages of the model in a request. */
export function repliesIn({ request }: Pick<ModelExchange, 'request'>): readonly Readonly<Record<string, unknown>>[] {
  const messages = request.body['messages'] as readonly Readonly<Record<string, unknown>>[]; // sent by this server
  return messages.filter(({ role }) => role === 'assistant');
}

/** What a request says of the provider's extras: the members beside those that each message has. */
export function extrasIn(exchange: Pick<ModelExchange, 'request'>): readonly object[] {
  return repliesIn(exchange).map(({ role: _role, content: _content, tool_calls: calls, ...beside }) => ({
    ...beside,
    ...(calls === undefined ? {} : { calls: (calls as readonly object[]).map(extrasOfCall) }),
  }));
}

function extrasOfCall(call: object): object {
  const { id: _id, type: _type, function: _function, ...beside } = call as Readonly<Record<string, unknown>>; // JSON
  return beside;
}
