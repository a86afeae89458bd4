import { createHash } from 'node:crypto';
import type { WrittenAgent, WrittenModel, WrittenTeam } from '../../core/agents/written-agent.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { withoutQuery } from '../../core/errors/hidden-query.ts';
import { checkShape } from '../check-shape.ts';
import { describeShapeFault } from '../describe-shape-fault.ts';
import { isSecret } from '../describe-found.ts';
import { type LocatedMap, type LocatedValue, placeOf, toPlain, valueAt } from '../located-value.ts';
import { readValues } from '../read-values.ts';
import type { AgentVariables } from './agent-variables.ts';
import { type DefinitionKind, inOneForm, kindOf, toolKindFaults } from './definition-kind.ts';
import { expandExpressions, isUnknownVariable } from './expressions.ts';
import { hasForeignModel, withoutForeignMembers, withoutUnknownModel } from './foreign-members.ts';
import { jsonSchemaOf } from './output-schema.ts';
import { hostedIn, serversIn, toolFaults, type WrittenTool } from './written-tools.ts';

/** What one document of a text says. */
export interface ReadDefinition {
  /** Undefined after a fault. */
  readonly agent: WrittenAgent | undefined;
  readonly faults: readonly StartupFault[];
}

/** Reads one document: an agent, or every fault of it with its place (contract/agents.md#definitions). */
export function readDefinition(
  written: LocatedValue,
  { from, variables }: { readonly from: string; readonly variables: AgentVariables },
): ReadDefinition {
  if (written.kind !== 'map')
    return faulty([{ ...written.place, path: '(document)', message: 'must hold the members of one agent' }]);
  const found = kindOf(written);
  if ('fault' in found) return faulty([found.fault]);
  const { kind, schema } = found;
  const kinds = kind === 'Prompt' ? toolKindFaults(written) : [];
  const formed = kind === 'Prompt' ? inOneForm(written) : written;
  const isForeign = kind === 'Prompt' && hasForeignModel(formed);
  const { root: own, ignored } = kind === 'Prompt' ? ownPart(formed, variables) : { root: formed, ignored: [] };
  const expanded = expandExpressions(withKind(own, kind), variables);
  const read = readValues(expanded.root, schema);
  const value = toPlain(read.root) as Record<string, unknown>; // a map stays a map on the way
  const shape = checkShape(value, schema).map((fault) => describeShapeFault(fault, read.root, schema));
  const earlier = [...kinds, ...expanded.faults, ...read.faults];
  const told = new Set(earlier.map(({ path }) => path));
  const misfits = shape.filter(({ path }) => !told.has(path));
  const { tools = [] }: { readonly tools?: readonly WrittenTool[] } = shape.length > 0 ? {} : value; // it fits the schema
  const faults = [...earlier, ...misfits, ...(kinds.length > 0 ? [] : toolFaults(tools, read.root))];
  if (faults.length > 0) return faulty(faults);
  const version = versionOf(written, schema);
  const mcpServers = serversIn(tools);
  const { definition, model } = definitionOf(kind, value, version);
  const place: WrittenAgent['place'] = (path) => ({ ...placeOf(read.root, path === '' ? [] : keysOf(path)), path });
  const toolPaths = definition.kind === 'specialist' ? toolPathsOf(tools, definition.tools.length) : [];
  const id = valueAt(own, ['model', 'id']);
  // The expression is shown in place of its value.
  const isExpression = valueAt(read.root, ['model', 'id'])?.substituted === true;
  const modelText = isExpression && id?.kind === 'scalar' ? String(id.value) : undefined;
  return {
    agent: {
      definition,
      model: model && { ...model, isForeign },
      hosted: hostedIn(tools),
      mcpServers,
      from,
      place,
      toolPaths,
      modelText,
      ignored,
    },
    faults: [],
  };
}

/** What of a prompt-agent file counts here, and the names of what does not. */
function ownPart(root: LocatedMap, variables: AgentVariables): ReturnType<typeof withoutForeignMembers> {
  const known = withoutUnknownModel(root, (id) => !isUnknownVariable(id, variables));
  const own = withoutForeignMembers(known.root);
  return { root: own.root, ignored: [...known.ignored, ...own.ignored] };
}

/** Where each tool of the definition stands: the functions among `tools`, and then the globs of `helper.actions`. */
function toolPathsOf(tools: readonly WrittenTool[], count: number): readonly string[] {
  const listed = tools.flatMap(({ kind }, index) => (kind === 'function' ? [`tools[${String(index)}].name`] : []));
  const further = Array.from({ length: count - listed.length }, (_, index) => `helper.actions[${String(index)}]`);
  return [...listed, ...further];
}

