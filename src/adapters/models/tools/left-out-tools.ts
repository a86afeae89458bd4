import type { ToolDeclaration } from '../../../core/ports/chat-model.ts';

/** Most tools of one model that are remembered. The one that was left out first is forgotten first. */
const mostKept = 1_000;

/** Told once of each tool that a model goes without. */
export type TellLeftOut = (model: string, tool: string) => void;

/**
 * The tools that the providers of models refuse, through all configurations of a process (contract/models.md#tools). A tool is known by what is
 * declared of it, so a tool that is declared otherwise is sent again.
 */
export class LeftOutTools {
  readonly #ofModels = new Map<string, Map<string, string>>();
  readonly #keys = new WeakMap<ToolDeclaration, string>();
  readonly #tell: TellLeftOut;
  #version = 0;

  constructor(tell: TellLeftOut = () => undefined) {
    this.#tell = tell;
  }

  /** Another number whenever something has changed. */
  get version(): number {
    return this.#version;
  }

  has(model: string, tool: ToolDeclaration): boolean {
    const of = this.#ofModels.get(model);
    return of !== undefined && of.size > 0 && of.has(this.#keyOf(tool));
  }

  add(model: string, tool: ToolDeclaration): void {
    const of = this.#ofModels.get(model) ?? new Map<string, string>();
    this.#ofModels.set(model, of);
    const key = this.#keyOf(tool);
    if (of.has(key)) return;
    of.set(key, tool.name);
    const [oldest] = of.keys();
    if (of.size > mostKept && oldest !== undefined) of.delete(oldest);
    this.#version += 1;
    this.#tell(model, tool.name);
  }

  /** The names of those of these tools that any model goes without. */
  among(tools: readonly ToolDeclaration[]): readonly string[] {
    const models = [...this.#ofModels.keys()];
    if (models.length === 0) return [];
    return tools.filter((tool) => models.some((model) => this.has(model, tool))).map(({ name }) => name);
  }

  #keyOf(tool: ToolDeclaration): string {
    const known = this.#keys.get(tool) ?? JSON.stringify([tool.name, tool.description, tool.parameters]);
    this.#keys.set(tool, known);
    return known;
  }
}
