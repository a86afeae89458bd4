import type { ToolDeclaration } from '../ports/chat-model.ts';
import type { Tool } from './tool.ts';

/** The tools one agent has, and how they are declared to the model: the same array for as long as the server runs. */
export class Toolbox {
  readonly tools: readonly Tool[];
  readonly declarations: readonly ToolDeclaration[];
  readonly #byName: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.declarations = Object.freeze(
      tools.map(({ name, description, parameters }) => Object.freeze({ name, description, parameters })),
    );
  }

  find(name: string): Tool | undefined {
    return this.#byName.get(name);
  }
}
