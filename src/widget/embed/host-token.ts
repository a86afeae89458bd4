import type { Bridge } from './bridge.ts';
import type { Payload } from './bridge-message.ts';

/** Milliseconds for which the page waits for the host's first message. After that the page goes on without a token. */
const silenceMs = 3000;
/** Milliseconds for the host's answer. The widget gives a page ten seconds (docs/guides/widget.md). */
const answerMs = 9000;
const longestToken = 16_384;

/** The token of the host's user. It stays in memory and never stands in an address of this page. */
export class HostToken {
  readonly #bridge: Bridge;
  readonly #spoken: Promise<void>;
  #hasSpoken: () => void = () => undefined;
  #mayAsk = false;
  #token: string | null = null;
  /** The host has sent a token without being asked, and the widget has not read it yet. */
  #isFresh = false;
  /** The running question. All callers share its answer. */
  #asking: { readonly token: Promise<string | null>; readonly answer: (token: string | null) => void } | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#spoken = new Promise((resolve) => {
      this.#hasSpoken = resolve;
    });
    setTimeout(this.#hasSpoken, silenceMs);
  }

  get isKnown(): boolean {
    return this.#token !== null;
  }

  /** Takes from the host whether it can be asked for a token. */
  begin(mayAsk: boolean): void {
    this.#mayAsk = mayAsk;
    this.#hasSpoken();
  }

  /**
   * Takes a token from `setToken`. True when the token answers a question of the page. Otherwise the host's user or the token has
   * changed.
   */
  give(token: string | null): boolean {
    this.#hasSpoken();
    if (this.#asking !== null) {
      this.#asking.answer(token);
      return true;
    }
    this.#token = token;
    this.#isFresh = true;
    return false;
  }

  /** Gives the widget the token whenever the server has to know the user. */
  readonly read = async (): Promise<string | null> => {
    await this.#spoken;
    if (this.#mayAsk && !this.#isFresh) this.#token = await this.#ask();
    this.#isFresh = false;
    return this.#token;
  };

  #ask(): Promise<string | null> {
    if (this.#asking !== null) return this.#asking.token;
    let answer: (token: string | null) => void = () => undefined;
    const given = new Promise<string | null>((resolve) => {
      answer = resolve;
    });
    const answered = this.#bridge.ask('getToken', {}, answerMs).then(readToken);
    const token = Promise.race([given, answered]).finally(() => {
      this.#asking = null;
    });
    this.#asking = { token, answer };
    return token;
  }
}

/**
 * Reads a token; null signs the user out.
 * @throws TypeError for anything but null and a text.
 */
export function readToken({ token }: Payload): string | null {
  if (token === null) return null;
  if (typeof token === 'string' && token.length <= longestToken) return token;
  throw new TypeError('token has to be a text or null');
}