function functionsIn(tools: readonly WrittenTool[]): readonly string[] {
  return tools.flatMap(({ kind, name }) => (kind === 'function' && name !== undefined ? [name] : []));
}

function faulty(faults: readonly StartupFault[]): ReadDefinition {
  return { agent: undefined, faults };
}

/** The definition with its kind in our spelling, and without the notes of its author, which may hold anything. */
function withKind(root: LocatedMap, kind: DefinitionKind): LocatedMap {
  const entries = new Map(root.entries);
  const entry = entries.get('kind');
  if (entry?.value.kind === 'scalar') entries.set('kind', { ...entry, value: { ...entry.value, value: kind } });
  entries.delete('metadata');
  return { ...root, entries };
}

/** Members that hold an address, which may hold a password. */
const addressMembers: readonly unknown[] = ['agentCardUrl', 'url', 'endpoint'];

function shown(value: unknown): unknown {
  return typeof value === 'string' ? withoutQuery(value) : value;
}

/**
 * Tells one wording of a definition from another, in 12 characters. Secrets and the values of expressions are left out, so that nobody can
 * try out secrets by the digest.
 */
function versionOf(root: LocatedValue, schema: Parameters<typeof isSecret>[1]): string {
  const text = (value: LocatedValue, path: readonly (string | number)[]): unknown => {
    if (isSecret(path, schema) || value.substituted) return '***';
    if (value.kind === 'list') return value.items.map((item, index) => text(item, [...path, index]));
    if (value.kind === 'scalar') return addressMembers.includes(path.at(-1)) ? shown(value.value) : value.value;
    return [...value.entries]
      .map(([key, entry]) => [key, text(entry.value, [...path, key])] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
  };
  return createHash('sha256')
    .update(JSON.stringify(text(root, [])))
    .digest('hex')
    .slice(0, 12);
}

/** A path such as `tools[0].name` as keys. The path is one of those that the check of an agent asks for. */
function keysOf(path: string): readonly (string | number)[] {
  return path
    .split(/[.[\]]/)
    .filter((key) => key !== '')
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

type Read = Pick<WrittenAgent, 'definition' | 'model'>;

interface PromptValue {
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly additionalInstructions?: string;
  readonly model?: { readonly id?: string; readonly options?: WrittenModel['options'] };
  readonly tools?: readonly WrittenTool[];
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly helper?: { readonly requiredRoles?: string[]; readonly skills?: string[]; readonly actions?: string[] };
}

type TeamValue = Pick<WrittenTeam, 'name' | 'description' | 'mode' | 'members'> & {
  readonly options?: WrittenTeam['options'];
  readonly helper?: { readonly requiredRoles?: readonly string[] };
};

interface RemoteValue {
  readonly name: string;
  readonly description: string;
  readonly agentCardUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly helper?: { readonly requiredRoles?: readonly string[] };
}

/** The agent of a value that fits the schema of its kind. The types are written after the schemas. */
function definitionOf(kind: DefinitionKind, value: unknown, version: string): Read {
  switch (kind) {
    case 'Prompt':
      return specialistOf(value as PromptValue, version); // checkShape has compared it with promptSchema
    case 'Team': {
      const { name, description, mode, members, options = {}, helper } = value as TeamValue; // as above, with teamSchema
      const requiredRoles = helper?.requiredRoles ?? [];
      return { definition: { kind: 'team', name, description, requiredRoles, version, mode, members, options } };
    }
    case 'RemoteAgent': {
      const { name, description, agentCardUrl, headers, helper } = value as RemoteValue; // as above, with remoteAgentSchema
      const requiredRoles = helper?.requiredRoles ?? [];
      return { definition: { kind: 'remote', name, description, requiredRoles, version, agentCardUrl, headers } };
    }
  }
}

function specialistOf(
  {
    name,
    description,
    instructions = '',
    additionalInstructions = '',
    model = {},
    tools = [],
    outputSchema,
    helper = {},
  }: PromptValue,
  version: string,
): Read {
  const texts = [instructions.trim(), additionalInstructions.trim()].filter((text) => text !== '');
  return {
    definition: {
      kind: 'specialist',
      name,
      description: description ?? '',
      requiredRoles: helper.requiredRoles ?? [],
      version,
      instructions: texts.join('\n\n'),
      tools: [...functionsIn(tools), ...(helper.actions ?? [])],
      ownTools: [],
      skills: helper.skills ?? [],
      ...(outputSchema === undefined ? {} : { outputSchema: jsonSchemaOf(outputSchema) }),
    },
    model: { id: model.id, options: model.options ?? {} },
  };
}
