import type { HelperWidgetApi, PageAction } from '../page-types.ts';
import type { Bridge } from './bridge.ts';
import type { Payload } from './bridge-message.ts';
import { readList, readObject, readText } from './read-payload.ts';

/** An action that the host offers the assistant. The server checks its content. */
interface HostAction extends Omit<PageAction, 'handler'> {
  readonly name: string;
}

/** How many actions a page may offer, and how long the server waits for one (docs/guides/ui-actions.md). */
const mostActions = 32;
const answerMs = 30_000;

/** UI actions of the host. The host lists them in `init`, and the page runs one with `uiAction` (contract/embed.md). */
export class HostActions {
  readonly #api: Pick<HelperWidgetApi, 'registerAction'>;
  readonly #bridge: Pick<Bridge, 'ask'>;
  #offered: readonly string[] = [];

  constructor(api: Pick<HelperWidgetApi, 'registerAction'>, bridge: Pick<Bridge, 'ask'>) {
    this.#api = api;
    this.#bridge = bridge;
  }

  /**
   * Reads the `actions` of `init`.
   * @throws TypeError that says what is wrong with them.
   */
  read(payload: Payload): readonly HostAction[] {
    return readList(payload, 'actions', mostActions).map((item) => {
      const action = readObject(item, 'an action');
      return {
        name: readText(action, 'name', 100),
        description: readText(action, 'description', 500),
        parameters: readObject(action['parameters'] ?? { type: 'object' }, 'parameters'),
        readOnly: action['readOnly'] === true,
        destructive: action['destructive'] === true,
      };
    });
  }

  /** Offers these actions in place of the earlier ones. */
  async offer(actions: readonly HostAction[]): Promise<void> {
    const gone = this.#offered;
    this.#offered = actions.map(({ name }) => name);
    await Promise.all([
      ...gone.map((name) => this.#api.registerAction(name, null)),
      ...actions.map(({ name, ...action }) =>
        this.#api.registerAction(name, { ...action, handler: (values) => this.#run(name, values) }),
      ),
    ]);
  }

  async #run(name: string, values: Payload): Promise<unknown> {
    const { error, result } = await this.#bridge.ask('uiAction', { name, arguments: values }, answerMs);
    if (error !== undefined) throw new Error(typeof error === 'string' ? error : 'The host could not do it.');
    return result ?? null;
  }
}
