import type { UiActionRequested } from '../../wire/hub-events.ts';
import type { OfferedUiAction } from '../../wire/hub-methods.ts';

/** Something the page can do for the assistant (contract/ui-actions.md). */
export interface PageAction {
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Declares that it changes nothing; otherwise the user is asked first. */
  readonly readOnly?: boolean;
  /** Declares that what it does cannot be undone: the question says so. */
  readonly destructive?: boolean;
  /** What it returns, or its promise's value, is what the assistant is told. */
  readonly handler: (values: Readonly<Record<string, unknown>>) => unknown;
}

/** Tools that the page offers in another way than to the widget (WebMCP). */
export interface PageTools {
  readonly offered: readonly OfferedUiAction[];
  /** The server does not take this one: it is offered again when it has changed. False where there is none. */
  readonly refuse: (name: string) => boolean;
  /** Rejects when there is no such tool, or it fails. */
  readonly run: (name: string, values: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** The server takes so many. */
const mostActions = 32;

/** What the page around the widget can do for the assistant (contract/ui-actions.md). Only what it has registered is ever run. */
export class PageActions {
  #tools: PageTools | null = null;
  #known: Promise<void> | null = null;
  readonly #actions = new Map<string, PageAction>();

  readonly #onRun: (name: string) => void;

  /** `onRun` hears of each action that begins. */
  constructor(onRun: (name: string) => void = () => undefined) {
    this.#onRun = onRun;
  }

  /** Null takes an action back. @throws TypeError for what is no action: the page's own code may be wrong about it. */
  register(name: string, action: PageAction | null): void {
    if (action === null) this.#actions.delete(name);
    else if (typeof action.handler === 'function') this.#actions.set(name, action);
    else throw new TypeError('registerAction takes a name and { description, parameters, handler }, or null');
  }

  /** Tools of the page that are about to be known; without them nothing else is lost. */
  awaitTools(tools: Promise<PageTools>): void {
    this.#known = tools.then(
      (known) => void (this.#tools = known),
      () => undefined,
    );
  }

  /** Settles when the tools of the page are known; null where there are none. */
  get known(): Promise<void> | null {
    return this.#known;
  }

  /** The server does not take this action. False unless it is a tool, which is not offered any more. */
  refuse(name: string): boolean {
    return !this.#actions.has(name) && this.#tools?.refuse(name) === true;
  }

  /** What was registered for the assistant comes first. */
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

  /** Rejects when there is no such action, or its handler fails: the assistant is told so. */
  async run({ name, arguments: values }: UiActionRequested): Promise<unknown> {
    const action = this.#actions.get(name);
    const tools = this.#tools;
    if (action === undefined && tools === null) throw new Error('The page does not offer this any more.');
    this.#onRun(name);
    if (action === undefined) return tools?.run(name, values);
    // Nothing would count as no handler.
    return (await action.handler(values)) ?? null;
  }
}
