import type { UiActionRequested } from '../../wire/hub-events.ts';
import type { OfferedUiAction } from '../../wire/hub-methods.ts';

/** Something the page can do for the assistant (wire.md 3). */
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

/** What the page around the widget can do for the assistant (wire.md 3). Only what it has registered is ever run. */
export class PageActions {
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

  get offered(): readonly OfferedUiAction[] {
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
    if (action === undefined) throw new Error('The page does not offer this any more.');
    this.#onRun(name);
    // Nothing would count as no handler.
    return (await action.handler(values)) ?? null;
  }
}
