import type { Page } from '../pages/page.ts';
import type { ToolDeclaration } from '../ports/chat-model.ts';
import type { Tool } from './tool.ts';

/**
 * The tools one agent has, the pages it may send the user to, and how the tools are declared to the model: the same array
 * for as long as the tools are the same.
 */
export class Toolbox {
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
  readonly declarations: readonly ToolDeclaration[];
  readonly #byName: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[], pages: readonly Page[] = []) {
    this.tools = tools;
    this.pages = pages;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.declarations = Object.freeze(
      tools.map(({ name, description, parameters }) => Object.freeze({ name, description, parameters })),
    );
  }

  find(name: string): Tool | undefined {
    return this.#byName.get(name);
  }
}
