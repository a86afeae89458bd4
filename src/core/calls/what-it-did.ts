import type { Tool } from '../tools/tool.ts';
import type { RecordedOutcome, ToolOutcome } from '../tools/tool-outcome.ts';
import type { CheckedCall, EnteredCall } from './tool-call.ts';

/** The tool of a call, and whether the policy counts the call as read-only. */
export type JudgedTool = Pick<CheckedCall, 'tool' | 'readOnly'>;

/** Longest title in a receipt, in characters. */
const longestTitle = 200;

/**
 * What is recorded of a call beside its outcome. A call that would change something has a receipt, whatever became of it. A call that
 * has read data is marked. `judged` is undefined where an earlier process has carried the call so far that the policy was not asked
 * again.
 */
export function whatItDid(
  { call, at, scope }: EnteredCall,
  judged: JudgedTool | undefined,
  { status }: ToolOutcome,
): Pick<RecordedOutcome, 'receipt' | 'reads'> {
  const { turn, agent, services } = scope;
  const tool = judged?.tool ?? agent.toolbox.find(call.name);
  const wasAsked = turn.record.has(`${at}/asked`);
  const isWrite = wasAsked || (judged === undefined ? hasBegun(turn.record, at, tool) : !judged.readOnly);
  return {
    ...(isWrite ? { receipt: receiptFor(call.name, tool, services.clock.now()) } : {}),
    ...(status === 'succeeded' && judged !== undefined && readsData(judged) ? { reads: true } : {}),
  };
}

/** What is recorded for the receipt of a call. The title is the present one of the tool, or is made from the name when the tool is gone. */
export function receiptFor(
  action: string,
  tool: Pick<Tool, 'title'> | undefined,
  at: number,
): NonNullable<RecordedOutcome['receipt']> {
  return { action, title: (tool?.title ?? action.replaceAll('_', ' ')).slice(0, longestTitle), at };
}

/**
 * Whether a call has begun to change something without a question. `runUnasked` records the beginning of writes and of requests to a
 * page. A request that only reads the page changes nothing.
 */
function hasBegun(record: { has(key: string): boolean }, at: string, tool: Tool | undefined): boolean {
  return record.has(`${at}/began`) && !(tool?.source === 'page' && tool.readOnly === true);
}

/**
 * Whether a call reads data of the application. Built-in tools read none. Plain tools and tools of MCP servers declare nothing, and
 * what they return may be what the user asked for, so they count as reading.
 */
export function readsData({ tool, readOnly }: JudgedTool): boolean {
  return (
    tool.source !== 'built-in' &&
    (readOnly || tool.readOnly === true || ['tool', 'hosted', 'mcp'].includes(tool.source))
  );
}
