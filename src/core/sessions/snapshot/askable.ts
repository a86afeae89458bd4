import type { RecordedReply } from '../../agents/recorded-reply.ts';
import { checkCall } from '../../calls/check-call.ts';
import { receiptFor } from '../../calls/what-it-did.ts';
import type { ToolCall } from '../../calls/tool-call.ts';
import { readerOf } from '../../identity/may-read.ts';
import type { Principal } from '../../identity/principal.ts';
import type { ConfirmationJournal } from '../../ports/confirmation-journal.ts';
import {
  missingRoleText,
  outcomeElsewhere,
  outcomeOfServer,
  outcomeText,
  type RecordedOutcome,
  type ToolOutcome,
} from '../../tools/tool-outcome.ts';
import { mayRun } from '../../tools/tool-policy.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { TurnSnapshot } from '../../turn/live/turn-snapshot.ts';

/** A call of a saved turn that had no outcome. */
interface OpenCall {
  readonly key: string;
  readonly call: ToolCall;
}

/**
 * The calls of a saved turn that were asked about and whose questions are still undecided. A question that was put again has another id.
 * The decision on that one counts too.
 */
export async function openCalls(waiting: TurnSnapshot, journal: ConfirmationJournal): Promise<readonly OpenCall[]> {
  const open: OpenCall[] = [];
  for (const each of withoutOutcome(waiting)) {
    if (await isOpen(each, waiting, journal)) open.push(each);
  }
  return open;
}

/**
 * Tells whether a saved turn still has something to ask of `principal`. The roles and the schemas of today count. `outcomes` has, by key,
 * the outcomes of those calls that are not asked about again.
 */
export async function askable(
  waiting: TurnSnapshot,
  today: { readonly journal: ConfirmationJournal; readonly principal: Principal; readonly toolbox: Toolbox },
): Promise<{ readonly isAsking: boolean; readonly outcomes: ReadonlyMap<string, RecordedOutcome> }> {
  const { journal, principal } = today;
  const toolbox = today.toolbox.withOwn;
  const outcomes = new Map<string, RecordedOutcome>();
  const ofReader = toolbox.of(readerOf(principal));
  let isAsking = false;
  for (const each of withoutOutcome(waiting)) {
    if (!(await isOpen(each, waiting, journal))) {
      const { outcome, at } = await outcomeSince(each, waiting, journal);
      outcomes.set(each.key, { ...outcome, ...receiptOf(each, waiting, { toolbox, at }) });
      continue;
    }
    // The provider has this tool, so the call cannot be checked here. Whether the tool may still be used is checked when the question is
    // put.
    if (each.call.hosted !== undefined) {
      isAsking = true;
      continue;
    }
    const checked = checkCall(each.call, ofReader);
    const receipt = receiptOf(each, waiting, { toolbox, at: waiting.askedAt });
    if ('status' in checked) outcomes.set(each.key, { ...checked, ...receipt });
    else if (mayRun(checked.tool, principal)) isAsking = true;
    else outcomes.set(each.key, { ...outcomeOfServer('refused', missingRoleText(checked.tool)), ...receipt });
  }
  return { isAsking, outcomes };
}

function withoutOutcome({ steps }: TurnSnapshot): readonly OpenCall[] {
  const keys = new Set(steps.map(([key]) => key));
  return steps
    .filter(([key]) => key.endsWith('/model'))
    .flatMap(([key, value]) => {
      const path = key.slice(0, -'/model'.length);
      const { calls } = value as RecordedReply; // recorded by `askModel`
      return calls.map((call) => ({ key: `${path}/call/${call.callId}`, call }));
    })
    .filter(({ key }) => !keys.has(key));
}

/**
 * Whether the call was asked about and its question stands undecided in the journal. A call without a row in the journal is not open: the
 * row of its answer may be gone too.
 */
async function isOpen(
  { key, call }: OpenCall,
  { steps }: TurnSnapshot,
  journal: ConfirmationJournal,
): Promise<boolean> {
  if (!steps.some(([step]) => step === `${key}/asked`)) return false;
  const rows = await journal.ofCall(call.callId);
  return rows.length > 0 && !rows.some(({ answer }) => answer === 'approved' || answer === 'declined');
}

async function outcomeSince(
  { call }: OpenCall,
  { askedAt }: TurnSnapshot,
  journal: ConfirmationJournal,
): Promise<{ readonly outcome: ToolOutcome; readonly at: number }> {
  const rows = await journal.ofCall(call.callId);
  const decided = rows.find(({ answer }) => answer === 'approved' || answer === 'declined');
  if (decided === undefined) return { outcome: outcomeOfServer('unknown', outcomeText.unknown), at: askedAt };
  return { outcome: outcomeElsewhere(decided, false), at: decided.doneAt ?? decided.answeredAt ?? askedAt };
}

/** Only a call that was asked about or had begun gets a receipt, because only such a call may have changed something. */
function receiptOf(
  { key, call }: OpenCall,
  { steps }: TurnSnapshot,
  { toolbox, at }: { readonly toolbox: Toolbox; readonly at: number },
): Pick<RecordedOutcome, 'receipt'> {
  if (!steps.some(([step]) => step === `${key}/asked` || step === `${key}/began`)) return {};
  return { receipt: receiptFor(call.name, toolbox.find(call.name), at) };
}
