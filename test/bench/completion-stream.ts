import type { ModelRound } from './model-round.ts';
import type { ReplyPlan } from './reply-plan.ts';
import { monotonicMicroseconds, timestampMark, tokenAt } from './reply-plan.ts';

/** One HTTP chunk of the reply, rendered when it is due. */
export type Part = () => Buffer;

/** A reply as it is sent: its parts in order. If nothing depends on the time, the whole reply is also there in one piece. */
export interface RenderedReply {
  readonly parts: readonly Part[];
  readonly whole: Buffer | undefined;
}

/** The answer's head: a chunked event stream, as OpenAI-compatible servers send it. */
export const replyHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
    'connection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n',
);

type ToolRound = Extract<ModelRound, { readonly tool: string }>;
type Tokens = Exclude<ModelRound, ToolRound>;

const lastChunk = Buffer.from('0\r\n\r\n');
const head =
  '"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1763700000,"model":"fake-1"';
const fingerprint = '"service_tier":"default","system_fingerprint":"fp_44709d6fcb"';

function httpChunk(payload: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(payload).toString(16)}\r\n${payload}\r\n`);
}

function event(delta: string, finish = 'null'): string {
  const choice = `{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}`;
  return `data: {${head},${fingerprint},"choices":[${choice}],"usage":null}\n\n`;
}

function usageEvent(outputTokens: number): string {
  const counts = `"prompt_tokens":20,"completion_tokens":${String(outputTokens)},"total_tokens":${String(outputTokens + 20)}`;
  return `data: {${head},${fingerprint},"choices":[],"usage":{${counts}}}\n\n`;
}

function fixed(payload: string): Part {
  const rendered = httpChunk(payload);
  return () => rendered;
}

function timestampPart(): Buffer {
  return httpChunk(event(`{"content":"${timestampMark}${String(monotonicMicroseconds())};"}`));
}

function contentParts(plan: ReplyPlan, { from, to }: Tokens): Part[] {
  return Array.from({ length: to - from }, (_, index) =>
    plan.timestamps ? timestampPart : fixed(event(`{"content":"${tokenAt(from + index)}"}`)),
  );
}

/** The call as real models stream it: the name first, then the arguments in pieces. */
function toolCallParts({ tool, pieces }: ToolRound): Part[] {
  const opening = `{"index":0,"id":"call_9pT3xW","type":"function","function":{"name":"${tool}","arguments":""}}`;
  return [
    fixed(event(`{"role":"assistant","content":null,"tool_calls":[${opening}]}`)),
    ...pieces.map((piece) =>
      fixed(event(`{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(piece)}}}]}`)),
    ),
    fixed(event('{}', '"tool_calls"')),
    fixed(usageEvent(pieces.length)),
  ];
}

function textParts(plan: ReplyPlan, tokens: Tokens): Part[] {
  return [
    fixed(event('{"role":"assistant","content":"","refusal":null}')),
    ...contentParts(plan, tokens),
    fixed(event('{}', '"stop"')),
    fixed(usageEvent(tokens.to - tokens.from)),
  ];
}

/** Renders one round of a reply. */
export function renderReply(plan: ReplyPlan, round: ModelRound): RenderedReply {
  const done = Buffer.concat([httpChunk('data: [DONE]\n\n'), lastChunk]);
  const parts = [...('tool' in round ? toolCallParts(round) : textParts(plan, round)), () => done];
  const timeless = 'tool' in round || !plan.timestamps;
  return { parts, whole: timeless ? Buffer.concat([replyHead, ...parts.map((part) => part())]) : undefined };
}
