import type { Bridge } from './bridge.ts';
import type { Payload } from './bridge-message.ts';
import { HostRecognition } from './host-recognition.ts';

/** The window in which the voice of the panel looks for a recogniser; TypeScript's library does not know the name. */
interface SpeechWindow {
  SpeechRecognition?: unknown;
}

/**
 * Speech recognition of the host (contract/embed.md): while the host offers it, the `SpeechRecognition` of this page listens with the
 * host's microphone. It comes before the browser's own, which the WebViews of some platforms have and refuse to run.
 */
export class HostDictation {
  readonly #bridge: Pick<Bridge, 'tell' | 'newId'>;
  readonly #page: SpeechWindow;
  /** Puts back what the page had before the host's offer. */
  #takeBack: (() => void) | null = null;
  #listening: HostRecognition | null = null;

  constructor(bridge: Pick<Bridge, 'tell' | 'newId'>, page: SpeechWindow) {
    this.#bridge = bridge;
    this.#page = page;
  }

  /** What the host has said in `init`. Without its offer, listening ends, and the browser's own recogniser is back. */
  offer(isOffered: boolean): void {
    if (isOffered) this.#takeBack ??= this.#provide();
    else {
      this.#listening?.abort();
      this.#takeBack?.();
      this.#takeBack = null;
    }
  }

  /** What the host has heard. Under the id of a listening that is over, nothing is read. @throws TypeError that says what is wrong. */
  hear(payload: Payload, id: string | undefined): void {
    if (this.#listening?.id === id) this.#listening?.hear(payload);
  }

  #provide(): () => void {
    const page = this.#page;
    const own = page.SpeechRecognition;
    const begin = (): HostRecognition => this.#begin();
    // The voice calls it as a constructor, and takes what the constructor gives.
    page.SpeechRecognition = function SpeechRecognition() {
      return begin();
    };
    return () => {
      if (own === undefined) delete page.SpeechRecognition;
      else page.SpeechRecognition = own;
    };
  }

  /** The host has one microphone: whoever listened before listens no longer. */
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
