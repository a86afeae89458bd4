import { ownToolsOf } from '../../core/agents/own-tools.ts';
import type { FaultPlace, ReportFault } from './fault-report.ts';
import type { PluginParts } from './read/read-plugin.ts';

interface Claim {
  readonly name: string;
  readonly plugin: PluginParts;
}

/**
 * Reports every name that two places claim, and names both places (contract/plugins.md#plugins). This covers plugins, tools, pages, models,
 * agents that answer, and parts and hooks that only one plugin may have.
 */
export function reportClashes(plugins: readonly PluginParts[], reportAt: (place: FaultPlace) => ReportFault): void {
  const claimsOf = (namesOf: (plugin: PluginParts) => Iterable<string>): readonly Claim[] =>
    plugins.flatMap((plugin) => [...namesOf(plugin)].map((name) => ({ name, plugin })));
  reportTwice(
    'plugin',
    claimsOf((plugin) => [plugin.name]),
    reportAt,
  );
  reportTwice(
    'tool',
    claimsOf((plugin) => [...plugin.tools, ...ownToolsOf(plugin.agents)].map((tool) => tool.name)),
    reportAt,
  );
  reportTwice(
    'page',
    claimsOf((plugin) => plugin.pages.map((page) => page.name)),
    reportAt,
  );
  reportTwice(
    'model',
    claimsOf((plugin) => plugin.models.keys()),
    reportAt,
  );
  reportTwice(
    'agent',
    claimsOf((plugin) => plugin.answering.keys()),
    reportAt,
  );
  reportTwice(
    'provider',
    claimsOf(({ reducer, history, memory }) => [
      ...(reducer === undefined ? [] : ['chatReducer']),
      ...(history === undefined ? [] : ['chatHistoryProvider']),
      ...(memory === undefined ? [] : ['memoryStore']),
    ]),
    reportAt,
  );
  reportTwice(
    'hook',
    claimsOf(({ hooks }) => (hooks.mcpCallerPrincipal === undefined ? [] : ['mcpCallerPrincipal'])),
    reportAt,
  );
}

function reportTwice(kind: string, claims: readonly Claim[], reportAt: (place: FaultPlace) => ReportFault): void {
  const first = new Map<string, PluginParts>();
  for (const { name, plugin } of claims) {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, plugin);
    else if (name !== '') {
      const places = `by ${describePlace(earlier)} and by ${describePlace(plugin)}`;
      reportAt({ file: plugin.file })(name, `the ${kind} name "${name}" is used twice: ${places}`);
    }
  }
}

function describePlace({ name, file }: PluginParts): string {
  return `plugin "${name}" (${file})`;
}
