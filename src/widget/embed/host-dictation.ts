import type { Bridge } from './bridge.ts';
import type { Payload } from './bridge-message.ts';
import { HostRecognition } from './host-recognition.ts';

/** The window in which the panel looks for a speech recogniser. TypeScript's library does not know that property. */
interface SpeechWindow {
  SpeechRecognition?: unknown;
}

/**
 * Speech recognition by the host (contract/embed.md). While the host offers it, the `SpeechRecognition` of this page listens with the
 * host's microphone. It replaces the browser's own recogniser, which some WebViews have and refuse to run.
 */
export class HostDictation {
  readonly #bridge: Pick<Bridge, 'tell' | 'newId'>;
  readonly #page: SpeechWindow;
  /** Restores the recogniser that the page had before the host's offer. */
  #takeBack: (() => void) | null = null;
  #listening: HostRecognition | null = null;

  constructor(bridge: Pick<Bridge, 'tell' | 'newId'>, page: SpeechWindow) {
    this.#bridge = bridge;
    this.#page = page;
  }

  /** Takes the host's offer from `init`. Without an offer a running recognition ends, and the browser's own recogniser is restored. */
  offer(isOffered: boolean): void {
    if (isOffered) this.#takeBack ??= this.#provide();
    else {
      this.#listening?.abort();
      this.#takeBack?.();
      this.#takeBack = null;
    }
  }

  /**
   * Takes what the host has heard. Words for a recognition that has ended are ignored.
   * @throws TypeError that says what is wrong.
   */
  hear(payload: Payload, id: string | undefined): void {
    if (this.#listening?.id === id) this.#listening?.hear(payload);
  }

  #provide(): () => void {
    const page = this.#page;
    const own = page.SpeechRecognition;
    const begin = (): HostRecognition => this.#begin();
    // The panel calls `SpeechRecognition` as a constructor, and uses the object that it returns.
    page.SpeechRecognition = function SpeechRecognition() {
      return begin();
    };
    return () => {
      if (own === undefined) delete page.SpeechRecognition;
      else page.SpeechRecognition = own;
    };
  }

  /** Begins a recognition. The host has one microphone, so an earlier recognition ends. */
  #begin(): HostRecognition {
    this.#listening?.abort();
    const id = this.#bridge.newId();
    const recognition = new HostRecognition(id, (payload) => this.#bridge.tell('dictate', payload, id));
    this.#listening = recognition;
    recognition.addEventListener('end', () => {
      if (this.#listening === recognition) this.#listening = null;
    });
    return recognition;
  }
}
