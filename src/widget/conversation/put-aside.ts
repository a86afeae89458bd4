import type { ConversationState } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';

const timeToUndoMs = 10_000;

interface PutAsideOptions {
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
  /** Nobody wants it back. */
  readonly sweep: () => void;
}

/** A conversation that the user has begun anew after: for ten seconds it is out of sight, not gone. */
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
    // What was not sent never will be: nobody would see what comes of it.
    change({ ...(turn?.isSent === false ? endTurn(state(), 'stopped') : state()), isAside: true });
    this.#sweeping = setTimeout(sweep, timeToUndoMs);
  }

  /** Shows it again, with all that has happened in it since. */
  takeBack(): void {
    this.end();
    const { state, change } = this.#options;
    change({ ...state(), isAside: false });
  }

  /** There is nothing to take back any more. */
  end(): void {
    clearTimeout(this.#sweeping);
  }
}
