import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import type { Page } from '../../core/pages/page.ts';
import type { ChatReducer } from '../../core/ports/chat-reducer.ts';
import type { FactKeeper } from '../../core/ports/fact-keeper.ts';
import type { HistoryKeeper } from '../../core/ports/history-keeper.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Skill, SkillSource } from '../../core/ports/skill-source.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { AnsweringAgent } from '../../plugin-api/answering-agent.ts';
import type { PluginHooks } from '../../plugin-api/plugin.ts';
import type { LoadedDemoList } from './read/read-demo-list.ts';

/** A plugin whose parts have all been checked. Only the top level of its module has run. */
export interface LoadedPlugin {
  readonly name: string;
  /** The file from which the plugin was imported. */
  readonly file: string;
  /** The plugin's actions and LangChain tools, in the order of their declaration. */
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
  /** The plugin's specialists and teams. Left out: it has none. */
  readonly agents?: readonly WrittenAgent[];
  /** LangChain chat models by the name that `models.x: { plugin: NAME }` uses. Unique in the server. */
  readonly models: ReadonlyMap<string, object>;
  /** The plugin's agents by the name that `agent: { plugin: NAME }` uses. Unique in the server. Left out: it has none. */
  readonly answering?: ReadonlyMap<string, AnsweringAgent>;
  readonly hooks: PluginHooks;
  /** The plugin's sources of documents. Left out: it has none. */
  readonly sources?: readonly KnowledgeSource[];
  /** The plugin's skills and its sources of skills. Left out: it has none. */
  readonly skills?: readonly Skill[];
  readonly skillSources?: readonly SkillSource[];
  /** Decides which messages are kept. Left out: the server decides. */
  readonly reducer?: ChatReducer | undefined;
  /** Keeps the conversations of signed-in users. Left out: the plugin keeps none. */
  readonly history?: HistoryKeeper | undefined;
  /** Keeps what is remembered about users. Left out: the storage of the server keeps it. */
  readonly memory?: FactKeeper | undefined;
  /** The list that the plugin shows on the demo page. Undefined: it shows none. */
  readonly demo?: LoadedDemoList | undefined;
  /**
   * Runs the plugin's `start`, for no longer than the time that `loadPlugins` was given.
   * @throws StartupFaults that name the plugin, its file and its error.
   */
  start(): Promise<void>;
  /** Runs the plugin's `stop` once, if the plugin was started. The time is limited. Never rejects: a failure is logged. */
  stop(): Promise<void>;
}
