import type { ChatMessage, ToolDeclaration } from '../ports/chat-model.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { namesIn } from './find-tools.ts';

/** Sets of tools whose declarations are kept by toolbox, the last ones used. */
const mostSets = 64;

/** What of a toolbox the model is sent in each round of a turn. */
export interface OfferedTools {
  /** The toolbox with what it takes to find the others. */
  addTo(toolbox: Toolbox): Toolbox;
  /**
   * How the tools are declared that go with these messages, in the order of the toolbox: the same array for as long as the toolbox and what
   * is offered of it are the same.
   */
  declarations(toolbox: Toolbox, messages: readonly ChatMessage[]): readonly ToolDeclaration[];
}

/** What a server sends that filters nothing. */
export const everyTool: OfferedTools = {
  addTo: (toolbox) => toolbox,
  declarations: ({ declarations }) => declarations,
};

/** Whether a tool can be left out: those of the server and of the page always go along (contract/tool-filter.md#choice). */
export function isFilterable({ source }: Pick<Tool, 'source'>): boolean {
  return source === 'action' || source === 'tool';
}

/** Arrays of declarations by toolbox and set. */
export class DeclaredSets {
  readonly #sets = new WeakMap<Toolbox, Map<string, readonly ToolDeclaration[]>>();

  /** The declarations of those tools of a toolbox that `isOffered`. */
  of(toolbox: Toolbox, isOffered: (tool: Tool) => boolean): readonly ToolDeclaration[] {
    const left = toolbox.tools.map((tool) => isOffered(tool));
    // A toolbox of which nothing was chosen is one that the model must call something of.
    if (!left.includes(false) || !left.includes(true)) return toolbox.declarations;
    const key = left.map(Number).join('');
    const sets = this.#sets.get(toolbox) ?? new Map<string, readonly ToolDeclaration[]>();
    this.#sets.set(toolbox, sets);
    const known = sets.get(key);
    const declared = known ?? Object.freeze(toolbox.declarations.filter((_, index) => left[index]));
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

  /** `names`: of those tools that could be left out, the ones that go along. */
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
