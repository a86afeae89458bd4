import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import { matchesGlob } from '../../core/base/glob.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { routeToSpecialistName } from '../../core/tools/tool-name.ts';
import { faultAt } from './agent-faults.ts';

/** A tool that an agent names and the server does not have. */
export interface MissingTool {
  readonly agent: WrittenAgent;
  /** As the definition writes it. */
  readonly name: string;
  readonly index: number;
  readonly isGlob: boolean;
}

/** The name of a tool as the server spells it: `GetWeather` of another host is `get_weather` here. */
export function spelledTool(name: string, known: readonly string[]): string {
  if (known.includes(name) || isGlob(name)) return name;
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
  return known.includes(snake) || !/^[a-z][a-z0-9_]*$/.test(name) ? snake : name;
}

/** What the agents name and the server does not have. `known` are the names of the present tools. */
export function missingTools(agents: readonly WrittenAgent[], known: readonly string[]): readonly MissingTool[] {
  const names = [...known, routeToSpecialistName];
  return agents.flatMap((agent) => {
    const { definition } = agent;
    if (definition.kind !== 'specialist') return [];
    return definition.tools.flatMap((name, index) => {
      const isThere = isGlob(name)
        ? names.some((one) => matchesGlob(name, one))
        : names.includes(spelledTool(name, names));
      return isThere ? [] : [{ agent, name, index, isGlob: isGlob(name) }];
    });
  });
}

/** The faults of names without a tool. A glob without a tool is a matter for a warning. */
export function toolFaults(missing: readonly MissingTool[], known: readonly string[]): readonly StartupFault[] {
  return missing
    .filter((one) => !one.isGlob)
    .map(({ agent, name, index }) => {
      const there = known.length === 0 ? 'the server has none' : 'no plugin has it';
      // Nobody means a new action where a letter is wrong.
      const meant = nearestName(name, known);
      const advice = meant === undefined ? '; write it as an action, in a plugin or a callback' : '';
      return faultAt(agent, agent.toolPaths?.[index] ?? `tools[${String(index)}]`, {
        message: `"${name}" is no action or tool: ${there}${advice}`,
        meant,
      });
    });
}

function isGlob(name: string): boolean {
  return /[*?]/.test(name);
}
