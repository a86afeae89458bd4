/** Characters. Voices that come over the network cut longer utterances off. */
const longestPiece = 200;
const mostWaiting = 500;
/** Milliseconds to wait for an engine that reports nothing. `patiencePerCharacterMs` is added for each character. */
const patienceMs = 5000;
const patiencePerCharacterMs = 250;

export interface SpeakerOptions {
  readonly rate: number;
  readonly language: () => string;
  /** Called when everything has been spoken. */
  readonly onIdle: () => void;
}

/** Speaks one piece of text after the other with the browser's own voice. */
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
    // Other scripts of the page use the same engine, and their speech goes on.
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
