import type { WrittenAgent } from '../../../core/agents/written-agent.ts';
import type { Page } from '../../../core/pages/page.ts';
import type { ChatReducer } from '../../../core/ports/chat-reducer.ts';
import type { FactKeeper } from '../../../core/ports/fact-keeper.ts';
import type { HistoryKeeper } from '../../../core/ports/history-keeper.ts';
import type { KnowledgeSource } from '../../../core/ports/knowledge-source.ts';
import type { Skill, SkillSource } from '../../../core/ports/skill-source.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import type { AnsweringAgent } from '../../../plugin-api/answering-agent.ts';
import type { PluginDefinition, PluginHooks } from '../../../plugin-api/plugin.ts';
import type { Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import type { PluginFile } from '../find/plugin-file.ts';
import { MemberReader } from './member-reader.ts';
import { readAction } from './read-action.ts';
import { readSpecialist, readTeam } from './read-agents.ts';
import { type LoadedDemoList, readDemoList } from './read-demo-list.ts';
import { readHistoryProvider } from './read-history-provider.ts';
import { readHooks } from './read-hooks.ts';
import { readLangchainTool } from './read-langchain-tool.ts';
import { readMemoryStore } from './read-memory-store.ts';
import { readAnsweringAgents } from './read-answering-agents.ts';
import { readModels } from './read-models.ts';
import { readPage } from './read-page.ts';
import { readReducer } from './read-reducer.ts';
import { readSkills, readSkillSources } from './read-skills.ts';
import { readSources } from './read-sources.ts';

/** The parts of a plugin. After a reported fault they are used only to find more faults. */
export interface PluginParts {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly directoryIndex: number;
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
  /** The specialists and teams of the plugin. */
  readonly agents: readonly WrittenAgent[];
  readonly models: ReadonlyMap<string, object>;
  /** The agents that may answer in place of a model. */
  readonly answering: ReadonlyMap<string, AnsweringAgent>;
  readonly hooks: PluginHooks;
  readonly sources: readonly KnowledgeSource[];
  readonly skills: readonly Skill[];
  readonly skillSources: readonly SkillSource[];
  /** Undefined: the server decides which messages are kept. */
  readonly reducer: ChatReducer | undefined;
  /** Undefined: the plugin keeps no conversations. */
  readonly history: HistoryKeeper | undefined;
  /** Undefined: the server itself keeps what is remembered. */
  readonly memory: FactKeeper | undefined;
  /** Undefined: the plugin shows nothing on the demo page. */
  readonly demo: LoadedDemoList | undefined;
  /** Undefined: the plugin has none. */
  readonly configSchema: Members | undefined;
  readonly start: ((host: unknown) => unknown) | undefined;
  readonly stop: (() => unknown) | undefined;
}

const pluginMembers = [
  'name',
  'actions',
  'tools',
  'pages',
  'specialists',
  'teams',
  'skills',
  'models',
  'agents',
  'hooks',
  'providers',
  'demo',
  'configSchema',
  'start',
  'stop',
] as const satisfies readonly (keyof PluginDefinition)[];
const pluginName = /^[a-z][a-z0-9-]{0,63}$/;

/** Checks everything that a plugin exports (contract/plugins.md#plugins). `reportInFile` reports faults of the plugin's file. */
export async function readPlugin(
  definition: Members,
  plugin: PluginFile,
  reportInFile: ReportFault,
): Promise<PluginParts> {
  const name = readName(definition, plugin.label, reportInFile);
  const report = reportUnder(reportInFile, name === '' ? plugin.label : name);
  const reader = new MemberReader(definition, report);
  reader.allowOnly(pluginMembers);
  const listOf = (listName: string): NamedList => ({ listName, items: reader.list(listName), report });
  const actions = await readEach(listOf('actions'), (action, reportItem) => readAction(action, name, reportItem));
  const tools = await readEach(listOf('tools'), (tool, reportItem) => readLangchainTool(tool, name, reportItem));
  const owner = { name, file: plugin.file };
  const specialists = await readEach(listOf('specialists'), (one, reportItem) =>
    readSpecialist(one, owner, reportItem),
  );
  const teams = await readEach(listOf('teams'), (one, reportItem) => readTeam(one, owner, reportItem));
  return {
    name,
    file: plugin.file,
    folder: plugin.folder,
    directoryIndex: plugin.directoryIndex,
    tools: [...actions, ...tools],
    agents: [...specialists, ...teams],
    pages: await readEach(listOf('pages'), readPage),
    models: readModels(reader.members('models'), reportUnder(report, 'models')),
    answering: readAnsweringAgents(reader.members('agents'), reportUnder(report, 'agents')),
    hooks: readHooks(reader.members('hooks'), reportUnder(report, 'hooks')),
    sources: readSources(reader.members('providers'), reportUnder(report, 'providers')),
    skills: readSkills(reader.list('skills'), report),
    skillSources: readSkillSources(reader.members('providers'), name, reportUnder(report, 'providers')),
    reducer: readReducer(reader.members('providers'), name, reportUnder(report, 'providers')),
    history: readHistoryProvider(reader.members('providers'), name, reportUnder(report, 'providers')),
    memory: readMemoryStore(reader.members('providers'), name, reportUnder(report, 'providers')),
    demo:
      definition['demo'] === undefined ? undefined : readDemoList(reader.members('demo'), reportUnder(report, 'demo')),
    configSchema: definition['configSchema'] === undefined ? undefined : reader.members('configSchema'),
    start: reader.optionalFunction('start'),
    stop: reader.optionalFunction('stop'),
  };
}

function readName(definition: Members, label: string, reportInFile: ReportFault): string {
  const report = reportUnder(reportInFile, label);
  const name = new MemberReader(definition, report).text('name');
  if (name === '' || pluginName.test(name)) return name;
  report(
    'name',
    `"${name}" must be lower case letters, digits and hyphens, begin with a letter and have at most 64 characters`,
  );
  return '';
}

interface NamedList {
  readonly listName: string;
  readonly items: readonly unknown[];
  readonly report: ReportFault;
}

/** Reads the items of a list. A path of a fault names an item by its name, else by its place in the list. */
async function readEach<T>(
  { listName, items, report }: NamedList,
  read: (item: unknown, reportItem: ReportFault) => T | undefined | Promise<T | undefined>,
): Promise<readonly T[]> {
  const parts: T[] = [];
  for (const [index, item] of items.entries()) {
    const part = await read(item, reportUnder(report, `${listName}${itemName(item) ?? `[${String(index)}]`}`));
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

function itemName(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('name' in item)) return undefined;
  return typeof item.name === 'string' && /^[\w-]{1,64}$/.test(item.name) ? `.${item.name}` : undefined;
}
