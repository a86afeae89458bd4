import { maxOpenConfirmationsPerUser } from '../../../../src/core/confirmations/user-places.ts';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import type { ReadEvent } from '../../../support/test-assistant.ts';
import type { PlayedPlan } from './played-plan.ts';

/** The rules of the contract that a played plan broke, one sentence for each fault. Empty when it broke none. */
export function faultsOf(played: PlayedPlan): readonly string[] {
  return [
    ...played.turns.flatMap(turnFaults),
    ...played.readers.flatMap((reader) => readerFaults(reader, played)),
    ...writeFaults(played),
    ...answerFaults(played),
    ...played.histories.flatMap(historyFaults),
    ...leftOpen(played),
  ];
}

/** contract/events.md#order: seq 1, 2, 3 … from TurnStarted to the one TurnCompleted; each question and each action ends once. */
function turnFaults({ turn, result, log }: PlayedPlan['turns'][number]): string[] {
  const completed = log.filter(({ type }) => type === 'turn-completed');
  const ids = (type: ReadEvent['type'], field: string): unknown[] =>
    log.filter((event) => event.type === type).map(({ fields }) => fields[field]);
  const asked = ids('confirmation-requested', 'actionId');
  const resolved = ids('confirmation-resolved', 'actionId');
  const executing = ids('action-executing', 'callId');
  const done = ids('action-completed', 'callId');
  return failing({
    [`turn ${turn.id} has no result`]: result === 'none',
    'the numbers have a gap': log.some(({ seq }, index) => seq !== index + 1),
    'a turn does not begin with TurnStarted': log[0]?.type !== 'turn-started',
    'a turn has not exactly one TurnCompleted': completed.length !== 1,
    'something follows TurnCompleted': log.at(-1)?.type !== 'turn-completed',
    'the result is not what TurnCompleted says': result !== 'none' && completed[0]?.fields['status'] !== result.status,
    'a question has not exactly one outcome': !isSameSet(asked, resolved),
    'an outcome comes before its question': resolved.some(
      (id) => orderOf(log, 'resolved', id) < orderOf(log, 'requested', id),
    ),
    'an action has more than one end': new Set(done).size !== done.length,
    'an action that began has no end': executing.some((id) => !done.includes(id)),
    'an action began twice': new Set(executing).size !== executing.length,
  });
}

/** A reader gets all events after its seq, in order and without gaps. Of the earlier events it gets only open questions again. */
function readerFaults({ turnId, reader, afterSeq }: PlayedPlan['readers'][number], { turns }: PlayedPlan): string[] {
  const again = reader.events.filter(({ seq }) => seq <= afterSeq);
  const fresh = reader.events.filter(({ seq }) => seq > afterSeq);
  const before = turns.find(({ turn }) => turn.id === turnId)?.log.slice(0, afterSeq) ?? [];
  return failing({
    'a reader has a gap': fresh.some(({ seq }, index) => seq !== afterSeq + index + 1),
    'a reader got something else than a question again': again.some(({ type }) => type !== 'confirmation-requested'),
    'a reader got a question again that was over': again.some(
      ({ fields }) => orderOf(before, 'resolved', fields['actionId']) >= 0,
    ),
  });
}

/**
 * contract/confirmations.md#the-journal: No action runs without its approval, and no action runs twice. The journal records an action
 * before it runs.
 */
function writeFaults({ writes, accepted }: PlayedPlan): string[] {
  const approvals = accepted.filter(({ outcome }) => outcome === 'approved').map(({ actionId }) => actionId);
  return [
    ...failing({
      'a write ran twice': new Set(writes.map(({ callId }) => callId)).size !== writes.length,
      'a write began after its turn was stopped': writes.some(({ stopped }) => stopped),
    }),
    ...writes.flatMap(({ row }) =>
      failing({
        'a write ran that was not journalled as approved and executing':
          row?.state !== 'executing' || row.answer !== 'approved',
        'a write ran without exactly one accepted approval':
          approvals.filter((actionId) => actionId === row?.actionId).length !== 1,
      }),
    ),
  ];
}

/** If several answers come at the same moment, one of them wins. The outcome that it was told must be what happened. */
function answerFaults({ accepted, turns }: PlayedPlan): string[] {
  const outcomes = new Map(
    turns.flatMap(({ log }) =>
      log
        .filter(({ type }) => type === 'confirmation-resolved')
        .map(({ fields }) => [fields['actionId'], fields['outcome']] as const),
    ),
  );
  return failing({
    'two answers were accepted': new Set(accepted.map(({ actionId }) => actionId)).size !== accepted.length,
    'an accepted answer is not the outcome': accepted.some(
      ({ actionId, outcome }) => outcomes.get(actionId) !== outcome,
    ),
  });
}

/** Every call in a history must be followed directly by its outcome. Providers refuse every later request otherwise. */
function historyFaults(messages: readonly ChatMessage[]): string[] {
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
  const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  return failing({
    'a call in the history has no outcome': called.join() !== answered.join(),
    'a history holds an empty message': messages.some((message) => message.role === 'user' && message.text === ''),
  });
}

function leftOpen(played: PlayedPlan): string[] {
  return failing({
    'a row of the journal was left open': played.unfinished.length > 0,
    'a place for a question was not given back': played.freePlaces.some(
      (places) => places !== maxOpenConfirmationsPerUser,
    ),
    'a turn still runs': played.runningTurns !== 0,
  });
}

function orderOf(log: readonly ReadEvent[], what: 'requested' | 'resolved', actionId: unknown): number {
  return log.findIndex(({ type, fields }) => type === `confirmation-${what}` && fields['actionId'] === actionId);
}

function isSameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && new Set([...left, ...right]).size === left.length;
}

function failing(checks: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(checks).flatMap(([sentence, fails]) => (fails ? [sentence] : []));
}
