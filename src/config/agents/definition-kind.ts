import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { formatPath, type LocatedMap, type LocatedScalar, type LocatedValue } from '../located-value.ts';
import { promptSchema, remoteAgentSchema, teamSchema } from '../schema/agent-definition.schema.ts';
import type { SettingSchema } from '../schema/setting-schema.ts';

/** The kinds of definitions, and what each may hold. */
export const definitionSchemas = { Prompt: promptSchema, Team: teamSchema, RemoteAgent: remoteAgentSchema } as const;
export type DefinitionKind = keyof typeof definitionSchemas;

const hostedElsewhere = 'agents that Microsoft Foundry hosts cannot run here; write their instructions as kind: Prompt';

/** Kinds of Microsoft Agent Framework that this server has no counterpart for. */
const refusedKinds: ReadonlyMap<string, string> = new Map([
  [
    'workflow',
    'workflows of Microsoft Agent Framework cannot run here; write a team (kind: Team), or code in a plugin',
  ],
  ['hosted', hostedElsewhere],
]);

/** Other names of `Prompt` in Microsoft Agent Framework. */
const promptNames: readonly string[] = ['prompt', 'agent'];

/** The kinds of tools that an agent may have, as the schema spells them. */
const knownTools = ['function', 'mcp', 'webSearch', 'fileSearch', 'codeInterpreter'] as const;

/** The kinds of tools without a counterpart. */
const refusedTools: ReadonlyMap<string, string> = new Map([
  [
    'openapi',
    'a definition cannot import an OpenAPI document; name the document in actions.openapi, and its operations here with kind: function',
  ],
  ['custom', 'write the tool as an action of a plugin, and name it here with kind: function'],
  ['azurefunction', 'name the function in actions.callbacks, and its actions here with kind: function'],
  ['azureaisearch', 'name the documents in ragSources, or write the search as an action of a plugin'],
  ['binggrounding', 'write kind: webSearch, which the provider of the model runs'],
  ['websearchpreview', 'write kind: webSearch'],
  ['a2a', 'define the other agent with kind: RemoteAgent, and name route_to_specialist here with kind: function'],
]);

/** The kind of a definition, matched without regard to case, or why it cannot be loaded. */
export function kindOf(
  root: LocatedMap,
): { readonly kind: DefinitionKind; readonly schema: SettingSchema } | { readonly fault: StartupFault } {
  const entry = root.entries.get('kind');
  const known = Object.keys(definitionSchemas);
  if (entry === undefined) {
    const message = root.entries.has('template')
      ? 'missing; this is a manifest: write the agent below its template as a definition with kind: Prompt'
      : `missing; allowed: ${known.join(', ')}`;
    return { fault: { ...root.place, path: 'kind', message } };
  }
  const written = entry.value.kind === 'scalar' ? String(entry.value.value) : '';
  const kind = loose(written);
  if (promptNames.includes(kind)) return { kind: 'Prompt', schema: definitionSchemas.Prompt };
  for (const one of ['Team', 'RemoteAgent'] as const)
    if (loose(one) === kind) return { kind: one, schema: definitionSchemas[one] };
  const place = { ...entry.value.place, path: 'kind' };
  const refused = refusedKinds.get(kind);
  if (refused !== undefined) return { fault: { ...place, message: refused } };
  const suggestion = nearestName(written, known);
  const message = `found ${JSON.stringify(written.slice(0, 80))}; allowed: ${known.join(', ')}`;
  return { fault: { ...place, message, ...(suggestion === undefined ? {} : { suggestion }) } };
}

/** The faults of tools of a kind that this server does not offer to agents. Their other members are then of no interest. */
export function toolKindFaults(root: LocatedMap): readonly StartupFault[] {
  return toolKinds(root).flatMap(({ kind, place, index }) => {
    const message = refusedTools.get(loose(kind));
    return message === undefined ? [] : [{ ...place, path: formatPath(['tools', index, 'kind']), message }];
  });
}

