import type { AskedRange } from '../adapters/hourly-metrics/range-report.ts';
import type { ActionFigures, AdminMetrics, LiveFigures } from '../wire/admin-metrics.ts';
import type { ChannelServices } from './channels/mount-channel.ts';
import { optionsThatAreOn } from './options-on.ts';
import { packageVersion } from './own-package.ts';
import { reportActions } from './server-report.ts';

type Services = Pick<
  ChannelServices,
  'settings' | 'current' | 'prepared' | 'assistant' | 'storage' | 'hourly' | 'warnings'
>;

/** The body of `GET /helper/admin/metrics`. `startedAt`: epoch milliseconds. Rejects when the storage failed. */
export async function adminMetrics(range: AskedRange, startedAt: number, services: Services): Promise<AdminMetrics> {
  const { current, prepared, hourly } = services;
  const [figures, live, offered] = await Promise.all([
    hourly.report(range, current().modelPricing ?? {}),
    liveFigures(services),
    reportActions(prepared.tools),
  ]);
  const byName = new Map(offered.map((action) => [action.name, action]));
  return {
    ...figures,
    actions: figures.actions.map((counted): ActionFigures => {
      const { readOnly = null, from = null } = byName.get(counted.action) ?? {};
      return { ...counted, readOnly, from };
    }),
    live,
    server: {
      version: packageVersion(),
      startedAt: new Date(startedAt).toISOString(),
      configuration: current().configuration,
      options: optionsThatAreOn(current()),
      warnings: services.warnings,
    },
  };
}

/** The names of callbacks' checks on `/readyz` begin with it. */
const callbackCheck = 'callback:';

async function liveFigures({ settings, prepared, assistant, storage, hourly }: Services): Promise<LiveFigures> {
  const [isWritable, questions] = await Promise.all([storage.isWritable(), storage.journal.waiting()]);
  const channels = hourly.connections;
  const checks = prepared.providers.flatMap((provider) => provider.readiness());
  return {
    connections: channels.reduce((sum, { connections }) => sum + connections, 0),
    channels,
    turns: assistant.runningTurns,
    questions: { count: questions.count, oldestAt: written(questions.oldestAt) },
    storage: {
      type: settings.storage.type,
      state: isWritable ? 'ok' : 'failed',
      savedAt: written(hourly.savedAt),
      retentionMs: settings.metricsRetention,
    },
    callbacks: checks
      .filter(({ name }) => name.startsWith(callbackCheck))
      .map(({ name, state }) => ({ callback: name.slice(callbackCheck.length), state })),
  };
}

function written(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
