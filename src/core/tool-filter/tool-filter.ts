import { fuseRanks } from '../base/fuse-ranks.ts';
import type { TextWords } from '../ports/text-words.ts';
import { Toolbox } from '../tools/toolbox.ts';
import type { ToolDeclaration } from '../ports/chat-model.ts';
import type { Tool } from '../tools/tool.ts';
import { findTools } from './find-tools.ts';
import { ChosenTools, DeclaredSets, isFilterable, type OfferedTools } from './offered-tools.ts';
import { type AskedWords, ToolIndex } from './tool-index.ts';
import type { ToolVectors } from './tool-vectors.ts';

/** What tools are chosen with. */
export interface ToolFilterOptions {
  /** Most filterable tools that are sent. A catalogue that is no larger is sent whole. */
  readonly maxTools: number;
  /** The least cosine at which a tool fits a message by its meaning. One below it is not chosen, whatever words it shares. */
  readonly minScore: number;
  /** Loads the tables of words. Called once for each toolbox that is filtered. */
  readonly words: () => Promise<TextWords>;
  /** Left out, tools are chosen by their words alone. */
  readonly vectors?: ToolVectors | undefined;
  /** Tools are chosen only where they are more than this. Left out, wherever there are more than `maxTools`. */
  readonly bounds?: ToolBounds | undefined;
}

/** What may be sent without a choice. */
export interface ToolBounds {
  /** How many tools. */
  readonly tools: number;
  /** What they may weigh, in tokens. The chosen ones weigh no more. */
  readonly tokens: number;
  /** The tokens of one tool. */
  readonly weigh: (tool: ToolDeclaration) => number;
}

/** A message for which tools are chosen. */
export interface ToolQuestion extends AskedWords {
  /** The names of the tools that the conversation has used. These tools are always chosen. */
  readonly used: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly tenant: string | undefined;
}

/** Chooses the tools that the model is sent with a message (contract/tool-filter.md). */
export class ToolFilter {
  readonly #options: ToolFilterOptions;
  readonly #indexes = new WeakMap<Toolbox, Promise<ToolIndex>>();
  readonly #sets = new DeclaredSets();
  readonly #isOver = new WeakMap<Toolbox, boolean>();
  /** For each toolbox without `find_tools`, the toolbox with it. */
  readonly #finding = new WeakMap<Toolbox, Toolbox>();

  constructor(options: ToolFilterOptions) {
    this.#options = options;
  }

  /** Whether a toolbox has more filterable tools than may be sent. */
  appliesTo(toolbox: Toolbox): boolean {
    const { bounds, maxTools } = this.#options;
    const known = this.#isOver.get(toolbox);
    if (known !== undefined) return known;
    const count = toolbox.tools.reduce((sum, tool) => sum + Number(isFilterable(tool)), 0);
    const isOver = bounds === undefined ? count > maxTools : count > 0 && isOverBounds(toolbox, bounds);
    this.#isOver.set(toolbox, isOver);
    return isOver;
  }

  /**
   * The names of the tools that fit a message or were used before, in the order of the toolbox. When the embedding model is slow or fails,
   * tools are chosen by their words alone. @throws the signal's reason once that aborts.
   */
  async choose(toolbox: Toolbox, question: ToolQuestion): Promise<readonly string[]> {
    const fitting = await this.#ranked(toolbox, question);
    const best = new Set(this.#light(fitting.slice(0, this.#options.maxTools), toolbox));
    return toolbox.tools
      .filter((tool) => isFilterable(tool) && (best.has(tool) || question.used.has(tool.name)))
      .map(({ name }) => name);
  }

  /** What the model is sent in a turn for which these tools of a toolbox were chosen. */
  offering(toolbox: Toolbox, names: readonly string[]): OfferedTools {
    return new ChosenTools(names, (joined) => this.#withFinding(joined, toolbox), this.#sets);
  }

  /** Prepares the index and the vectors that the next message needs. Rejects only when the tables of words cannot be loaded. */
  async prepare(toolbox: Toolbox): Promise<void> {
    if (!this.appliesTo(toolbox)) return;
    const { vectors } = this.#options;
    const { tools } = await this.#indexOf(toolbox);
    await vectors?.prepare(tools);
  }

  async #ranked(toolbox: Toolbox, asked: Omit<ToolQuestion, 'used'>, isLookedFor = false): Promise<readonly Tool[]> {
    const { minScore, vectors } = this.#options;
    const index = await this.#indexOf(toolbox);
    const meant = await vectors?.nearest(index.tools, { ...asked, minScore });
    if (meant === undefined) return index.byWordsAndParts(asked);
    const byWords = index.byWords(asked);
    const near = new Set(meant.near);
    // A model that looks for a tool by name finds it whatever it means.
    const fitting = isLookedFor ? byWords : byWords.filter((tool) => near.has(tool) || meant.unknown.has(tool));
    return fuseRanks([fitting, meant.near]);
  }

  /** The best tools that weigh no more than may be sent. The best one is always among them. */
  #light(best: readonly Tool[], toolbox: Toolbox): readonly Tool[] {
    const { bounds } = this.#options;
    if (bounds === undefined) return best;
    let left = bounds.tokens;
    return best.filter((tool, place) => {
      const declared = toolbox.declarations[toolbox.tools.indexOf(tool)];
      const tokens = declared === undefined ? 0 : bounds.weigh(declared);
      if (place > 0 && tokens > left) return false;
      left -= tokens;
      return true;
    });
  }

  #indexOf(toolbox: Toolbox): Promise<ToolIndex> {
    const known = this.#indexes.get(toolbox);
    if (known !== undefined) return known;
    const made = this.#options.words().then((words) => new ToolIndex(toolbox.tools.filter(isFilterable), words));
    this.#indexes.set(toolbox, made);
    return made;
  }

  /** `joined` holds the tools of `searched` and more tools of the server. */
  #withFinding(joined: Toolbox, searched: Toolbox): Toolbox {
    const known = this.#finding.get(joined);
    if (known !== undefined) return known;
    const tool = findTools((text, asked) => this.#ranked(searched, { text, recent: [], ...asked }, true));
    const made = new Toolbox([...joined.tools, tool], joined.pages);
    this.#finding.set(joined, made);
    return made;
  }
}

function isOverBounds({ declarations }: Toolbox, { tools, tokens, weigh }: ToolBounds): boolean {
  return declarations.length > tools || declarations.reduce((sum, tool) => sum + weigh(tool), 0) > tokens;
}
