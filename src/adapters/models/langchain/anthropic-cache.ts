import { objectOf } from '../json-values.ts';

/** How a provider is told which part of a request comes again, so that it bills and reads that part once. */
export interface PromptCache {
  /** The instructions, with a mark behind them. */
  readonly instructions: (text: string) => string | readonly object[];
  /** The tools in the form of OpenAI, with a mark behind the last one. */
  readonly tools: (tools: readonly object[]) => readonly object[];
  /** Options of each call. */
  readonly call: Readonly<Record<string, unknown>>;
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Anthropic reads a request in the order tools, instructions, messages, and keeps what stands before a mark for some minutes. The tools of
 * all users are mostly the same; the instructions are those of a user and a page; the mark of the call is behind the last message.
 */
export const anthropicCache: PromptCache = {
  instructions: (text) => [{ type: 'text', text, ...mark }],
  tools: (tools) => tools.map((tool, index) => (index === tools.length - 1 ? marked(tool) : tool)),
  call: mark,
};

/** The package passes on a mark only in Anthropic's own form of a tool. */
function marked(tool: object): object {
  const declared = objectOf(objectOf(tool)?.['function']) ?? {};
  const { name, description, parameters } = declared;
  return { name, description, input_schema: parameters, ...mark };
}
