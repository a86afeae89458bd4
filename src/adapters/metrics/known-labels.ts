import type { GuardrailBlock } from '../../core/guardrails/guardrail-block.ts';
import type { ModelErrorCode } from '../../core/ports/chat-model.ts';
import type {
  CallerLimit,
  CredentialFault,
  OwnerFault,
  SnapshotFault,
  TurnErrorCode,
} from '../../core/errors/error-codes.ts';
import type { OwnerRefusal } from '../../core/events/security-event.ts';
import type { ActionStatus, ChannelName, TurnStatus } from '../../core/events/turn-event.ts';
import type {
  BudgetUsedUp,
  ConnectionChannel,
  ConnectionReturn,
  FactsOutcome,
  FeedbackSeries,
  FileDrop,
  KnowledgeOutcome,
  Metrics,
  SnapshotRefusal,
} from '../../core/ports/metrics.ts';

/** The members of a union, as a list. The code does not compile when a member is missing. */
function all<Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] {
  return Object.keys(names) as Name[]; // the type names the keys
}

/** Every combination of these label values. */
export function combined(...lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  );
}

const withTurns = { hub: true, sse: true, 'in-process': true, openai: true, a2a: true, agui: true } as const;
export const channels = all<ChannelName>(withTurns);
export const connectionChannels = all<ConnectionChannel>({ ...withTurns, mcp: true });
export const turnStatuses = all<TurnStatus>({ completed: true, stopped: true, refused: true, failed: true });
export const actionStatuses = all<ActionStatus>({
  succeeded: true,
  failed: true,
  declined: true,
  refused: true,
  cancelled: true,
  unknown: true,
});
export const turnErrorCodes = all<TurnErrorCode>({
  message_too_long: true,
  unsafe_message: true,
  safety_check_unavailable: true,
  out_of_scope: true,
  reply_withheld: true,
  too_many_images: true,
  image_too_large: true,
  too_many_files: true,
  file_too_large: true,
  file_unreadable: true,
  rate_limited: true,
  budget_exceeded: true,
  invalid_request: true,
  overloaded: true,
  turn_in_progress: true,
  resend_refused: true,
  server_draining: true,
  model_unavailable: true,
  model_timeout: true,
  model_refused: true,
  model_misconfigured: true,
  model_quota_exceeded: true,
  model_no_reply: true,
  reply_cut: true,
  tool_loop_limit: true,
  interrupted: true,
  internal: true,
});
/** The error of a model call. Empty: the call has succeeded. */
export const modelErrors = all<ModelErrorCode | 'stopped' | 'internal' | ''>({
  '': true,
  model_unavailable: true,
  model_timeout: true,
  model_refused: true,
  model_misconfigured: true,
  model_quota_exceeded: true,
  model_no_reply: true,
  stopped: true,
  internal: true,
});
export const guardrailBlocks = all<GuardrailBlock>({ input: true, output: true, scope: true });
export const storageOperations = all<Parameters<Metrics['storageFailed']>[0]>({
  write: true,
  read: true,
  probe: true,
  thread: true,
});
export const rateLimits = all<Parameters<Metrics['rateLimited']>[0]>({
  message: true,
  request: true,
  connection: true,
  turn: true,
});
type CallbackCall = Parameters<Metrics['callbackAsked']>[0];
export const callbackTypes = all<CallbackCall['type']>({
  manifest: true,
  action: true,
  toolResult: true,
  search: true,
  guardrail: true,
});
export const callbackOutcomes = all<CallbackCall['outcome']>({ answered: true, failed: true, paused: true });
export const knowledgeOutcomes = all<KnowledgeOutcome>({ found: true, nothing: true, late: true, failed: true });
/** The classes of statuses, by their first digit. The list begins with 2. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The outcomes of the confirmations of an action. */
export const actionConfirmations = [
  'asked',
  'approved',
  'approved_by_rule',
  'declined',
  'expired',
  'cancelled',
] as const;
export const connectionReturns = all<ConnectionReturn>({ line: true, turn: true });
export const feedbackSeries = all<FeedbackSeries>({ good: true, bad: true, withdrawn: true });
export const fileDrops = all<FileDrop>({
  disabled: true,
  no_image: true,
  type: true,
  too_many_images: true,
  image_too_large: true,
  too_many_files: true,
  file_too_large: true,
  file_unreadable: true,
  overloaded: true,
});
const snapshotFaults = all<SnapshotFault>({
  other_application: true,
  other_user: true,
  other_version: true,
  other_history: true,
  unknown_key: true,
  not_a_snapshot: true,
  damaged: true,
  too_old: true,
  deleted: true,
  erased: true,
  too_large: true,
});
const snapshotRefusals: readonly SnapshotRefusal[] = [...snapshotFaults, 'busy', 'gone', 'draining', 'storage'];

/** `what` and `reason` of snapshots. */
export const snapshotSeries: readonly (readonly string[])[] = [
  ['saved', ''],
  ['restored', ''],
  ...combined(['refused'], snapshotRefusals),
];

/** Each way in which a confirmation can end, and who can end it. */
export const confirmationEnds = [
  ['approved', 'user'],
  ['approved', 'rule'],
  ['declined', 'user'],
  ['expired', 'system'],
  ['cancelled', 'user'],
  ['cancelled', 'system'],
] as const;
/** Each way in which a confirmation that a user was asked for can end. */
export const answeredEnds = ['approved', 'declined', 'expired', 'cancelled'] as const;

const credentialFaults = all<CredentialFault>({
  missing: true,
  expired: true,
  not_yet_valid: true,
  audience: true,
  issuer: true,
  claims: true,
  signature: true,
  algorithm: true,
  malformed: true,
  wrong_token: true,
  no_user: true,
});
const callerLimits = all<CallerLimit>({
  request_rate: true,
  requests: true,
  uploads: true,
  unread: true,
  connections: true,
  turns: true,
  message_rate: true,
  budget: true,
});
const ownerRefusals = all<OwnerRefusal['what']>({
  approve_refused: true,
  cancel_refused: true,
  session_refused: true,
  resume_refused: true,
  memory_refused: true,
  feedback_refused: true,
});
const ownerFaults = all<OwnerFault>({ unauthenticated: true, not_owner: true });

/** `what` and `reason` of the lines of the security log. */
export const securitySeries: readonly (readonly string[])[] = [
  ...combined(['authentication_failed'], credentialFaults),
  ['entry_refused', 'role'],
  ['entry_refused', 'tenant'],
  ['origin_refused', 'origin'],
  ['origin_refused', 'host'],
  ...combined(['rate_limited'], callerLimits),
  ...combined(ownerRefusals, ownerFaults),
  ['approved', 'user'],
  ['approved', 'rule'],
  ['declined', 'user'],
  ['expired', 'system'],
  ['cancelled', 'user'],
  ['cancelled', 'system'],
];
export const budgetScopes = all<BudgetUsedUp['per']>({ user: true, role: true, conversation: true, day: true });
export const factsOutcomes = all<FactsOutcome>({ changed: true, nothing: true, failed: true, dropped: true });
