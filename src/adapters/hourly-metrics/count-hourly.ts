import type { Metrics } from '../../core/ports/metrics.ts';
import { bucketOf } from './durations.ts';
import type { HourBook } from './hour-book.ts';
import { SeriesNames } from './series.ts';

/** What of all metrics the dashboard shows. */
export type HourlyCounts = Pick<
  Metrics,
  | 'turnEnded'
  | 'modelCalled'
  | 'toolCalled'
  | 'toolRan'
  | 'callbackAsked'
  | 'confirmationRequested'
  | 'confirmationResolved'
  | 'rateLimited'
  | 'securityEvent'
  | 'connectionsChanged'
>;

type Book = Pick<HourBook, 'add' | 'raise'>;

/** Counts into `book`. `connections` is kept up to date: how many are open now, by channel. */
export function countHourly(book: Book, connections: Map<string, number>): HourlyCounts {
  const names = new SeriesNames();
  return {
    ...countTurns(book, names),
    ...countCalls(book, names),
    ...countConfirmations(book, names),
    rateLimited(what) {
      book.add(names.of('limited', what), 1);
    },
    securityEvent({ what, reason }) {
      const isAtTheDoor = what === 'authentication_failed' || what === 'entry_refused';
      if (isAtTheDoor) book.add(names.of('access', reason), 1);
    },
    connectionsChanged(channel, change) {
      const before = connections.get(channel) ?? 0;
      connections.set(channel, before + change);
      // A connection that ends in this hour was open in it, whenever it began.
      book.raise(names.of('peak', channel), Math.max(before, before + change));
    },
  };
}

function countTurns(book: Book, names: SeriesNames): Pick<HourlyCounts, 'turnEnded'> {
  return {
    turnEnded({ channel, status, code, durationMs, firstTokenMs }) {
      book.add(names.of('turns', channel, status), 1);
      if (code !== undefined) book.add(names.of('faults', code, status), 1);
      // A refusal takes no time: it would make the server look faster than it is.
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
    modelCalled({ model, durationMs, error, inputTokens, outputTokens }) {
      book.add(names.of('calls', model), 1);
      book.add(names.of('callMs', model, bucketOf(durationMs)), 1);
      // The user's Stop is no fault of the model.
      if (error !== undefined && error !== 'stopped') book.add(names.of('callErrors', model), 1);
      if (inputTokens > 0) book.add(names.of('inputTokens', model), inputTokens);
      if (outputTokens > 0) book.add(names.of('outputTokens', model), outputTokens);
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

function countConfirmations(
  book: Book,
  names: SeriesNames,
): Pick<HourlyCounts, 'confirmationRequested' | 'confirmationResolved'> {
  return {
    confirmationRequested() {
      book.add(names.of('asked', ''), 1);
    },
    confirmationResolved({ outcome, by, waitedMs }) {
      book.add(names.of('resolved', outcome, by), 1);
      if (by === 'user') book.add(names.of('answerMs', '', bucketOf(waitedMs)), 1);
    },
  };
}
