import type { HelperSettings } from '../config/settings.ts';
import type { ConfigurationWarning } from '../config/warnings.ts';
import { nearestName } from '../core/errors/nearest-name.ts';
import { findToolsName, handOffName, routeToSpecialistName } from '../core/tools/tool-name.ts';
import type { LoadedAgents } from './agents/load-agents.ts';
import type { OpenModels } from './reload/live-model.ts';

/** Documented in `docs/reference/warnings.md`. */
const code = 'HLP1037';

/** The most warnings of this kind. More of them would hide the other warnings. */
const most = 10;

interface Around {
  readonly models: OpenModels;
  readonly agents: Pick<LoadedAgents, 'definitions' | 'servers'>;
}

/** Names that stand in one place, and those that could. */
interface NamedList {
  readonly path: string;
  readonly names: readonly string[];
  readonly known: readonly string[];
  /** Ends "names x, which is …". */
  readonly none: string;
}

/**
 * Warns of names in lists of tools, servers, agents and prices that name nothing, with the name that was probably meant
 * (contract/configuration.md#commands). Lists that name what a connection tells later are looked at then.
 */
export function nameWarnings(settings: HelperSettings, around: Around): readonly ConfigurationWarning[] {
  const unknown = [...toolLists(settings), ...clientLists(settings, around), ...prices(settings, around)].flatMap(
    ({ path, names, known, none }) =>
      names
        .filter((name) => !known.includes(name))
        .map((name) => {
          const near = nearestName(name, known);
          const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
          return `${path} names "${name}", which is ${none}, so it does nothing${meant}.`;
        }),
  );
  return [...neverAsking(settings), ...unknown].slice(0, most).map((message) => ({ code, message }));
}

/** Tools of entries that also say which tools there are. */
function toolLists({ hostedMcpServers, mcpServers }: HelperSettings): readonly NamedList[] {
  const none = 'none of the allowedTools of its entry';
  return [
    ...hostedMcpServers.flatMap((server, index) =>
      (['alwaysRequireApprovalTools', 'neverRequireApprovalTools'] as const).flatMap((key): readonly NamedList[] =>
        server.allowedTools === undefined
          ? []
          : [
              {
                path: `hostedMcpServers[${String(index)}].${key}`,
                names: server[key],
                known: server.allowedTools,
                none,
              },
            ],
      ),
    ),
    ...mcpServers.flatMap(({ tools, allowedTools }, index): readonly NamedList[] =>
      allowedTools === undefined
        ? []
        : [{ path: `mcpServers[${String(index)}].tools`, names: Object.keys(tools), known: allowedTools, none }],
    ),
  ];
}

/** What the widget names before its connection tells of it. It may be connected to another server. */
function clientLists({ client, mcpServers, remoteAgents }: HelperSettings, { agents }: Around): readonly NamedList[] {
  if (client.hubUrl !== null) return [];
  const remotes = [...remoteAgents, ...agents.definitions.filter(({ kind }) => kind === 'remote')];
  return [
    {
      path: 'client.remoteAgentDisplays',
      names: client.remoteAgentDisplays.map(({ name }) => name),
      known: remotes.map(({ name }) => name),
      none: 'no remote agent',
    },
    {
      path: 'client.mcpServerNames',
      names: client.mcpServerNames,
      known: [...mcpServers, ...agents.servers].map(({ name }) => name),
      none: 'no entry of mcpServers',
    },
  ];
}

function prices({ models: entries, modelPricing }: HelperSettings, { models }: Around): readonly NamedList[] {
  const opened = [...models.chains.values()].flat().map(({ model: { model } }) => model);
  const agents = [...(models.agents?.values() ?? []), models.chat].map(({ model }) => model);
  const written = Object.entries(entries).flatMap(([name, { model, deployment, plugin }]) => [
    model ?? plugin ?? name,
    ...(deployment === undefined ? [] : [deployment]),
  ]);
  return [
    {
      path: 'modelPricing',
      names: Object.keys(modelPricing ?? {}),
      known: [...new Set([...written, ...opened, ...agents])],
      none: 'the name of no model',
    },
  ];
}

/** Tools of the server that ask nobody, whatever the settings say (contract/agents.md#handing-over). */
function neverAsking({ requiresApproval }: HelperSettings): readonly string[] {
  const never = [routeToSpecialistName, handOffName, findToolsName];
  return requiresApproval.flatMap((name, index) =>
    never.includes(name)
      ? [
          `requiresApproval[${String(index)}] names "${name}", which asks nobody, so it does nothing: name the tools of whoever is handed to.`,
        ]
      : [],
  );
}
