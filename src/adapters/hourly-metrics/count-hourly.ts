import type { Metrics } from '../../core/ports/metrics.ts';
import type { ConnectionBook } from './connection-book.ts';
import { bucketOf } from './durations.ts';
import type { HourBook } from './hour-book.ts';
import { modelFaultName } from './range-tables.ts';
import { SeriesNames } from './series.ts';
import type { TopTurns } from './top-turns.ts';

/** The part of all metrics that the dashboard shows. */
export type HourlyCounts = Pick<
  Metrics,
  | 'turnEnded'
  | 'modelCalled'
  | 'toolCalled'
  | 'toolRan'
  | 'callbackAsked'
  | 'knowledgeSearched'
  | 'confirmationRequested'
  | 'confirmationResolved'
  | 'rateLimited'
  | 'securityEvent'
  | 'connectionOpened'
  | 'connectionEnded'
  | 'connectionReturned'
  | 'snapshotHandled'
  | 'filesDropped'
  | 'feedbackGiven'
>;

type Book = Pick<HourBook, 'add'>;

/** Counts into `book`. Opened and ended connections are passed on to `connections`, and ended turns to `turns`. */
export function countHourly(book: Book, connections: ConnectionBook, turns: Pick<TopTurns, 'add'>): HourlyCounts {
  const names = new SeriesNames();
  return {
    ...countTurns(book, names, turns),
    ...countCalls(book, names),
    ...countConfirmations(book, names),
    ...countConnections(book, names, connections),
    rateLimited(what) {
      book.add(names.of('limited', what), 1);
    },
    securityEvent({ what, reason }) {
      const isAtTheDoor = what === 'authentication_failed' || what === 'entry_refused';
      if (isAtTheDoor) book.add(names.of('access', reason), 1);
    },
    snapshotHandled(handled) {
      book.add(names.of('snapshots', handled.what, handled.what === 'refused' ? handled.reason : ''), 1);
    },
    knowledgeSearched({ source, outcome }) {
      book.add(names.of('searches', source, outcome), 1);
    },
    filesDropped(reason, count) {
      book.add(names.of('files', reason), count);
    },
    feedbackGiven(rating) {
      book.add(names.of('feedback', rating), 1);
    },
  };
}

function countTurns(book: Book, names: SeriesNames, turns: Pick<TopTurns, 'add'>): Pick<HourlyCounts, 'turnEnded'> {
  return {
    turnEnded(turn) {
      const { channel, status, code, durationMs, firstTokenMs } = turn;
      turns.add(turn);
      book.add(names.of('turns', channel, status), 1);
      if (code !== undefined) book.add(names.of('faults', code, status), 1);
      // A refusal takes almost no time, so it would make the server look faster than it is.
      if (status !== 'refused') book.add(names.of('turnMs', '', bucketOf(durationMs)), 1);
      if (firstTokenMs !== undefined) book.add(names.of('firstTextMs', '', bucketOf(firstTokenMs)), 1);
    },
  };
}

function countCalls(
  book: Book,
  names: SeriesNames,
): Pick<HourlyCounts, 'modelCalled' | 'toolCalled' | 'toolRan' | 'callbackAsked'> {
  return {
    modelCalled({ provider, model, durationMs, error, inputTokens, outputTokens, cachedInputTokens = 0, ...answer }) {
      book.add(names.of('calls', model), 1);
      book.add(names.of('callMs', model, bucketOf(durationMs)), 1);
      // The user's Stop is no fault of the model.
      if (error !== undefined && error !== 'stopped') {
        book.add(names.of('callErrors', model), 1);
        book.add(names.of('modelFaults', modelFaultName({ provider, model, error, ...answer })), 1);
      }
      if (inputTokens > 0) book.add(names.of('inputTokens', model), inputTokens);
      if (outputTokens > 0) book.add(names.of('outputTokens', model), outputTokens);
      if (cachedInputTokens > 0) book.add(names.of('cachedTokens', model), cachedInputTokens);
    },
    toolCalled({ action, status }) {
      book.add(names.of('actions', action, status), 1);
    },
    toolRan({ action, durationMs }) {
      book.add(names.of('actionMs', action, bucketOf(durationMs)), 1);
    },
    callbackAsked({ callback, outcome }) {
      book.add(names.of('callbacks', callback, outcome), 1);
    },
  };
}

/** Counts confirmations twice: all together, as earlier versions do, and by action. */
function countConfirmations(
  book: Book,
  names: SeriesNames,
): Pick<HourlyCounts, 'confirmationRequested' | 'confirmationResolved'> {
  return {
    confirmationRequested({ action }) {
      book.add(names.of('asked', ''), 1);
      book.add(names.of('actionQuestions', action, 'asked'), 1);
    },
    confirmationResolved({ action, outcome, by, waitedMs }) {
      book.add(names.of('resolved', outcome, by), 1);
      book.add(names.of('actionQuestions', action, outcome, by), 1);
      if (by !== 'user' || outcome === 'cancelled') return;
      book.add(names.of('answerMs', '', bucketOf(waitedMs)), 1);
      book.add(names.of('actionAnswerMs', action, bucketOf(waitedMs)), 1);
    },
  };
}

function countConnections(
  book: Book,
  names: SeriesNames,
  connections: ConnectionBook,
): Pick<HourlyCounts, 'connectionOpened' | 'connectionEnded' | 'connectionReturned'> {
  return {
    connectionOpened(channel) {
      connections.opened(channel);
      book.add(names.of('opened', channel), 1);
    },
    connectionEnded(channel, ageMs) {
      connections.ended(channel, ageMs);
      book.add(names.of('ended', channel), 1);
      book.add(names.of('lasted', channel), Math.round(ageMs));
    },
    connectionReturned(channel, how) {
      book.add(names.of('returned', channel, how), 1);
    },
  };
}
