import type { HelperWidgetApi, WidgetEvents } from '../page-types.ts';
import type { Bridge } from './bridge.ts';

type Status = WidgetEvents['reply']['status'] | 'succeeded' | 'unknown';
type Kind = 'question' | 'success' | 'failure';

/** Kinds of vibration by how an action ended. A user who stopped the action needs no vibration. */
const kinds: Readonly<Partial<Record<string, Kind>>> = {
  completed: 'success',
  succeeded: 'success',
  failed: 'failure',
  refused: 'failure',
  unknown: 'failure',
} satisfies Partial<Record<Status, Kind>>;

/**
 * Tells the host when a phone may vibrate (contract/embed.md): a question has come, or an approved action or an answer has ended. Only an
 * open panel counts. For a closed panel the host gets `unread`.
 */
export class HostHaptics {
  readonly #api: Pick<HelperWidgetApi, 'on' | 'getState'>;
  readonly #bridge: Pick<Bridge, 'tell'>;
  readonly #page: { readonly hidden: boolean };
  /** The actions that this answer has asked about, by the id of their question. */
  readonly #asked = new Map<string, string | undefined>();
  /** The names of approved actions that run. */
  #approved: readonly (string | undefined)[] = [];

  constructor(
    api: Pick<HelperWidgetApi, 'on' | 'getState'>,
    bridge: Pick<Bridge, 'tell'>,
    page: { readonly hidden: boolean },
  ) {
    this.#api = api;
    this.#bridge = bridge;
    this.#page = page;
  }

  follow(): void {
    const { on } = this.#api;
    on('confirmation', (detail) => this.#confirmation(detail));
    on('action', ({ action, status }) => {
      const at = this.#approved.indexOf(action);
      if (at === -1) return;
      this.#approved = this.#approved.filter((_name, index) => index !== at);
      void this.#tell(kinds[status]);
    });
    on('reply', ({ status }) => {
      this.#asked.clear();
      this.#approved = [];
      void this.#tell(kinds[status]);
    });
  }

  #confirmation({ actionId, action, outcome }: WidgetEvents['confirmation']): void {
    if (outcome === 'approved') this.#approved = [...this.#approved, this.#asked.get(actionId)];
    // After a reconnect the server sends an open question again under its id.
    if (outcome !== null || this.#asked.has(actionId)) return;
    this.#asked.set(actionId, action);
    void this.#tell('question');
  }

  async #tell(kind: Kind | undefined): Promise<void> {
    if (kind === undefined || this.#page.hidden) return;
    const { isOpen } = await this.#api.getState();
    if (isOpen) this.#bridge.tell('haptic', { kind });
  }
}
