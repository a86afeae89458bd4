import type { Payload } from './bridge-message.ts';
import { readOptionalText } from './read-payload.ts';

/** As much as the voice writes into the composer. */
const longestText = 10_000;
const longestCode = 100;
/** How long the host may take for its last words once the page has told it to stop. */
const lastWordsMs = 3000;

/**
 * One listening with the ears of the host, in the shape of a `SpeechRecognition` (Web Speech API): `result` and `error` events, and
 * one `end`. The voice sets the language and ends a listening that takes too long.
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

  /** The host turns its microphone off and says what it has heard. */
  stop(): void {
    if (this.#isOver || this.#lastWords !== undefined) return;
    this.#tell({ isOn: false });
    this.#lastWords = setTimeout(() => this.#fail('network'), lastWordsMs);
  }

  /** The host turns its microphone off, and what it says of this listening is not heard any more. */
  abort(): void {
    if (this.#isOver) return;
    // A host that was told to stop needs no second word.
    if (this.#lastWords === undefined) this.#tell({ isOn: false });
    this.#end();
  }

  /** Everything is read before anything is done. @throws TypeError that names the field. */
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
