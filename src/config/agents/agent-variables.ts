import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { formatPath, type LocatedMap, type LocatedValue, valueAt } from '../located-value.ts';
import { helperSchema } from '../schema/helper.schema.ts';

/** The values that definitions reach as `=Env.NAME`, by name. */
export type AgentVariables = Readonly<Record<string, string>>;

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const path = ['declarative', 'configurationSection'] as const;

/**
 * Takes the section that `declarative.configurationSection` names out of the configuration: its keys are the operator's own, and no schema
 * knows them (contract/agents.md#definitions).
 */
export function takeAgentVariables(root: LocatedValue): {
  readonly root: LocatedValue;
  readonly variables: AgentVariables;
  readonly faults: readonly StartupFault[];
} {
  const named = valueAt(root, path);
  const name = named?.kind === 'scalar' ? named.value : undefined;
  const none = { root, variables: {}, faults: [] };
  if (named === undefined || root.kind !== 'map' || typeof name !== 'string') return none;
  const fault = (message: string): StartupFault => ({ ...named.place, path: formatPath(path), message });
  if (Object.hasOwn(helperSchema.properties, name))
    return { ...none, faults: [fault(`"${name}" is a key of the server; name a top-level key of your own`)] };
  const section = root.entries.get(name)?.value;
  if (section === undefined)
    return {
      ...none,
      faults: [fault(`there is no top-level key "${name}"; write it, with the names and their texts`)],
    };
  const rest = { ...root, entries: new Map([...root.entries].filter(([key]) => key !== name)) };
  if (section.kind === 'scalar' && section.value === null) return { ...none, root: rest };
  if (section.kind !== 'map')
    return {
      root: rest,
      variables: {},
      faults: [{ ...section.place, path: name, message: 'must hold names and texts' }],
    };
  return { root: rest, ...readSection(name, section) };
}

function readSection(
  section: string,
  { entries }: LocatedMap,
): { readonly variables: AgentVariables; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  const variables = new Map<string, string>();
  for (const [key, { keyPlace, value }] of entries) {
    const at = formatPath([section, key]);
    if (!variableName.test(key)) {
      const message =
        'not a possible name, so no definition is loaded; allowed: letters, digits and underscores, not beginning with a digit';
      faults.push({ ...keyPlace, path: at, message });
    } else if (value.kind !== 'scalar' || value.value === null) {
      faults.push({ ...value.place, path: at, message: 'must be a text, a number, true or false' });
    } else variables.set(key, String(value.value));
  }
  return { variables: Object.fromEntries(variables), faults };
}
