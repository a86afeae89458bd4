/** Longer utterances are cut off in the middle by voices that come over the network. */
const longestPiece = 200;
const mostWaiting = 500;
/** How long an engine that tells nothing is waited for: a moment, and a time for each character. */
const patienceMs = 5000;
const patiencePerCharacterMs = 250;

export interface SpeakerOptions {
  readonly rate: number;
  readonly language: () => string;
  /** Everything is said. */
  readonly onIdle: () => void;
}

/** Says one piece of text after the other with the browser's own voice. */
export class Speaker {
  readonly #options: SpeakerOptions;
  #waiting: string[] = [];
  #current: SpeechSynthesisUtterance | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SpeakerOptions) {
    this.#options = options;
  }

  get isSpeaking(): boolean {
    return this.#current !== null;
  }

  say(text: string): void {
    const pieces = text.match(new RegExp(`[^]{1,${longestPiece}}(?=\\s|$)|[^]{1,${longestPiece}}`, 'g')) ?? [];
    this.#waiting = [...this.#waiting, ...pieces].slice(0, mostWaiting);
    if (this.#current === null) this.#next();
  }

  stop(): void {
    this.#waiting = [];
    clearTimeout(this.#timer);
    // The engine is the page's too: what it says for others goes on.
    if (this.#current !== null) speechSynthesis.cancel();
    this.#current = null;
  }

  #next(): void {
    const text = this.#waiting.shift();
    if (text === undefined) {
      this.#options.onIdle();
      return;
    }
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = this.#options.language();
    utterance.rate = this.#options.rate;
    const ended = (): void => {
      if (this.#current !== utterance) return;
      clearTimeout(this.#timer);
      this.#current = null;
      this.#next();
    };
    utterance.addEventListener('end', ended);
    utterance.addEventListener('error', ended);
    this.#current = utterance;
    const patience = patienceMs + (text.length * patiencePerCharacterMs) / this.#options.rate;
    this.#timer = setTimeout(() => {
      speechSynthesis.cancel();
      ended();
    }, patience);
    speechSynthesis.speak(utterance);
  }
}
