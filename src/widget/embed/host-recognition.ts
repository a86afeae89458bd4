import type { Payload } from './bridge-message.ts';
import { readOptionalText } from './read-payload.ts';

/** Characters. The panel writes no longer text into the composer. */
const longestText = 10_000;
const longestCode = 100;
/** Milliseconds for which the host may still send words after the page has stopped the recognition. */
const lastWordsMs = 3000;

/**
 * One recognition by the host in the shape of a `SpeechRecognition` (Web Speech API): `result` and `error` events, and one `end`. The
 * panel sets the language and ends a recognition that takes too long.
 */
export class HostRecognition extends EventTarget {
  readonly id: string;
  lang = '';
  readonly #tell: (payload: Payload) => void;
  #isOver = false;
  #lastWords: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, tell: (payload: Payload) => void) {
    super();
    this.id = id;
    this.#tell = tell;
  }

  start(): void {
    this.#tell({ isOn: true, language: this.lang });
  }

  /** The host turns its microphone off and sends its last words. */
  stop(): void {
    if (this.#isOver || this.#lastWords !== undefined) return;
    this.#tell({ isOn: false });
    this.#lastWords = setTimeout(() => this.#fail('network'), lastWordsMs);
  }

  /** The host turns its microphone off, and its further words are ignored. */
  abort(): void {
    if (this.#isOver) return;
    // The host was told to stop already.
    if (this.#lastWords === undefined) this.#tell({ isOn: false });
    this.#end();
  }

  /**
   * Reads the whole message before it acts.
   * @throws TypeError that names the faulty field.
   */
  hear(payload: Payload): void {
    const text = readOptionalText(payload, 'text', longestText);
    const error = readOptionalText(payload, 'error', longestCode);
    const { isFinal = false } = payload;
    if (typeof isFinal !== 'boolean') throw new TypeError('isFinal has to be true or false');
    if (text !== undefined) {
      this.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript: text }]] }));
    }
    if (error !== undefined) this.#fail(error);
    else if (isFinal) this.#end();
  }

  #fail(error: string): void {
    if (this.#isOver) return;
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#lastWords);
    this.dispatchEvent(new Event('end'));
  }
}
