import { coordinatorName } from '../../agents/coordinator-name.ts';
import { type RecordedReply, replyKey } from '../../agents/recorded-reply.ts';
import type { ActionStatus, ChannelName, RecordedEvent, TokenUsage } from '../../events/turn-event.ts';
import type { ChatMessage, ModelToolCall } from '../../ports/chat-model.ts';
import type { RecordLine } from '../../record/record-line.ts';
import { eventOfLine, textOfLine } from '../../record/sealed-log.ts';
import { type KeptPrincipal, recordVersion, type TurnHeader } from '../../record/turn-header.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import type { CurrentPage } from '../../request/turn-request.ts';
import type { UiAction } from '../../request/ui-actions.ts';
import { outcomeOfServer, type ToolOutcome } from '../../tools/tool-outcome.ts';
import type { TurnSnapshot } from '../live/turn-snapshot.ts';

/** The part of a waiting turn that version 1.0 saved in snapshots. */
export interface WaitingTurnOfVersionOne {
  readonly history: readonly KeptMessage[];
  readonly sent: ChatMessage;
  /** The message of the user comes first, and the calls of the waiting round come last. */
  readonly said: readonly ChatMessage[];
  readonly askedAt: number;
  readonly autoApprovedRounds: readonly number[];
  readonly outcomes: Readonly<Record<string, Pick<ToolOutcome, 'status' | 'text'>>>;
  readonly open: readonly { readonly callId: string }[];
}

/** A suspended turn as version 1.0 stored it. */
interface SuspendedTurnOfVersionOne extends WaitingTurnOfVersionOne {
  readonly version: 1;
  readonly turnId: string;
  readonly conversationId: string;
  readonly channel: ChannelName;
  readonly principal: KeptPrincipal;
  readonly page?: CurrentPage;
  readonly uiActions?: readonly UiAction[];
  readonly usage: TokenUsage;
  readonly events: { readonly firstSeq: number; readonly lines: readonly string[] };
}

type Step = readonly [key: string, value: unknown];

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, model: '' };

/** What version 1.0 stored of a turn, as the header and the lines of a record; undefined when it cannot be read. */
export function readVersionOne(
  state: string,
  maxToolRounds: number,
): { readonly header: TurnHeader; readonly lines: readonly RecordLine[] } | undefined {
  const kept = suspendedTurn(state);
  if (kept === undefined) return undefined;
  const { turnId, conversationId, channel, principal, page, history, askedAt, uiActions = [] } = kept;
  const header: TurnHeader = {
    version: recordVersion,
    turnId,
    conversationId,
    principal,
    channel,
    ...(page === undefined ? {} : { page }),
    uiActions,
    message: { text: kept.said[0]?.text ?? '' },
    history,
    askedAt,
    maxToolRounds,
    isCopy: false,
  };
  const steps = stepsOfVersionOne(kept, kept.usage);
  return {
    header,
    lines: [...steps.map(([key, value]) => ['step', key, value] as const), ...eventLines(kept.events, steps)],
  };
}

/** What version 1.0 saved of a waiting turn in a snapshot, as the current version saves it. */
export function snapshotOfVersionOne(waiting: WaitingTurnOfVersionOne): TurnSnapshot {
  const { history, askedAt } = waiting;
  return { history, askedAt, steps: stepsOfVersionOne(waiting, noUsage), told: [] };
}

function suspendedTurn(state: string): SuspendedTurnOfVersionOne | undefined {
  try {
    // The store gives back what version 1.0 wrote; the version says in which form.
    const kept = JSON.parse(state) as SuspendedTurnOfVersionOne | { readonly version?: unknown } | null;
    const isWhole =
      kept?.version === 1 &&
      ['open', 'principal', 'events', 'said', 'askedAt', 'autoApprovedRounds'].every((part) => part in kept);
    return isWhole ? (kept as SuspendedTurnOfVersionOne) : undefined; // its members were looked at
  } catch {
    return undefined;
  }
}

