import type { AskedRange } from '../adapters/hourly-metrics/range-report.ts';
import type {
  ActionFigures,
  AdminMetrics,
  BudgetFigures,
  KillSwitchFigures,
  LiveFigures,
  RemoteFigures,
} from '../wire/admin-metrics.ts';
import { partsOfCurrency } from '../core/budgets/budget.ts';
import type { ChannelServices } from './channels/mount-channel.ts';
import { optionsThatAreOn } from './options-on.ts';
import { packageVersion } from './own-package.ts';
import { reportActions } from './server-report.ts';

type Services = Pick<
  ChannelServices,
  'settings' | 'current' | 'prepared' | 'assistant' | 'storage' | 'hourly' | 'warnings' | 'clock' | 'bus' | 'budgets'
>;

/**
 * Which figures the caller asks for. With `tenant` they are the figures of that tenant; without it they are those of all callers together.
 */
export interface AskedFigures {
  readonly range: AskedRange;
  readonly tenant: string | undefined;
}

/** The body of `GET /helper/admin/metrics`. `startedAt`: epoch milliseconds. Rejects when the storage failed. */
export async function adminMetrics(
  { range, tenant }: AskedFigures,
  startedAt: number,
  services: Services,
): Promise<AdminMetrics> {
  const { current, prepared, hourly } = services;
  const [figures, live, offered, budgets] = await Promise.all([
    hourly.report(range, current().modelPricing ?? {}, tenant),
    tenant === undefined ? liveFigures(services) : liveFiguresOf(tenant, services),
    reportActions(current(), prepared.tools, prepared.agents.current.definitions),
    budgetFigures(tenant, services),
  ]);
  const byName = new Map(offered.map((action) => [action.name, action]));
  const called = new Set(figures.callbacks.map(({ callback }) => callback));
  return {
    ...figures,
    actions: figures.actions.map((counted): ActionFigures => {
      const { readOnly = null, from = null } = byName.get(counted.action) ?? {};
      return { ...counted, readOnly, from };
    }),
    live: {
      ...live,
      // The names of documents of all tenants are among them.
      folders: tenant === undefined ? prepared.knowledge.folders() : [],
      callbacks: live.callbacks.filter(({ callback }) => tenant === undefined || called.has(callback)),
      // So are the names of what other tenants alone may reach.
      mcpServers: tenant === undefined ? prepared.mcpServers.shown().map(remoteFigures) : [],
      agents: tenant === undefined ? prepared.remoteAgents.shown().map(remoteFigures) : [],
      killSwitch: killSwitchFigures(services, tenant),
      budgets,
    },
    server: {
      version: packageVersion(),
      currency: current().modelPricingCurrency,
      startedAt: new Date(startedAt).toISOString(),
      configuration: current().configuration,
      options: optionsThatAreOn(current()),
      // The warnings name things of other tenants, so a tenant gets none of them.
      warnings: tenant === undefined ? [...services.warnings, ...prepared.mcpServers.laterWarnings] : [],
      // Its lines say who was refused, and have ids of what belongs to other tenants.
      hasSecurityLog: tenant === undefined && services.settings.dashboardRole !== '',
    },
    tenant: tenant ?? null,
  };
}

function remoteFigures({
  name,
  status,
}: {
  readonly name: string;
  readonly status: RemoteFigures['state'];
}): RemoteFigures {
  return { name, state: status };
}

/** The budgets of a tenant, or all of them. Where there are tenants, nobody sees what all of them spend together: each spends by itself. */
async function budgetFigures(
  tenant: string | undefined,
  { budgets, current }: Pick<Services, 'budgets' | 'current'>,
): Promise<readonly BudgetFigures[]> {
  const isOfMany = tenant === undefined && current().tenancy.claim !== null;
  const known = await budgets.overview(tenant, { isOfMany });
  return known.map(({ budget: { per, role = null, unit, limit, windowMs, then }, use }) => {
    const amount = (parts: number): number => (unit === 'cost' ? parts / partsOfCurrency : parts);
    return {
      ...{ per, role, unit, limit: amount(limit), windowMs, whenUsedUp: then },
      spent: use === undefined ? null : amount(use.spent),
      held: use === undefined ? null : amount(use.held),
      resetsAt: use === undefined ? null : new Date(use.endsAt).toISOString(),
    };
  });
}

/** The kill switch as a caller sees it. Nobody sets it for one replica of several, for other tenants, or without a name. */
export function killSwitchFigures(
  { prepared, current, bus }: Pick<Services, 'prepared' | 'current' | 'bus'>,
  tenant: string | undefined,
): KillSwitchFigures {
  const { killSwitch } = prepared;
  const { writes, tools } = killSwitch.thrown ?? { writes: false, tools: [] };
  const canSet = bus === undefined && tenant === undefined && current().dashboardRole !== '';
  return { writes, tools, isSetHere: killSwitch.isSetHere, canSet };
}

/** The names of the checks of callbacks on `/readyz` begin with this text. */
const callbackCheck = 'callback:';

type Moment = Omit<LiveFigures, 'folders' | 'mcpServers' | 'agents' | 'killSwitch' | 'budgets'>;

/** The present figures of all callers, and the state of the server. */
async function liveFigures(services: Services): Promise<Moment> {
  const { assistant, storage, hourly } = services;
  const [server, questions] = await Promise.all([serverFigures(services), storage.journal.waiting()]);
  return {
    ...server,
    ...connectionsOf(hourly.connections()),
    turns: assistant.runningTurns,
    questions: { count: questions.count, oldestAt: written(questions.oldestAt) },
  };
}

/** The present figures of one tenant's callers, and the state of the server. */
async function liveFiguresOf(tenant: string, services: Services): Promise<Moment> {
  const { assistant, hourly, clock } = services;
  const server = await serverFigures(services);
  const { runningTurns, openQuestions, oldestQuestionMs } = assistant.live.tenants?.get(tenant) ?? noTurns;
  return {
    ...server,
    ...connectionsOf(hourly.connections(tenant)),
    turns: Object.values(runningTurns).reduce((sum, turns) => sum + turns, 0),
    questions: {
      count: openQuestions,
      oldestAt: openQuestions === 0 ? null : written(clock.now() - oldestQuestionMs),
    },
  };
}

const noTurns = { runningTurns: {}, openQuestions: 0, oldestQuestionMs: 0 };

function connectionsOf(channels: LiveFigures['channels']): Pick<LiveFigures, 'connections' | 'channels'> {
  return { connections: channels.reduce((sum, { connections }) => sum + connections, 0), channels };
}

async function serverFigures({
  settings,
  prepared,
  storage,
  hourly,
}: Services): Promise<Pick<LiveFigures, 'storage' | 'callbacks'>> {
  const isWritable = await storage.isWritable();
  const checks = prepared.providers.flatMap((provider) => provider.readiness());
  return {
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
