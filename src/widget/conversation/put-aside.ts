import type { ConversationState } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';

const timeToUndoMs = 10_000;

interface PutAsideOptions {
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
  /** Called when the user can no longer take the conversation back. */
  readonly sweep: () => void;
}

/** The conversation that "New conversation" has put aside. It is out of sight for ten seconds and can be taken back until then. */
export class PutAside {
  readonly #options: PutAsideOptions;
  #sweeping: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PutAsideOptions) {
    this.#options = options;
  }

  begin(): void {
    const { state, change, sweep } = this.#options;
    if (state().entries.length === 0 || state().isAside) return;
    const { turn } = state();
    // A message that was not sent is dropped, because nobody would see its reply.
    change({ ...(turn?.isSent === false ? endTurn(state(), 'stopped') : state()), isAside: true });
    this.#sweeping = setTimeout(sweep, timeToUndoMs);
  }

  /** Shows the conversation again, with everything that has happened in it since. */
  takeBack(): void {
    this.end();
    const { state, change } = this.#options;
    change({ ...state(), isAside: false });
  }

  /** From now on the conversation cannot be taken back. */
  end(): void {
    clearTimeout(this.#sweeping);
  }
}
