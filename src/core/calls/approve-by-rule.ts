import { canonicalJson, hashArguments } from '../base/canonical-json.ts';
import { joined } from '../base/joined.ts';
import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { tenantOf } from '../identity/principal.ts';
import type { JournalEntry } from '../ports/confirmation-journal.ts';
import { meteredName } from '../tools/tool-name.ts';
import { toolUser } from '../tools/tool-user.ts';
import { isUninfluenced } from './call-provenance.ts';
import { reportDecision } from './report-decision.ts';
import type { Approval } from './run-approved.ts';
import { keptCallOf } from './kept-call.ts';
import type { CheckedCall, JudgedCall } from './tool-call.ts';

/**
 * Whether a rule, or an earlier choice of the user, replaces the user's answer to this call. No rule does so for a call of a specialist
 * or a team, for a message of another agent, for an action of a page, for a tool of an MCP server that is not `trusted`, or for an action that cannot be undone. No rule
 * does so for a call that untrusted text may be behind, or for a change that `requireActionForChangeRequests` waits for.
 */
export async function approvesByRule({ tool, argumentsValue, provenance, scope }: JudgedCall): Promise<boolean> {
  const { turn, agent, services, path } = scope;
  const { autoApproval } = services;
  if (
    autoApproval === undefined ||
    !agent.mayApproveByRule ||
    turn.request.channel.isFromAgent === true ||
    tool.source === 'page' ||
    tool.source === 'hosted' ||
    (tool.source === 'mcp' && tool.trusted !== true) ||
    tool.destructive === true
  )
    return false;
  if (services.enforcesProvenance && !isUninfluenced(provenance)) return false;
  if (agent.mustAsk !== undefined && (await untilStopped(agent.mustAsk, turn.signal))) return false;
  const call = { tool: tool.name, arguments: argumentsValue, user: toolUser(turn.request.caller.principal) };
  const isRemembered = turn.remembered.has(tool.name);
  if (!isRemembered && !(await untilStopped(autoApproval.approves(call), turn.signal))) return false;
  // Rounds with an approval by rule are counted over the whole turn, whichever process runs them.
  const rounds = [...turn.record.entries()].filter(([key]) => key.startsWith('auto/')).length;
  if (!turn.record.has(`auto/${path}`) && rounds >= autoApproval.maxRounds) return false;
  turn.record.put(`auto/${path}`, true);
  return true;
}

/**
 * Approves the call in the user's place (contract/confirmations.md#rules-in-place-of-the-user, `autoApprovalRules`).
 * The user sees no box. The journal gets the same rows as for an answer, since no action that asks runs without its
 * approval. Rejects when the journal cannot take the rows.
 */
export async function approveByRule(ready: CheckedCall): Promise<Approval> {
  const { turn, services } = ready.scope;
  const { journal, clock, metrics } = services;
  const { principal } = turn.request.caller;
  const actionId = randomId();
  const at = clock.now();
  turn.keep();
  // An approval of an earlier process holds only for the tool that the rule has approved.
  turn.record.put(`${ready.at}/asked`, ready.tool.fingerprint ?? true);
  const executing = keptCallOf(ready, ready.argumentsValue);
  await joined([
    journal.requested(journalEntry(ready, { actionId, requestedAt: at }), turn.tape.hold()),
    journal.answered(actionId, { answer: 'approved', by: 'rule', executing }, at),
  ]);
  turn.events.once(`resolved/${actionId}`, {
    type: 'confirmation-resolved',
    actionId,
    outcome: 'approved',
    by: 'rule',
  });
  const action = meteredName(ready.tool.name);
  metrics.of(tenantOf(principal)).confirmationResolved({ action, outcome: 'approved', by: 'rule', waitedMs: 0 });
  reportDecision(ready, actionId, { outcome: 'approved', by: 'rule' });
  return { actionId, principal, isExecuting: true };
}

/** The row that the journal gets before anybody is asked. */
export function journalEntry(
  { call, at, tool, argumentsValue, scope }: CheckedCall,
  { actionId, requestedAt }: { readonly actionId: string; readonly requestedAt: number },
): JournalEntry {
  const { turn, agent } = scope;
  const { channel, caller } = turn.request;
  return {
    actionId,
    requestedAt,
    callId: call.callId,
    turnId: turn.id,
    path: at,
    conversationId: turn.conversationId,
    action: tool.name,
    argumentsHash: hashArguments(argumentsValue),
    arguments: canonicalJson(argumentsValue),
    agent: agent.name,
    owner: channel.confirmations === 'by-id' ? null : caller.principal.userKey,
  };
}
