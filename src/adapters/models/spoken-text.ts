import type { ReplySink } from '../../core/ports/chat-model.ts';

const opening = '<think>';
const closing = '</think>';
/** A word of both tags. JSON never escapes a letter, so the escaped text of a tag has it as well. */
const tagWord = 'think';

/** What is known of a model from its earlier replies. */
export interface ThoughtHabit {
  /** The model begins its replies with a thought that has no opening tag. */
  unopened: boolean;
}

/** Looks for the closing tag in a text that comes in pieces. It reads each piece once. */
class ClosingTag {
  #tail = '';

  /** Where the first tag ends in this piece. Undefined when none has ended by then. */
  endIn(piece: string): number | undefined {
    const text = this.#tail + piece;
    const end = endOfTag(text);
    if (end !== undefined) return end - this.#tail.length;
    this.#tail = text.slice(1 - closing.length);
    return undefined;
  }
}

/**
 * Passes the text of a reply on without the thought that stands at its beginning (contract/models.md#thoughts). A thought without its
 * opening tag looks like the answer until its end. The first such text of a model is taken back. After that the text of this model waits
 * for the end of its thought. However many pieces the text comes in, each is read once or twice: a user chooses what a model writes.
 */
export class SpokenText {
  readonly #sink: ReplySink;
  readonly #habit: ThoughtHabit;
  readonly #soFar: () => string;
  readonly #thought: ((text: string) => void) | undefined;
  /** `unopened`: a text that may be a thought without its opening tag. */
  #state: 'beginning' | 'thought' | 'unopened' | 'answer' | 'decided' = 'beginning';
  /** Whether a text without an opening tag waits for the end of a thought. */
  #waits: boolean;
  /** The white space before `#held`. */
  #blank = '';
  /** The text that is not passed on yet, unescaped. Nothing of a thought that has its opening tag. */
  #held = '';
  #closing = new ClosingTag();
  /** The last two pieces of the answer, JSON-escaped. */
  #last: readonly [string, string] = ['', ''];
  #lastHasWord = false;
  #begun = false;
  #hadThought = false;

  /** `soFar` returns the text of the reply up to now, with its thoughts. `thought` takes each thought. Left out, nobody wants them. */
  constructor(
    sink: ReplySink,
    options: {
      readonly habit: ThoughtHabit;
      readonly soFar: () => string;
      readonly thought?: ((text: string) => void) | undefined;
    },
  ) {
    this.#sink = sink;
    this.#habit = options.habit;
    this.#soFar = options.soFar;
    this.#thought = options.thought;
    this.#waits = options.habit.unopened;
  }

  /** Whether a part of the answer was passed on. */
  get begun(): boolean {
    return this.#begun;
  }

