import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { withoutQuery } from '../../core/errors/hidden-query.ts';
import { formatPath, type LocatedValue } from '../located-value.ts';
import { parseYamlDocuments } from '../parse-yaml.ts';
import type { HelperSettings } from '../settings.ts';
import { codeOf } from '../substitute.ts';
import { type AgentFile, findAgentFiles, mostAgentFiles } from './find-agent-files.ts';
import { readDefinition } from './read-definition.ts';

/** The settings that say where agents are defined. */
export type AgentSettings = Pick<HelperSettings, 'declarative' | 'remoteAgents' | 'agentVariables' | 'configFile'>;

/** What the configuration and its files define. */
export interface ReadAgents {
  /** The agents in the order of their texts: `remoteAgents`, `declarative.definitions`, then the files by name. */
  readonly agents: readonly WrittenAgent[];
  readonly faults: readonly StartupFault[];
  /** Changes when a file changes, comes or goes. */
  readonly stamp: string;
}

const largestFile = 1024 * 1024;

/** Reads all definitions. Never throws: what cannot be read is a fault (contract/agents.md#definitions). */
export function readAgents(settings: AgentSettings): ReadAgents {
  const { files, stamp, faults } = filesOf(settings);
  const texts = settings.declarative.definitions.map((text, index) => readInline(text, index, settings));
  const read = [...texts, ...files.map(({ path }) => readFile(path, settings))];
  return {
    agents: [
      ...settings.remoteAgents.map((_, index) => remoteOf(settings, index)),
      ...read.flatMap(({ agents }) => agents),
    ],
    faults: [...faults, ...read.flatMap((one) => one.faults)],
    stamp,
  };
}

/** Tells the present files of definitions from those at another time. Never throws. */
export function stampOfAgents(settings: Pick<HelperSettings, 'declarative'>): string {
  try {
    return stampOf(findAgentFiles(settings.declarative));
  } catch (error) {
    return codeOf(error);
  }
}

function stampOf(files: readonly AgentFile[]): string {
  return files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n');
}

function filesOf({ declarative, configFile: file }: AgentSettings): {
  readonly files: readonly AgentFile[];
  readonly stamp: string;
  readonly faults: readonly StartupFault[];
} {
  const path = 'declarative.directory';
  try {
    const files = findAgentFiles(declarative);
    const stamp = stampOf(files);
    if (files.length <= mostAgentFiles) return { files, stamp, faults: [] };
    const message = `has more than ${String(mostAgentFiles)} files of definitions`;
    return { files: [], stamp, faults: [{ file, path, message }] };
  } catch (error) {
    const code = codeOf(error);
    const folder = String(declarative.directory);
    const message = code === 'ENOENT' ? `there is no directory ${folder}` : `${folder} cannot be read (${code})`;
    return { files: [], stamp: code, faults: [{ file, path, message }] };
  }
}

type Read = Pick<ReadAgents, 'agents' | 'faults'>;

function readFile(file: string, { agentVariables: variables, declarative }: AgentSettings): Read {
  const fail = (message: string): Read => ({ agents: [], faults: [{ file, path: '(whole file)', message }] });
  let text: string;
  try {
    const bytes = readFileSync(file);
    if (bytes.length > largestFile) return fail('is larger than 1 MiB');
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    return fail(error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read (${codeOf(error)})`);
  }
  const from = relative(declarative.directory ?? '', file);
  return readText(text, { file, from, variables });
}

function readText(
  text: string,
  {
    file,
    ...origin
  }: { readonly file: string; readonly from: string; readonly variables: Readonly<Record<string, string>> },
): Read {
  const { roots, faults } = parseYamlDocuments(text, { file });
  if (faults.length > 0) return { agents: [], faults };
  const read = roots.filter(isSomething).map((root) => readDefinition(root, origin));
  return { agents: read.flatMap(({ agent }) => agent ?? []), faults: read.flatMap((one) => one.faults) };
}

function isSomething(root: LocatedValue): boolean {
  return root.kind !== 'scalar' || root.value !== null;
}

/** A text within helper.yaml. Its faults have the line of the text in helper.yaml, and name the line within the text. */
function readInline(text: string, index: number, { configFile: file, agentVariables: variables }: AgentSettings): Read {
  const within = `declarative.definitions[${String(index)}]`;
  const { agents, faults } = readText(text, { file, from: within, variables });
  return {
    agents: agents.map((agent) => ({
      ...agent,
      place: (path) => ({ file, path: `${within}${path === '' ? '' : `.${path}`}` }),
    })),
    faults: faults.map(({ line, path, message, suggestion }) => ({
      file,
      path: path.startsWith('(') ? within : `${within}.${path}`,
      message: `line ${String(line)} of this text: ${message}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    })),
  };
}

function remoteOf({ remoteAgents, configFile: file }: AgentSettings, index: number): WrittenAgent {
  const { name = '', description = '', agentCardUrl = '', headers = {} } = remoteAgents[index] ?? {};
  const shown = withoutQuery(agentCardUrl); // the rest of an address may be secret
  const version = createHash('sha256').update(JSON.stringify([name, description, shown, Object.keys(headers)]));
  const within = formatPath(['remoteAgents', index]);
  return {
    definition: {
      kind: 'remote',
      ...{ name, description, agentCardUrl, headers },
      requiredRoles: [],
      version: version.digest('hex').slice(0, 12),
    },
    from: 'helper.yaml',
    place: (path) => ({ file, path: `${within}${path === '' ? '' : `.${path}`}` }),
    ignored: [],
  };
}
