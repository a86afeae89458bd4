import type { UiActionRequested } from '../../wire/hub-events.ts';
import type { OfferedUiAction } from '../../wire/hub-methods.ts';

/** Something the page can do for the assistant (contract/ui-actions.md). */
export interface PageAction {
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Declares that the action changes nothing. Without it the user is asked before the action runs. */
  readonly readOnly?: boolean;
  /** Declares that the action cannot be undone. The question then says so. */
  readonly destructive?: boolean;
  /** Runs the action. The assistant is told what it returns or its promise resolves with. */
  readonly handler: (values: Readonly<Record<string, unknown>>) => unknown;
}

/** Tools that the page offers by another way than the widget's API (WebMCP). */
export interface PageTools {
  readonly offered: readonly OfferedUiAction[];
  /** Stops offering a tool that the server does not take. A changed tool is offered again. False when the page has no such tool. */
  readonly refuse: (name: string) => boolean;
  /** Rejects when the page has no such tool, or when the tool fails. */
  readonly run: (name: string, values: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** The server takes at most this number of actions. */
const mostActions = 32;

/** What the page around the widget can do for the assistant (contract/ui-actions.md). Only registered actions ever run. */
export class PageActions {
  #tools: PageTools | null = null;
  #known: Promise<void> | null = null;
  readonly #actions = new Map<string, PageAction>();

  readonly #onRun: (name: string) => void;

  /** `onRun` gets the name of each action that begins. */
  constructor(onRun: (name: string) => void = () => undefined) {
    this.#onRun = onRun;
  }

  /**
   * Registers an action; null withdraws it.
   * @throws TypeError for anything that is no action, because the page's code may have got it wrong.
   */
  register(name: string, action: PageAction | null): void {
    if (action === null) this.#actions.delete(name);
    else if (typeof action.handler === 'function') this.#actions.set(name, action);
    else throw new TypeError('registerAction takes a name and { description, parameters, handler }, or null');
  }

  /** Awaits the page's own tools. If they cannot be read, the page's other actions still work. */
  awaitTools(tools: Promise<PageTools>): void {
    this.#known = tools.then(
      (known) => void (this.#tools = known),
      () => undefined,
    );
  }

  /** Settles when the tools of the page are known. Null where the page has none. */
  get known(): Promise<void> | null {
    return this.#known;
  }

  /** Stops offering a tool that the server has refused. False when the name belongs to no tool. */
  refuse(name: string): boolean {
    return !this.#actions.has(name) && this.#tools?.refuse(name) === true;
  }

  /** The actions to offer. Actions registered for the assistant stand before the page's tools. */
  get offered(): readonly OfferedUiAction[] {
    const tools = this.#tools?.offered.filter(({ name }) => !this.#actions.has(name)) ?? [];
    return [...this.#registered, ...tools].slice(0, mostActions);
  }

  get #registered(): readonly OfferedUiAction[] {
    return [...this.#actions].map(([name, { description, parameters, readOnly = false, destructive = false }]) => ({
      name,
      description,
      parameters,
      readOnly,
      ...(destructive ? { destructive } : {}),
    }));
  }

  /** Rejects when there is no such action, or when its handler fails. The assistant is told so. */
  async run({ name, arguments: values }: UiActionRequested): Promise<unknown> {
    const action = this.#actions.get(name);
    const tools = this.#tools;
    if (action === undefined && tools === null) throw new Error('The page does not offer this any more.');
    this.#onRun(name);
    if (action === undefined) return tools?.run(name, values);
    // Undefined would count as an action without a handler.
    return (await action.handler(values)) ?? null;
  }
}