  /** A further piece of the text, JSON-escaped. */
  add(escaped: string): void {
    if (this.#state === 'answer' || this.#state === 'decided') this.#pass(escaped);
    else this.#read(unescaped(escaped));
  }

  /** Ends the text, and returns the answer in `whole`, the text with its thoughts. `isCut`: the reply has reached its length limit. */
  end(whole: string, { isCut }: { readonly isCut: boolean }): string {
    // A thought that is cut has no end. What is held of it is no answer.
    if (this.#state === 'thought' || (this.#waits && isCut)) return '';
    if (this.#waits) this.#habit.unopened = false;
    if (this.#state === 'answer' && whole.includes(closing)) this.#takeBackThought();
    if (this.#state === 'beginning' || this.#state === 'unopened') this.#answer('decided');
    return answerIn(whole);
  }

  /** A further piece before the answer has begun. */
  #read(piece: string): void {
    let rest: string | undefined = piece;
    while (rest !== undefined && rest !== '') {
      if (this.#state === 'thought') rest = this.#afterThought(rest);
      else if (this.#state === 'unopened') rest = this.#afterUnopened(rest);
      else rest = this.#afterBeginning(rest);
    }
  }

  /** What of a piece follows the end of a thought; undefined while there is none. */
  #afterThought(piece: string): string | undefined {
    const end = this.#closing.endIn(piece);
    return end === undefined ? undefined : this.#endThought(piece.slice(end));
  }

  #afterUnopened(piece: string): string | undefined {
    this.#held += piece;
    if (this.#closing.endIn(piece) === undefined) return undefined;
    const end = endOfUnopened(this.#held);
    if (end !== undefined) return this.#endThought(this.#held.slice(end));
    // The first closing tag decides.
    this.#habit.unopened = false;
    this.#answer('decided');
    return undefined;
  }

  #endThought(rest: string): string {
    if (this.#thought !== undefined) {
      const text = this.#soFar();
      this.#thought(lastThought(text.slice(0, text.length - rest.length)));
    }
    [this.#blank, this.#held] = ['', ''];
    this.#hadThought = true;
    this.#waits = false;
    this.#state = 'beginning';
    return rest;
  }

  /** What of a piece follows the beginning of the text, once it is known what begins there. */
  #afterBeginning(piece: string): string | undefined {
    const text = this.#held === '' ? piece.trimStart() : this.#held + piece;
    if (this.#held === '') this.#blank += piece.slice(0, piece.length - text.length);
    this.#held = text;
    if (text.length < opening.length && opening.startsWith(text)) return undefined;
    if (!text.startsWith(opening) && !this.#waits) {
      this.#answer('answer');
      return undefined;
    }
    this.#closing = new ClosingTag();
    this.#state = text.startsWith(opening) ? 'thought' : 'unopened';
    this.#held = '';
    return text;
  }

  /** Passes on what is held. The closing tag that follows a thought with both tags belongs to the answer. */
  #answer(state: 'answer' | 'decided'): undefined {
    const text = this.#hadThought ? this.#held : this.#blank + this.#held;
    this.#state = this.#hadThought ? 'decided' : state;
    this.#waits = false;
    [this.#blank, this.#held] = ['', ''];
    this.#pass(escapedOf(text));
  }

  /** Takes back what was passed on, if a thought without its opening tag ends in it. The first closing tag decides. */
  #takeBackThought(): void {
    const text = this.#soFar();
    if (!text.includes(closing)) return;
    this.#state = 'decided';
    const end = endOfUnopened(text);
    if (end === undefined) return;
    this.#habit.unopened = true;
    this.#sink.takeBack?.();
    this.#read(this.#endThought(text.slice(end)));
  }

  #pass(escaped: string): void {
    if (escaped === '') return;
    this.#begun = true;
    this.#sink.text(escaped);
    if (this.#state === 'answer') this.#lookForEnd(escaped);
  }

  /** Most pieces do not have the word, so looking for it is all that they cost. A tag may be cut into three pieces. */
  #lookForEnd(escaped: string): void {
    const hasWord = escaped.includes(tagWord);
    const [older, last] = this.#last;
    if ((hasWord || this.#lastHasWord) && unescaped(older + last + escaped).includes(closing)) this.#takeBackThought();
    this.#last = [last, escaped];
    this.#lastHasWord = hasWord;
  }
}

/** The text of a reply without the thoughts at its beginning. */
export function answerIn(text: string): string {
  let rest = text;
  const unopened = endOfUnopened(text);
  if (unopened !== undefined) rest = text.slice(unopened).trimStart();
  while (rest.trimStart().startsWith(opening)) {
    const end = endOfTag(rest);
    if (end === undefined) return '';
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

/** The thought that ends a text. */
function lastThought(text: string): string {
  const whole = text.slice(0, -closing.length);
  const opened = whole.lastIndexOf(opening);
  return opened < 0 ? whole : whole.slice(opened + opening.length);
}

/** Where the first closing tag ends. */
function endOfTag(text: string): number | undefined {
  const at = text.indexOf(closing);
  return at < 0 ? undefined : at + closing.length;
}

/**
 * Where a thought without its opening tag ends. A closing tag in code, and one with an opening tag before it, end none: the answer speaks
 * of them.
 */
function endOfUnopened(text: string): number | undefined {
  const end = endOfTag(text);
  if (end === undefined) return undefined;
  const before = text.slice(0, end - closing.length);
  if (before.includes(opening) || isInCode(before, text[end])) return undefined;
  return end;
}

/** Whether what follows `before` stands in a block of code, or between the marks of code. */
function isInCode(before: string, after: string | undefined): boolean {
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  return fences % 2 === 1 || before.endsWith('`') || after === '`';
}

function unescaped(escaped: string): string {
  return String(JSON.parse(`"${escaped}"`));
}

function escapedOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
