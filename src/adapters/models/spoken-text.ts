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

/**
 * Passes the text of a reply on without the thought that stands at its beginning (contract/models.md#thoughts). A thought without its
 * opening tag looks like the answer until its end. The first such text of a model is taken back. After that the text of this model waits
 * for the end of its thought.
 */
export class SpokenText {
  readonly #sink: ReplySink;
  readonly #habit: ThoughtHabit;
  readonly #soFar: () => string;
  #state: 'beginning' | 'thought' | 'waiting' | 'answer' | 'decided';
  /** The text that is not passed on yet, unescaped. Of a thought only what may be the beginning of its closing tag. */
  #held = '';
  #begun = false;
  #hadThought = false;

  /** `soFar` returns the text of the reply up to now, with its thoughts. */
  constructor(sink: ReplySink, options: { readonly habit: ThoughtHabit; readonly soFar: () => string }) {
    this.#sink = sink;
    this.#habit = options.habit;
    this.#soFar = options.soFar;
    this.#state = options.habit.unopened ? 'waiting' : 'beginning';
  }

  /** Whether a part of the answer was passed on. */
  get begun(): boolean {
    return this.#begun;
  }

  /** A further piece of the text, JSON-escaped. */
  add(escaped: string): void {
    if (this.#state === 'answer' || this.#state === 'decided') {
      this.#pass(escaped);
      // Most pieces do not have the word, so looking for it is all that they cost.
      if (this.#state === 'answer' && escaped.includes(tagWord)) this.#takeBackThought();
      return;
    }
    this.#held += unescaped(escaped);
    this.#readOn();
  }

  /** Ends the text, and returns the answer in `whole`, the text with its thoughts. `isCut`: the reply has reached its length limit. */
  end(whole: string, { isCut }: { readonly isCut: boolean }): string {
    const wasWaiting = this.#state === 'waiting';
    // A thought that is cut has no end. What is held of it is no answer.
    if (this.#state === 'thought' || (wasWaiting && isCut)) return '';
    if (wasWaiting) this.#habit.unopened = false;
    if (this.#held !== '') this.#pass(escapedOf(this.#held));
    this.#held = '';
    if (this.#state === 'answer') this.#takeBackThought();
    return answerIn(whole);
  }

  #readOn(): void {
    for (;;) {
      if (this.#state !== 'thought') {
        const text = this.#held.trimStart();
        if (text.length < opening.length && opening.startsWith(text)) return;
        if (text.startsWith(opening)) this.#state = 'thought';
        else if (this.#state === 'beginning') {
          this.#answer(this.#hadThought ? text : this.#held);
          return;
        }
      }
      const end = this.#state === 'waiting' ? endOfUnopened(this.#held) : endOfTag(this.#held);
      if (end === undefined) {
        if (this.#state === 'thought') this.#held = this.#held.slice(1 - closing.length);
        return;
      }
      this.#held = this.#held.slice(end);
      this.#hadThought = true;
      this.#state = 'beginning';
    }
  }

  #answer(text: string): void {
    // The closing tag that follows a thought with both tags belongs to the answer.
    this.#state = this.#hadThought ? 'decided' : 'answer';
    this.#held = '';
    this.#pass(escapedOf(text));
    if (this.#state === 'answer' && text.includes(closing)) this.#takeBackThought();
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
    this.#hadThought = true;
    this.#held = text.slice(end);
    this.#state = 'beginning';
    this.#readOn();
  }

  #pass(escaped: string): void {
    if (escaped === '') return;
    this.#begun = true;
    this.#sink.text(escaped);
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
