import type { ChatMessage, ToolDeclaration } from '../ports/chat-model.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { namesIn } from './find-tools.ts';

/** Most sets of tools whose declarations are kept for one toolbox. The sets that were used last are kept. */
const mostSets = 64;

/** The part of a toolbox that the model is sent in each round of a turn. */
export interface OfferedTools {
  /** The toolbox, with the tool that finds the tools that the model is not sent. */
  addTo(toolbox: Toolbox): Toolbox;
  /**
   * The declarations of the tools that are sent with these messages, in the order of the toolbox. The array is the same one while the
   * toolbox and the set of sent tools are the same.
   */
  declarations(toolbox: Toolbox, messages: readonly ChatMessage[]): readonly ToolDeclaration[];
}

/** What the model is sent when the server filters no tools: every tool. */
export const everyTool: OfferedTools = {
  addTo: (toolbox) => toolbox,
  declarations: ({ declarations }) => declarations,
};

/** Whether a tool can be left out. The tools of the server and of the page are always sent (contract/tool-filter.md#choice). */
export function isFilterable({ source }: Pick<Tool, 'source'>): boolean {
  return source === 'action' || source === 'tool' || source === 'mcp';
}

/** Keeps one array of declarations for each toolbox and each set of its tools. */
export class DeclaredSets {
  readonly #sets = new WeakMap<Toolbox, Map<string, readonly ToolDeclaration[]>>();

  /** The declarations of those tools of a toolbox that `isOffered`. */
  of(toolbox: Toolbox, isOffered: (tool: Tool) => boolean): readonly ToolDeclaration[] {
    // One digit for each tool. Plain loops: this runs before every call of a model.
    let key = '';
    for (const tool of toolbox.tools) key += isOffered(tool) ? '1' : '0';
    // Without a chosen tool the whole toolbox is sent, because the model must call one of its tools.
    if (!key.includes('0') || !key.includes('1')) return toolbox.declarations;
    const sets = this.#sets.get(toolbox) ?? new Map<string, readonly ToolDeclaration[]>();
    this.#sets.set(toolbox, sets);
    const known = sets.get(key);
    const declared = known ?? Object.freeze(toolbox.declarations.filter((_, index) => key[index] === '1'));
    sets.delete(key);
    sets.set(key, declared);
    const [oldest] = sets.keys();
    if (sets.size > mostSets && oldest !== undefined) sets.delete(oldest);
    return declared;
  }
}

/** The tools that were chosen for a turn. */
export class ChosenTools implements OfferedTools {
  readonly #names: ReadonlySet<string>;
  readonly #finding: (toolbox: Toolbox) => Toolbox;
  readonly #sets: DeclaredSets;

  /** `names`: the chosen tools. Only filterable tools need to be named, because the others are always sent. */
  constructor(names: readonly string[], finding: (toolbox: Toolbox) => Toolbox, sets: DeclaredSets) {
    this.#names = new Set(names);
    this.#finding = finding;
    this.#sets = sets;
  }

  addTo(toolbox: Toolbox): Toolbox {
    return this.#finding(toolbox);
  }

  declarations(toolbox: Toolbox, messages: readonly ChatMessage[]): readonly ToolDeclaration[] {
    const called = namesIn(messages);
    return this.#sets.of(toolbox, (tool) => !isFilterable(tool) || this.#names.has(tool.name) || called.has(tool.name));
  }
}
