import { findAgentFiles } from '../../config/agents/find-agent-files.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { isLoopback } from '../../config/warnings.ts';
import { deepestAgent } from '../../core/agents/staff.ts';
import { idleOptions } from '../../core/agents/team-options.ts';
import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import { areComplete } from '../providers/tool-provider.ts';
import { missingTools } from './agent-tools.ts';
import type { AgentSurroundings, LoadedAgents } from './load-agents.ts';

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
const codes = {
  ignored: 'HLP1150',
  undescribed: 'HLP1151',
  missing: 'HLP1152',
  none: 'HLP1153',
  deep: 'HLP1154',
  plainText: 'HLP1155',
} as const;

type Warning = { readonly code: string; readonly message: string };

/** The warnings about agents, by code. */
export function agentWarnings(
  settings: Pick<HelperSettings, 'agent' | 'declarative' | 'models'>,
  { written, wanted }: LoadedAgents,
  around: Pick<AgentSurroundings, 'providers' | 'toolbox'>,
): readonly Warning[] {
  const { directory } = settings.declarative;
  const isEmpty = directory !== null && !written.some((agent) => agent.place('').file.startsWith(directory));
  return [
    ...written.flatMap((agent): readonly Warning[] => {
      const model = wanted.get(agent.definition.name);
      const isDemo = model !== undefined && settings.models[model.entry]?.provider === 'demo';
      const ofDemo = isDemo && Object.keys(model.options).length > 0 ? ['model.options (the demo model has none)'] : [];
      const replaced =
        model?.inPlaceOf === undefined
          ? []
          : [`model.id (no entry of models has ${model.inPlaceOf}; "${model.entry}" answers)`];
      const idle = [...replaced, ...agent.ignored, ...idleOf(agent), ...ofDemo];
      if (idle.length === 0) return [];
      return [{ code: codes.ignored, message: `${labelOf(agent)}: without effect here: ${idle.join(', ')}.` }];
    }),
    ...written
      .filter(({ definition }) => definition.description === '')
      .map((agent) => ({
        code: codes.undescribed,
        message: `${labelOf(agent)} has no description, by which the coordinator would know what to hand over.`,
      })),
    ...missingWarnings(written, around),
    ...deepWarnings(written),
    ...plainTextWarnings(settings, written),
    ...(isEmpty ? [{ code: codes.none, message: `declarative.directory: ${noneText(settings)}` }] : []),
  ];
}

/** Why no agent comes from the folder. */
function noneText({ declarative }: Pick<HelperSettings, 'declarative'>): string {
  const { directory, searchPattern } = declarative;
  const count = findAgentFiles(declarative).length;
  return count === 0
    ? `no file in ${directory ?? ''} matches ${searchPattern}.`
    : `what matches ${searchPattern} in ${directory ?? ''} is empty, so no agent is defined.`;
}

/** Headers hold keys of other servers, which plain http shows to everybody on the way. */
function plainTextWarnings(
  { agent }: Pick<HelperSettings, 'agent'>,
  written: readonly WrittenAgent[],
): readonly Warning[] {
  const answering = agent?.a2a === undefined ? [] : [{ label: 'agent', url: agent.a2a, headers: agent.headers }];
  const remotes = written.flatMap((one) => {
    const { definition } = one;
    if (definition.kind !== 'remote') return [];
    return [{ label: labelOf(one), url: definition.agentCardUrl, headers: definition.headers }];
  });
  return [...answering, ...remotes].filter(sendsSecretsPlainly).map(({ label }) => ({
    code: codes.plainText,
    message: `${label}: its headers travel over plain http, where others can read them. Use https.`,
  }));
}

function sendsSecretsPlainly({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): boolean {
  const { protocol, hostname } = new URL(url);
  const isFar = protocol !== 'https:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isFar && Object.keys(headers).length > 0;
}

/**
 * Warns of tools that agents name and nothing offers. There are no warnings while a callback has not yet told its actions
 * (contract/agents.md#definitions).
 */
export function missingWarnings(
  agents: readonly WrittenAgent[],
  { providers, toolbox }: Pick<AgentSurroundings, 'providers' | 'toolbox'>,
): readonly Warning[] {
  if (!areComplete(providers)) return [];
  return missingTools(
    agents,
    toolbox.tools.map(({ name }) => name),
  ).map(({ agent, name }) => ({
    code: codes.missing,
    message: `${labelOf(agent)} names "${name}", which is no action or tool of the server.`,
  }));
}

/** Warns of a team in a team in a team: the members of the innermost are a fourth in a row (contract/agents.md#handing-over). */
function deepWarnings(written: readonly WrittenAgent[]): readonly Warning[] {
  const byName = new Map(written.map(({ definition }) => [definition.name, definition]));
  const teamsIn = (definition: WrittenAgent['definition'] | undefined): readonly string[] =>
    definition?.kind === 'team' ? definition.members.filter((name) => byName.get(name)?.kind === 'team') : [];
  return written.flatMap((agent) => {
    const ways = teamsIn(agent.definition).map((middle) => ({ middle, inner: teamsIn(byName.get(middle))[0] }));
    const deep = ways.find(({ inner }) => inner !== undefined);
    if (deep?.inner === undefined) return [];
    const why = `because agents are at most ${String(deepestAgent)} deep`;
    const message = `${labelOf(agent)}: by way of ${deep.middle}, the members of ${deep.inner} are never asked, ${why}.`;
    return [{ code: codes.deep, message }];
  });
}

function idleOf({ definition }: WrittenAgent): readonly string[] {
  if (definition.kind !== 'team') return [];
  return idleOptions(definition.mode, definition.options).map(
    (option) => `options.${option} (mode ${definition.mode})`,
  );
}

function labelOf({ definition, from }: WrittenAgent): string {
  return `agent "${definition.name}" (${from})`;
}
