import type {
  ActionConfirmations,
  CallbackFigures,
  ConfirmationFigures,
  ConnectionFigures,
  ModelFaultFigures,
  RangeFigures,
  SnapshotFigures,
} from '../../wire/admin-metrics.ts';
import { percentile } from './durations.ts';
import type { SeriesKind } from './series.ts';
import type { Tally } from './tally.ts';

/** How many confirmations users were asked for, and how these ended. */
export function confirmationsOf(tally: Tally): ConfirmationFigures {
  return {
    asked: tally.sum('asked'),
    approved: tally.sum('resolved', 'approved', 'user'),
    declined: tally.sum('resolved', 'declined'),
    expired: tally.sum('resolved', 'expired'),
    cancelled: tally.sum('resolved', 'cancelled'),
    byRule: tally.sum('resolved', 'approved', 'rule'),
    medianMs: percentile(tally.buckets('answerMs'), 0.5),
  };
}

/** How often documents were looked for, and the share of those searches that found any. */
export function searchesOf(tally: Tally): RangeFigures['rag'] {
  const sources = tally.names('searches');
  const searches = sources.reduce((sum, source) => sum + tally.sum('searches', source), 0);
  const found = sources.reduce((sum, source) => sum + tally.sum('searches', source, 'found'), 0);
  return { searches, hitRate: searches === 0 ? null : found / searches };
}

/** The figures of confirmations, by action. */
export function actionConfirmationsOf(tally: Tally): readonly ActionConfirmations[] {
  return tally.names('actionQuestions').map((action) => {
    const sum = (...parts: readonly string[]): number => tally.sum('actionQuestions', action, ...parts);
    return {
      action,
      asked: sum('asked'),
      approved: sum('approved', 'user'),
      declined: sum('declined'),
      expired: sum('expired'),
      cancelled: sum('cancelled'),
      byRule: sum('approved', 'rule'),
      medianMs: percentile(tally.buckets('actionAnswerMs', action), 0.5),
    };
  });
}

/** A fault of a model as the name of its series. The name of the model comes last, because a name that is too long is cut. */
export function modelFaultName(fault: {
  readonly provider: string;
  readonly model: string;
  readonly error: string;
  readonly status?: number | undefined;
  readonly providerCode?: string | undefined;
}): string {
  const { provider, model, error, status, providerCode } = fault;
  return [error, status ?? '', providerCode ?? '', provider, model].join('\n');
}

/** How often calls of models failed, by what their providers have answered. The most frequent first. */
export function modelFaultsOf(tally: Tally): readonly ModelFaultFigures[] {
  const figures = counted(tally, 'modelFaults').map(([name, count]): ModelFaultFigures => {
    const [error = '', status = '', code = '', provider = '', model = ''] = name.split('\n');
    return {
      model,
      provider,
      error,
      status: status === '' ? null : Number(status),
      code: code === '' ? null : code,
      count,
    };
  });
  return figures.toSorted((one, other) => other.count - one.count);
}

/** How often each callback answered and failed. */
export function callbacksOf(tally: Tally): readonly CallbackFigures[] {
  return tally.names('callbacks').map((callback) => ({
    callback,
    answered: tally.sum('callbacks', callback, 'answered'),
    failed: tally.sum('callbacks', callback, 'failed'),
    paused: tally.sum('callbacks', callback, 'paused'),
  }));
}

/** The connections of each channel. */
export function connectionsOf(tally: Tally): readonly ConnectionFigures[] {
  const channels = new Set((['peak', 'opened', 'ended', 'returned'] as const).flatMap((kind) => tally.names(kind)));
  return [...channels].sort().map((channel) => {
    const ended = tally.sum('ended', channel);
    return {
      channel,
      peak: tally.highest('peak', channel),
      opened: tally.sum('opened', channel),
      returned: tally.sum('returned', channel),
      averageMs: ended === 0 ? null : Math.round(tally.sum('lasted', channel) / ended),
    };
  });
}

const snapshotWhats = ['saved', 'restored', 'refused'] as const;

/** How often conversations were saved and restored, and how often this was refused. */
export function snapshotsOf(tally: Tally): readonly SnapshotFigures[] {
  return snapshotWhats.flatMap((what) =>
    tally.parts('snapshots', what).map((reason) => ({
      what,
      reason: reason === '' ? null : reason,
      count: tally.sum('snapshots', what, reason),
    })),
  );
}

/** The names within a kind, and how often each was counted. */
export function counted(tally: Tally, kind: SeriesKind): readonly (readonly [name: string, count: number])[] {
  return tally.names(kind).map((name) => [name, tally.sum(kind, name)]);
}
