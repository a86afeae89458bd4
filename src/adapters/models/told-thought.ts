import { StringDecoder } from 'node:string_decoder';
import type { ReplySink } from '../../core/ports/chat-model.ts';
import { listOf, objectOf, textOf } from './json-values.ts';

/** The most bytes of a thought that are told. */
const maxBytes = 16 * 1024;
/** Stands for the rest of a thought that is cut. */
const cutMark = '…';

/**
 * Collects what a model thinks before its reply, and tells it once: before the first text of the reply, before the first call of the
 * provider's own tools, or at the end of a reply that has calls alone (contract/models.md#shown-thoughts).
 */
export class ToldThought {
  /** Takes the reply. The thought goes to the same reader before it. */
  readonly sink: ReplySink;
  readonly #show: (text: string) => void;
  #text = '';
  #part: unknown;
  #isTold = false;

  private constructor(sink: ReplySink, show: (text: string) => void) {
    this.#show = show;
    this.sink = {
      text: (escaped) => {
        this.tell();
        sink.text(escaped);
      },
      // A model asks whether its text can be taken back.
      ...(sink.takeBack === undefined ? {} : { takeBack: () => sink.takeBack?.() }),
      hosted: (progress) => {
        this.tell();
        sink.hosted?.(progress);
      },
    };
  }

  /** Undefined where the thoughts of the model are not shown, or nobody may see them here. */
  static for(sink: ReplySink, isShown: boolean): ToldThought | undefined {
    if (!isShown || sink.thought === undefined) return undefined;
    return new ToldThought(sink, (text) => sink.thought?.(text));
  }

  /** A further piece of the thought. `part` numbers the paragraph to which it belongs. */
  add(piece = '', part?: unknown): void {
    // A character has at least one byte, so what is longer than this is cut in any case.
    if (piece === '' || this.#isTold || this.#text.length > maxBytes) return;
    this.#text += this.#text !== '' && part !== this.#part ? `\n\n${piece}` : piece;
    this.#part = part;
  }

  tell(): void {
    const text = this.#text.trim();
    if (this.#isTold || text === '') return;
    this.#isTold = true;
    this.#show(cut(text));
  }
}

/** The text, or its beginning with a mark. No character is cut in two. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new StringDecoder('utf8').write(bytes.subarray(0, maxBytes - Buffer.byteLength(cutMark))) + cutMark;
}

/** The thoughts in a content that is a list of parts, as Mistral sends them. */
export function thoughtsIn(content: unknown): string {
  const thoughts = listOf(content).flatMap((part) => objectOf(part)?.['thinking'] ?? []);
  return thoughts.map((part) => textOf(part) ?? textOf(objectOf(part)?.['text']) ?? '').join('');
}
