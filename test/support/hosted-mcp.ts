import type { HelperEvent } from '../../src/index.ts';
import { approvalRequest, mcpCall, replyWith } from './responses-model.ts';
import type { ReceivedRequest } from './scripted-model.ts';

/** An MCP server as `hostedMcpServers` has it. */
export const erp = { name: 'erp', url: 'https://erp.example/mcp' };

/** One item of a request to the Responses API. */
export interface SentItem {
  readonly type?: string;
  readonly role?: string;
  readonly [member: string]: unknown;
}

/** The input of a request to the Responses API. */
export function inputOf({ body }: ReceivedRequest): readonly SentItem[] {
  return body['input'] as readonly SentItem[]; // the Responses API has a list
}

/** The approvals in a request. */
export function answersIn(request: ReceivedRequest): readonly SentItem[] {
  return inputOf(request).filter(({ type }) => type === 'mcp_approval_response');
}

/** Settings with one hosted MCP server. */
export function settingsOf(server: object = {}, more: object = {}): object {
  return { hostedMcpServers: [{ ...erp, ...server }], ...more };
}

/** The provider asks for an approval. */
export const asking = replyWith('r1', [approvalRequest('mcpr_1', 'pay', { amount: 5 })], 'One moment.');
/** The approved call has run. */
export const paid = replyWith(
  'r2',
  [mcpCall('mcp_1', 'pay', { approval_request_id: 'mcpr_1', output: 'Paid 5.' })],
  'Paid.',
);

/** The calls that ended, and how. */
export function statusesOf(events: readonly HelperEvent[]): readonly string[] {
  return events.flatMap((event) => (event.event === 'ActionCompleted' ? [`${event.action} ${event.status}`] : []));
}
