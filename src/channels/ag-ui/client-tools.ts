import type { UiAction } from '../../core/request/ui-actions.ts';
import { maxActions, maxNameLength, readUiAction } from '../shared/read-ui-actions.ts';
import { ValueFault } from '../shared/read-values.ts';

/** A tool as a client offers it. */
export interface InputTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly metadata?: { readonly readOnly?: unknown; readonly destructive?: unknown } | null;
}

/** What a client has sent and the model is not given, and why. Developers read it. */
export interface LeftOut {
  readonly tool?: string;
  readonly reason: string;
}

const noParameters = { type: 'object', properties: {} };

/** The tools that a client runs itself. The model knows them as UI actions (contract/ag-ui.md#tools-of-the-client). */
export class ClientTools {
  #offered: readonly UiAction[] = [];
  /** The client's own name of each action. */
  #names: ReadonlyMap<string, string> = new Map();

  get offered(): readonly UiAction[] {
    return this.#offered;
  }

  /** Puts these tools in the place of the earlier ones. Returns those that no model can be given. */
  offer(tools: readonly InputTool[]): readonly LeftOut[] {
    const offered = new Map<string, UiAction>();
    const names = new Map<string, string>();
    const leftOut: LeftOut[] = [];
    for (const [index, tool] of tools.entries()) {
      const action = index < maxActions ? actionIn(tool) : `There are more than ${String(maxActions)} tools.`;
      if (typeof action === 'string') leftOut.push({ tool: tool.name, reason: action });
      else if (offered.has(action.name)) leftOut.push({ tool: tool.name, reason: 'Another tool has this name.' });
      else {
        offered.set(action.name, action);
        names.set(action.name, tool.name);
      }
    }
    this.#offered = [...offered.values()];
    this.#names = names;
    return leftOut;
  }

  /** Whether the client has a tool of this name, so that it runs each call that bears it. */
  has(name: string): boolean {
    return [...this.#names.values()].includes(name);
  }

  /** The name by which the client knows an action. */
  nameOf(action: string): string {
    return this.#names.get(action) ?? action;
  }
}

/** A client's tool as a UI action. A text says why it cannot be one. */
function actionIn({ name, description = '', parameters, metadata }: InputTool): UiAction | string {
  const { readOnly, destructive } = metadata ?? {};
  const action = { name: ownNameOf(name), description, parameters: parameters ?? noParameters, readOnly, destructive };
  try {
    return readUiAction(action, 'tool');
  } catch (error) {
    if (error instanceof ValueFault) return error.message;
    throw error;
  }
}

/** Models are given names of small letters: `setTheme` is `set_theme`. */
function ownNameOf(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .toLowerCase()
    .slice(0, maxNameLength);
}
