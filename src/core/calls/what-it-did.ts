import type { Tool } from '../tools/tool.ts';
import type { RecordedOutcome, ToolOutcome } from '../tools/tool-outcome.ts';
import type { CheckedCall, EnteredCall } from './tool-call.ts';

/** What the policy took a call for. */
export type JudgedTool = Pick<CheckedCall, 'tool' | 'readOnly'>;

/** Longest title in a receipt, in characters. */
const longestTitle = 200;

/**
 * What is recorded of a call beside its outcome: the receipt of a call that would change something, whatever became of it, and that a
 * call has read data. `judged` is undefined where an earlier process has carried the call so far that the policy was not asked again.
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

/** What is recorded of the receipt of a call: its title as it is now, though its tool may be gone. */
export function receiptFor(
  action: string,
  tool: Tool | undefined,
  at: number,
): NonNullable<RecordedOutcome['receipt']> {
  return { action, title: (tool?.title ?? action.replaceAll('_', ' ')).slice(0, longestTitle), at };
}

/** The beginning of a call that nobody was asked about is recorded for writes, and for whatever a page is asked. */
function hasBegun(record: { has(key: string): boolean }, at: string, tool: Tool | undefined): boolean {
  return record.has(`${at}/began`) && !(tool?.source === 'page' && tool.readOnly === true);
}

/** Tools of the server read nothing of the application. A plain tool declares nothing, nor does one of an MCP server, and what it returns may be what was asked for. */
export function readsData({ tool, readOnly }: JudgedTool): boolean {
  return tool.source !== 'built-in' && (readOnly || tool.readOnly === true || ['tool', 'hosted'].includes(tool.source));
}
