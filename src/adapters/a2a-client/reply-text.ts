import type { Artifact, Message, Part } from '@a2a-js/sdk';

/** Stands where a reply was cut because it was too long. It is in no language, because nobody knows the language of the reply. */
const cutMark = ' […]';
const betweenPieces = '\n\n';

/**
 * The text of one reply. Agents repeat themselves: a task holds its artifacts in whole each time, and many agents send the last artifact
 * as a message too. Each text is told once (contract/agents.md#remote-agents).
 */
export class ReplyText {
  readonly #onText: (piece: string) => void;
  readonly #maxLength: number;
  /** The text of each artifact and message, by its key. */
  readonly #known = new Map<string, string>();
  readonly #told: string[] = [];
  #toldLength = 0;
  /** All characters that are kept, with those of texts that are not told. */
  #keptLength = 0;
  #lastKey: string | undefined;
  #isClosed = false;
  #isFull = false;

  constructor(onText: (piece: string) => void, maxLength: number) {
    this.#onText = onText;
    this.#maxLength = maxLength;
  }

  /** Whether the reply is as long as it may be. What comes after that is left out. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** All that was told. */
  get whole(): string {
    return this.#told.join('');
  }

  /** Tells nothing any more. */
  close(): void {
    this.#isClosed = true;
  }

  artifact({ artifactId, parts }: Artifact, isAppended: boolean): void {
    const key = `artifact ${artifactId}`;
    const text = textOfParts(parts);
    const known = this.#known.get(key) ?? '';
    // An artifact that grows is not compared with itself: that would take longer with each piece.
    if (isAppended && known !== '') this.#tellMore(key, known + text, text);
    else this.#tell(key, text);
  }

  message({ messageId, parts }: Message): void {
    this.#tell(`message ${messageId}`, textOfParts(parts));
  }

  /** Takes an artifact or a message for one that was told before. */
  recall(item: Artifact | Message): void {
    this.#keep(
      'artifactId' in item ? `artifact ${item.artifactId}` : `message ${item.messageId}`,
      textOfParts(item.parts),
    );
  }

  #tell(key: string, whole: string): void {
    const known = this.#known.get(key) ?? '';
    if (whole === known) return;
    if (known !== '' && whole.startsWith(known)) {
      this.#tellMore(key, whole, whole.slice(known.length));
      return;
    }
    const repeatsLast = known === '' && this.#lastKey !== undefined && this.#known.get(this.#lastKey) === whole;
    if (repeatsLast) this.#keep(key, whole);
    else this.#say({ key, whole, piece: whole, isContinued: false });
  }

  /** `piece` is the end of `whole`, and what is before it is known. */
  #tellMore(key: string, whole: string, piece: string): void {
    if (piece !== '') this.#say({ key, whole, piece, isContinued: this.#lastKey === key });
  }

  #keep(key: string, text: string): void {
    this.#keptLength += key.length + text.length - (this.#known.get(key)?.length ?? 0);
    this.#known.set(key, text);
  }

  #say({ key, whole, piece, isContinued }: Said): void {
    if (this.#isClosed || this.#isFull) return;
    this.#keep(key, whole);
    this.#lastKey = key;
    const spaced = isContinued || this.#toldLength === 0 ? piece : `${betweenPieces}${piece}`;
    const room = this.#maxLength - this.#toldLength;
    // Keys and texts that are not told fill the memory as well. Honest agents send few of them.
    this.#isFull = spaced.length > room || this.#keptLength > 4 * this.#maxLength;
    const told = spaced.length > room ? `${cutAt(spaced, room)}${cutMark}` : spaced;
    this.#told.push(told);
    this.#toldLength += spaced.length;
    this.#onText(told);
  }
}

/** A text on its way to the reader. */
interface Said {
  readonly key: string;
  /** All of the artifact or message so far. */
  readonly whole: string;
  /** What is new in it. */
  readonly piece: string;
  readonly isContinued: boolean;
}

/** The first characters of a text. A pair of surrogates stays whole. */
function cutAt(text: string, length: number): string {
  const end = text.charCodeAt(length - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? length - 1 : length);
}

function textOfParts(parts: readonly Part[]): string {
  return parts.map(textOfPart).join('');
}

/** Files are not fetched: the reply names them. */
function textOfPart({ content, filename }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value;
    case 'data':
      return content.value === undefined ? '' : JSON.stringify(content.value);
    case 'url':
      return filename === '' ? content.value : `${filename}: ${content.value}`;
    case 'raw':
      return filename === '' ? '' : `[${filename}]`;
    case undefined:
      return '';
  }
}