/** The definition with a model that is a bare name written as a map, and without the tools that were refused. */
export function inOneForm(root: LocatedMap): LocatedMap {
  const entries = new Map(root.entries);
  const model = entries.get('model');
  if (model?.value.kind === 'scalar' && typeof model.value.value === 'string') {
    const id: LocatedScalar = model.value;
    const map: LocatedMap = {
      kind: 'map',
      place: id.place,
      substituted: false,
      entries: new Map([['id', { keyPlace: id.place, value: id }]]),
    };
    entries.set('model', { ...model, value: map });
  }
  const tools = entries.get('tools');
  if (tools?.value.kind === 'list') {
    const refused = new Set(
      toolKinds(root)
        .filter(({ kind }) => refusedTools.has(loose(kind)))
        .map(({ index }) => index),
    );
    // A refused tool keeps its place in the list, so that the places of the other tools stay right.
    const items = tools.value.items.map((item, index) => (refused.has(index) ? standIn(item) : spelled(item)));
    entries.set('tools', { ...tools, value: { ...tools.value, items } });
  }
  return { ...root, entries };
}

/** The tool with its kind as the schema spells it, and an MCP server in the form of the schema. */
function spelled(item: LocatedValue): LocatedValue {
  const entry = item.kind === 'map' ? item.entries.get('kind') : undefined;
  if (item.kind !== 'map' || entry?.value.kind !== 'scalar') return item;
  const written = loose(String(entry.value.value));
  const kind = knownTools.find((known) => loose(known) === written);
  if (kind === undefined) return item;
  const entries = new Map(item.entries).set('kind', { ...entry, value: { ...entry.value, value: kind } });
  return { ...item, entries: kind === 'mcp' ? inServerForm(entries) : entries };
}

/**
 * A connection that is nothing but an address becomes `url`. Anything more of it has no effect here, and stays to be told of. A mode that is
 * a bare word becomes a map.
 */
function inServerForm(entries: LocatedMap['entries']): LocatedMap['entries'] {
  const formed = new Map(entries);
  const mode = entries.get('approvalMode');
  if (mode?.value.kind === 'scalar') formed.set('approvalMode', { ...mode, value: asKind(mode.value) });
  const connection = entries.get('connection')?.value;
  if (connection?.kind !== 'map') return formed;
  const address = connection.entries.get('endpoint');
  const kind = connection.entries.get('kind')?.value;
  const isPlain = kind === undefined || (kind.kind === 'scalar' && loose(String(kind.value)).startsWith('anonymous'));
  if (address !== undefined && !entries.has('url')) formed.set('url', address);
  if (isPlain) formed.delete('connection');
  return formed;
}

function asKind(value: LocatedScalar): LocatedMap {
  const entries = new Map([['kind', { keyPlace: value.place, value }]]);
  return { kind: 'map', place: value.place, substituted: false, entries };
}

/** A tool that fits the schema, in place of one that was refused. */
function standIn({ place }: LocatedValue): LocatedMap {
  const text = (value: string): LocatedScalar => ({ kind: 'scalar', value, place, substituted: false });
  const entries = new Map([
    ['kind', { keyPlace: place, value: text('function') }],
    ['name', { keyPlace: place, value: text('-') }],
  ]);
  return { kind: 'map', place, substituted: false, entries };
}

function toolKinds(
  root: LocatedMap,
): readonly { readonly kind: string; readonly place: LocatedValue['place']; readonly index: number }[] {
  const tools = root.entries.get('tools')?.value;
  if (tools?.kind !== 'list') return [];
  return tools.items.flatMap((item, index) => {
    const value = item.kind === 'map' ? item.entries.get('kind')?.value : undefined;
    if (value?.kind !== 'scalar') return [];
    return [{ kind: String(value.value), place: value.place, index }];
  });
}

/** `code_interpreter`, `codeInterpreter` and `CodeInterpreter` are one kind. */
function loose(kind: string): string {
  return kind.replaceAll('_', '').toLowerCase();
}
