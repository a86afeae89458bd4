import { untilStopped } from '../core/base/until-stopped.ts';
import type { Embedded, EmbedRequest } from '../core/ports/embedder.ts';

/** Vectors of questions that are kept. */
const mostKept = 50;
/** Milliseconds after which the model is not waited for, though somebody might. */
const longestAskMs = 60_000;

type Embed = (request: EmbedRequest) => Promise<readonly Embedded[]>;

/**
 * Asks for the vector of a question once, though documents and the memory both want it in one turn. Whoever gives up waiting does not take
 * it from the other. A question that has failed is asked again.
 */
export class SharedQuestions {
  readonly #kept = new Map<string, Promise<readonly Embedded[]>>();

  /** What `embed` gives, or gives already, for the one text of this request. @throws the signal's reason, and what `embed` throws. */
  ask(request: EmbedRequest, embed: Embed): Promise<readonly Embedded[]> {
    const [text = ''] = request.texts;
    return untilStopped(this.#kept.get(text) ?? this.#begin(text, embed), request.signal);
  }

  /** What is asked from now on may be something else. */
  clear(): void {
    this.#kept.clear();
  }

  #begin(text: string, embed: Embed): Promise<readonly Embedded[]> {
    const asked = embed({ texts: [text], purpose: 'question', signal: AbortSignal.timeout(longestAskMs) });
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
