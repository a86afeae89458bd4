import type { Bridge } from './bridge.ts';
import type { Payload } from './bridge-message.ts';

/** How long the page waits for a host's first word before it takes it for one that says nothing. */
const silenceMs = 3000;
/** Within the ten seconds that the widget gives a page (docs/guides/widget.md). */
const answerMs = 9000;
const longestToken = 16_384;

/** The token of the host's user. It is held in memory only, and never in an address of this page. */
export class HostToken {
  readonly #bridge: Bridge;
  readonly #spoken: Promise<void>;
  #hasSpoken: () => void = () => undefined;
  #mayAsk = false;
  #token: string | null = null;
  /** The host has given it unasked, and nobody has read it yet. */
  #isFresh = false;
  /** A host is asked once, however many wait for the answer. */
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

  /** The host has said whether it can be asked. */
  begin(mayAsk: boolean): void {
    this.#mayAsk = mayAsk;
    this.#hasSpoken();
  }

  /** `setToken`. True when it answers a question of the page; otherwise the host's user has changed, or the token has. */
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

  /** What the widget asks whenever the server has to know who it is. */
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

/** Null signs out. @throws TypeError for anything but null and a text. */
export function readToken({ token }: Payload): string | null {
  if (token === null) return null;
  if (typeof token === 'string' && token.length <= longestToken) return token;
  throw new TypeError('token has to be a text or null');
}