function stepsOfVersionOne(kept: WaitingTurnOfVersionOne, usage: TokenUsage): readonly Step[] {
  const { said, sent, outcomes, open, autoApprovedRounds } = kept;
  const [message, ...rest] = said;
  const page = message === undefined ? '' : sent.text.slice(0, Math.max(0, sent.text.length - message.text.length - 1));
  const steps: Step[] = [
    ['admitted', true],
    ['prompt/message', { ...message, origin: 'user' }],
    ['prompt/page', { text: page, origin: 'page' }],
  ];
  const replies = rest.filter((one) => one.role === 'assistant');
  for (const [round, reply] of replies.entries()) {
    const at = replyKey(coordinatorName, round);
    steps.push([`${at}/model`, replyOf(reply, round === replies.length - 1 ? usage : noUsage)]);
    for (const { id } of reply.toolCalls) {
      const outcome = outcomes[id] ?? toldOutcome(rest, id);
      if (outcome !== undefined) steps.push([`${at}/call/${id}`, { ...outcome, origin: 'action' }]);
      if (open.some(({ callId }) => callId === id)) steps.push([`${at}/call/${id}/asked`, true]);
    }
  }
  for (const round of autoApprovedRounds) steps.push([`auto/${replyKey(coordinatorName, round)}`, true]);
  return steps;
}

function replyOf(
  { text, toolCalls }: { readonly text: string; readonly toolCalls: readonly ModelToolCall[] },
  { inputTokens, outputTokens, model }: TokenUsage,
): RecordedReply {
  const calls = toolCalls.map(({ id, name, arguments: written }) => ({ callId: id, name, arguments: written }));
  return { text, calls, dropped: 0, usage: { inputTokens, outputTokens }, model, finish: 'tool-calls' };
}

/** What the model was told of a call: `[status] text`. */
function toldOutcome(said: readonly ChatMessage[], callId: string): ToolOutcome | undefined {
  const message = said.find((one) => one.role === 'tool' && one.callId === callId);
  const [, status = '', text = ''] = /^\[(\w+)\] ([^]*)$/.exec(message?.text ?? '') ?? [];
  return status === '' ? undefined : outcomeOfServer(status as ActionStatus, text); // as version 1.0 wrote it
}

function eventLines(
  { firstSeq, lines }: SuspendedTurnOfVersionOne['events'],
  steps: readonly Step[],
): readonly RecordLine[] {
  const paths = new Map(
    steps.map(([key]) => [key.split('/call/')[1]?.split('/')[0] ?? '', key.split('/asked')[0] ?? '']),
  );
  const begins: RecordLine[] = firstSeq === 1 ? [] : [['from', firstSeq, '']];
  const events = lines.map((line, index): RecordLine => {
    const seq = firstSeq + index;
    const text = textOfLine(line);
    if (text !== undefined) return ['text', [text.escaped]];
    const event = eventOfLine(line, seq);
    return ['event', keyOf(event, paths), event.type, event.json];
  });
  return [...begins, ...events];
}

function keyOf({ type, json, seq }: RecordedEvent, paths: ReadonlyMap<string, string>): string {
  const { actionId, callId } = JSON.parse(json) as { readonly actionId?: string; readonly callId?: string }; // by version 1.0
  const at = callId === undefined ? undefined : paths.get(callId);
  switch (type) {
    case 'turn-started':
      return 'started';
    case 'confirmation-requested':
      return `asked/${actionId ?? ''}`;
    case 'confirmation-resolved':
      return `resolved/${actionId ?? ''}`;
    case 'action-executing':
      return `${at ?? callId ?? ''}/executing`;
    case 'action-completed':
      return `${at ?? callId ?? ''}/completed`;
    case 'text-delta':
    case 'thought-ready':
    case 'text-replaced':
    case 'action-progress':
    case 'agent-activity':
    case 'navigation-requested':
    case 'card-ready':
    case 'rag-sources-ready':
    case 'turn-completed':
    case 'error-occurred':
      return `version-one/${String(seq)}`;
  }
}
