import type { Page } from '../../core/pages/page.ts';
import type { ChatReducer } from '../../core/ports/chat-reducer.ts';
import type { FactKeeper } from '../../core/ports/fact-keeper.ts';
import type { HistoryKeeper } from '../../core/ports/history-keeper.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Skill, SkillSource } from '../../core/ports/skill-source.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { PluginHooks } from '../../plugin-api/plugin.ts';
import type { LoadedDemoList } from './read/read-demo-list.ts';

/** A plugin whose every part was checked. Nothing of it has run but its module's own top level. */
export interface LoadedPlugin {
  readonly name: string;
  /** The file it was imported from. */
  readonly file: string;
  /** Its actions and LangChain tools, in the order they are declared. */
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
  /** LangChain chat models by the name that `models.x: { plugin: NAME }` uses. Unique in the server. */
  readonly models: ReadonlyMap<string, object>;
  readonly hooks: PluginHooks;
  /** What it finds documents in; left out, nothing. */
  readonly sources?: readonly KnowledgeSource[];
  /** Its skills, and what it finds more of them in; left out, none. */
  readonly skills?: readonly Skill[];
  readonly skillSources?: readonly SkillSource[];
  /** What decides which messages are kept; left out, the server does. */
  readonly reducer?: ChatReducer | undefined;
  /** Where it keeps the conversations of signed-in users; left out, nowhere. */
  readonly history?: HistoryKeeper | undefined;
  /** Where what is remembered about users is kept; left out, in the storage of the server. */
  readonly memory?: FactKeeper | undefined;
  /** What it shows on the demo page; undefined for nothing. */
  readonly demo?: LoadedDemoList | undefined;
  /**
   * Runs the plugin's `start`, at most for the time `loadPlugins` was given.
   * @throws StartupFaults naming the plugin, its file and its error.
   */
  start(): Promise<void>;
  /** Runs the plugin's `stop` once, if it was started. Bounded, and never rejects: a failure is logged. */
  stop(): Promise<void>;
}
