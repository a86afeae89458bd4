import type { LocatedMap, LocatedValue } from '../located-value.ts';

/** How Microsoft Agent Framework reaches a model. */
const connectionMembers = ['provider', 'apiType', 'connection'] as const;

/** Members of a prompt-agent file that only Microsoft Agent Framework reads. A star stands for each item of a list. */
const foreignMembers: readonly (readonly string[])[] = [
  ['displayName'],
  ['inputSchema'],
  ['template'],
  ...connectionMembers.map((key) => ['model', key]),
  ['model', 'options', 'allowMultipleToolCalls'],
  ['model', 'options', 'responseFormat'],
  ['model', 'options', 'chatToolMode'],
  ['tools', '*', 'description'],
  ['tools', '*', 'parameters'],
  ['tools', '*', 'bindings'],
  ['tools', '*', 'strict'],
  ['tools', '*', 'serverDescription'],
  ['tools', '*', 'connection'],
  ['tools', '*', 'options'],
];

/**
 * Takes out what this server does not read, before anything in it is looked at: the connection of another host may hold expressions that
 * have no value here. `ignored` names what was there.
 */
export function withoutForeignMembers(root: LocatedMap): {
  readonly root: LocatedMap;
  readonly ignored: readonly string[];
} {
  const ignored: string[] = [];
  let current: LocatedValue = root;
  for (const path of foreignMembers) current = without(current, path, '');
  return { root: current.kind === 'map' ? current : root, ignored };

  function without(value: LocatedValue, [key = '', ...rest]: readonly string[], above: string): LocatedValue {
    if (key === '*' && value.kind === 'list')
      return { ...value, items: value.items.map((item, index) => without(item, rest, `${above}[${String(index)}]`)) };
    const entry = value.kind === 'map' ? value.entries.get(key) : undefined;
    if (value.kind !== 'map' || entry === undefined) return value;
    const path = above === '' ? key : `${above}.${key}`;
    const entries = new Map(value.entries);
    if (rest.length > 0) entries.set(key, { ...entry, value: without(entry.value, rest, path) });
    else {
      ignored.push(path);
      entries.delete(key);
    }
    return { ...value, entries };
  }
}

/** Whether a definition says how another host reaches its model. */
export function hasForeignModel(root: LocatedMap): boolean {
  const model = root.entries.get('model')?.value;
  return model?.kind === 'map' && connectionMembers.some((key) => model.entries.has(key));
}

/** The definition of another host without the name of its model, where that is an expression that has no value here. */
export function withoutUnknownModel(
  root: LocatedMap,
  isKnown: (id: LocatedValue) => boolean,
): { readonly root: LocatedMap; readonly ignored: readonly string[] } {
  const model = root.entries.get('model');
  if (model?.value.kind !== 'map' || !hasForeignModel(root)) return { root, ignored: [] };
  const id = model.value.entries.get('id');
  if (id?.value.kind !== 'scalar' || isKnown(id.value)) return { root, ignored: [] };
  const rest = new Map(model.value.entries);
  rest.delete('id');
  const entries = new Map(root.entries).set('model', { ...model, value: { ...model.value, entries: rest } });
  return {
    root: { ...root, entries },
    ignored: [`model.id (${String(id.value.value)} has no value; chatClient answers)`],
  };
}
