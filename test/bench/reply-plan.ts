/**
 * What one reply of the fake model looks like. The model's name spells it, so that every product under test can ask for
 * it with nothing but its own configuration: `s200d0` is 200 chunks at once, `s100d20t` 100 chunks that carry the time
 * they were written, one every 20 ms, `s50d0k` a tool call first and then 50 chunks,
 * `s1d0w` the same with a tool that asks first, `s61d0h` a reply that a coordinator has an agent give, and `s61d0c` one that three agents
 * give side by side.
 */
export interface ReplyPlan {
  readonly chunks: number;
  /** Milliseconds between two chunks; 0 writes the whole reply at once. */
  readonly delayMs: number;
  /** Whether each chunk is the time it was written instead of a numbered token. */
  readonly timestamps: boolean;
  /** Whether the model asks for the tool `get_order` before it answers. */
  readonly tool: boolean;
  /** Whether the tool it asks for is `cancel_order`, which the user is asked about first. */
  readonly write?: boolean;
  /** Who gives the reply but for its last chunk, which the coordinator has: one agent, or a team of three. Left out, there is nobody else. */
  readonly agents?: 'one' | 'team';
}

/** Begins every numbered token; no identifier, header or frame of any product under test holds it. */
export const tokenMark = '~';

/** Begins every timestamp, which ends with `;` and counts microseconds of the machine's monotonic clock. */
export const timestampMark = '@';

/** The text of chunk `index`: five characters, unique in its reply. */
export function tokenAt(index: number): string {
  return tokenMark + String(index).padStart(4, '0');
}

/** The whole text of a reply without timestamps. */
export function textOf(plan: ReplyPlan): string {
  return Array.from({ length: plan.chunks }, (_, index) => tokenAt(index)).join('');
}

/** The model's name for a plan. */
export function modelNameOf({ chunks, delayMs, timestamps, tool, write = false, agents }: ReplyPlan): string {
  const work = agents === 'one' ? 'h' : agents === 'team' ? 'c' : write ? 'w' : tool ? 'k' : '';
  return `s${String(chunks)}d${String(delayMs)}${timestamps ? 't' : ''}${work}`;
}

/** Reads a model's name; undefined when it is none of ours. */
export function replyPlanOf(modelName: string): ReplyPlan | undefined {
  const match = /^s(\d{1,4})d(\d{1,4})(t?)([kwhc]?)$/.exec(modelName);
  if (match === null) return undefined;
  const work = match[4];
  return {
    chunks: Number(match[1]),
    delayMs: Number(match[2]),
    timestamps: match[3] === 't',
    tool: work === 'k' || work === 'w',
    write: work === 'w',
    ...((work === 'h' || work === 'c') && { agents: work === 'h' ? 'one' : 'team' }),
  };
}

/** Microseconds of the monotonic clock, the same for every process of this machine. */
export function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
