import { untilStopped } from '../core/base/until-stopped.ts';
import type { Embedded, EmbedRequest } from '../core/ports/embedder.ts';

/** The most questions whose vectors are kept. */
const mostKept = 50;
/** Milliseconds after which a call of the model ends, even if somebody still waits for it. */
const longestAskMs = 60_000;

type Embed = (request: EmbedRequest) => Promise<readonly Embedded[]>;

/**
 * Asks for the vector of a question only once, although documents and the memory may both need it in one turn. When one of them gives up
 * waiting, the other still gets the vector. A question that has failed is asked again.
 */
export class SharedQuestions {
  readonly #kept = new Map<string, Promise<readonly Embedded[]>>();

  /**
   * The vector of the one text of this request: the one that is known or on its way, else a new one from `embed`. @throws the signal's
   * reason, and what `embed` throws.
   */
  ask(request: EmbedRequest, embed: Embed): Promise<readonly Embedded[]> {
    const [text = ''] = request.texts;
    return untilStopped(this.#kept.get(text) ?? this.#begin(text, request, embed), request.signal);
  }

  /** Forgets all vectors, because another model may answer from now on. */
  clear(): void {
    this.#kept.clear();
  }

  #begin(text: string, request: EmbedRequest, embed: Embed): Promise<readonly Embedded[]> {
    const signal = AbortSignal.timeout(longestAskMs);
    const asked = embed({ ...request, texts: [text], purpose: 'question', signal });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostKept && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(text, asked);
    const drop = (): void => {
      if (this.#kept.get(text) === asked) this.#kept.delete(text);
    };
    asked.then(([given]) => {
      if (given === undefined || 'fault' in given) drop();
    }, drop);
    return asked;
  }
}
