import { UiActionFault } from '../../core/ui-actions/ui-action-fault.ts';
import type { UiAction, UiActionRequest, UiActions } from '../../core/request/ui-actions.ts';
import type { UiActionRequested } from '../../wire/hub-events.ts';
import { ClientInvocationError } from './protocol/connection/client-invocations.ts';
import type { HubConnection } from './protocol/connection/hub-connection.ts';

/** How long a page may take for its answer (contract/ui-actions.md). */
const timeoutMs = 30_000;

/** The page of a hub connection. It is asked with `UiActionRequested`, and its client answers with a result. */
export class HubUiActions implements UiActions {
  /**
   * As JSON: schemas that are read take up to ten times the memory of their text, and a page stays open for long.
   */
  #offered = '[]';
  readonly #connection: Pick<HubConnection, 'open' | 'invokeClient'>;

  constructor(connection: Pick<HubConnection, 'open' | 'invokeClient'>) {
    this.#connection = connection;
  }

  /** Replaced at each `SetPage`. */
  get offered(): readonly UiAction[] {
    return JSON.parse(this.#offered) as readonly UiAction[]; // written below
  }

  set offered(actions: readonly UiAction[]) {
    this.#offered = JSON.stringify(actions);
  }

  async run(request: UiActionRequest, signal: AbortSignal): Promise<unknown> {
    if (!this.#connection.open) throw new UiActionFault('absent');
    const { turnId, callId, name, arguments: values } = request;
    const asked: UiActionRequested = { turnId, callId, name, arguments: values };
    try {
      return await this.#connection.invokeClient('UiActionRequested', asked, { timeoutMs, signal });
    } catch (error) {
      throw error instanceof ClientInvocationError ? new UiActionFault(error.fault, error.message) : error;
    }
  }
}
