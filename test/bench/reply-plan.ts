/**
 * What one reply of the fake model looks like. The model's name spells it, so that every product under test can ask for
 * it with nothing but its own configuration: `s200d0` is 200 chunks at once, `s100d20t` 100 chunks that carry the time
 * they were written, one every 20 ms, `s50d0k` a tool call first and then 50 chunks,
 * `s1d0w` the same with a tool that asks first.
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
export function modelNameOf(plan: ReplyPlan): string {
  return `s${String(plan.chunks)}d${String(plan.delayMs)}${plan.timestamps ? 't' : ''}${plan.tool ? (plan.write === true ? 'w' : 'k') : ''}`;
}

/** Reads a model's name; undefined when it is none of ours. */
export function replyPlanOf(modelName: string): ReplyPlan | undefined {
  const match = /^s(\d{1,4})d(\d{1,4})(t?)([kw]?)$/.exec(modelName);
  if (match === null) return undefined;
  return {
    chunks: Number(match[1]),
    delayMs: Number(match[2]),
    timestamps: match[3] === 't',
    tool: match[4] !== '',
    write: match[4] === 'w',
  };
}

/** Microseconds of the monotonic clock, the same for every process of this machine. */
export function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
