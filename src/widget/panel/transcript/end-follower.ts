import { questionTop } from './question-top.ts';

/** Pixels. A reader this close to the end counts as being there. */
const nearEnd = 48;
/** Pixels. A resting finger moves by less. */
const slightTouch = 4;
const readingKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/** The open question that is to be answered next. */
export const openQuestion = '.entries:not([hidden]) > .confirmation.is-open';

/** An empty chat is read from its beginning. */
const welcomeAlone = '.entries:not([hidden]) > .welcome:only-child';

/**
 * Keeps a transcript scrolled to its end, or to the question that waits there. Only the reader ends this: by wheel, touch, keys or the
 * scroll bar. The program also scrolls, so the position alone says nothing about the reader.
 */
export class EndFollower {
  readonly #scroller: HTMLElement;
  readonly #onChange: (isFollowing: boolean) => void;
  readonly #end = new AbortController();
  #isFollowing = true;
  /** Whether a mouse button is down: on the scroll bar, or to select text. */
  #isHeld = false;
  #touchStart = 0;
  #lastTop = 0;
  #shownQuestion: Element | null = null;
  /** Whether the reader has moved the question. The question then stays in its place. */
  #isTouched = false;

  constructor(scroller: HTMLElement, onChange: (isFollowing: boolean) => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    const { signal } = this.#end;
    const passive = { signal, passive: true };
    scroller.addEventListener('wheel', this.#wheel, passive);
    scroller.addEventListener('touchstart', this.#touch, passive);
    scroller.addEventListener('touchmove', this.#drag, passive);
    scroller.addEventListener('pointerdown', this.#hold, passive);
    scroller.addEventListener('keydown', this.#press, passive);
    scroller.addEventListener('focusin', this.#focus, passive);
    scroller.addEventListener('scroll', this.#scrolled, passive);
    // A smooth scroll that was running when the reader chose the end stops before it.
    scroller.addEventListener('scrollend', () => this.settle(), passive);
    window.addEventListener('pointerup', this.#letGo, passive);
    window.addEventListener('pointercancel', this.#letGo, passive);
  }

  /** Scrolls to the end or to the waiting question, and stays there. */
  follow(): void {
    this.#isTouched = false;
    this.resume();
    this.settle();
  }

  /** Stays where the reader is, and follows again from the next change on. */
  resume(): void {
    this.#set(true);
  }

  /** The reader wants to see earlier entries. */
  release(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    // The position says nothing here, because a browser may have scrolled before the event.
    if (scrollHeight > clientHeight) this.#set(false);
  }

  /** Something has changed its size, so the followed place is scrolled into view again. */
  settle(): void {
    const scroller = this.#scroller;
    // When nothing is left to scroll, the reader cannot scroll down to follow again. Following therefore begins again by itself.
    if (this.#left() <= 1) this.#set(true);
    // A user who writes into a field of the transcript, or opens what a number cites, stays there.
    if (!this.#isFollowing || scroller.querySelector(':is(input, textarea, select, .cite):focus') !== null) return;
    const question = scroller.querySelector<HTMLElement>(openQuestion);
    const isNew = question !== this.#shownQuestion;
    this.#shownQuestion = question;
    if (isNew) this.#isTouched = false;
    if (question === null) scroller.scrollTop = scroller.querySelector(welcomeAlone) ? 0 : scroller.scrollHeight;
    else if (!this.#isTouched) scroller.scrollTop = questionTop(scroller, question);
    this.#lastTop = scroller.scrollTop;
  }

  destroy(): void {
    this.#end.abort();
  }

  readonly #wheel = (event: WheelEvent): void => {
    this.#isTouched = true;
    const isUpwards = event.deltaY < 0 && Math.abs(event.deltaY) > Math.abs(event.deltaX);
    if (isUpwards && !isField(event.target)) this.release();
  };

  readonly #touch = ({ touches }: TouchEvent): void => {
    this.#touchStart = touches[0]?.clientY ?? 0;
  };

  readonly #drag = ({ touches, target }: TouchEvent): void => {
    this.#isTouched = true;
    const isDownwards = (touches[0]?.clientY ?? 0) > this.#touchStart + slightTouch;
    if (isDownwards && !isField(target)) this.release();
  };

  readonly #hold = ({ pointerType }: PointerEvent): void => {
    this.#isTouched = true;
    this.#isHeld = pointerType === 'mouse';
  };

  readonly #letGo = (): void => {
    this.#isHeld = false;
  };

  readonly #press = (event: KeyboardEvent): void => {
    this.#isTouched = true;
    if (readingKeys.has(event.key) && !isField(event.target)) this.release();
  };

  /** The Tab key has moved the focus to something above the visible end. */
  readonly #focus = ({ target }: FocusEvent): void => {
    const scroller = this.#scroller;
    if (!(target instanceof Element) || target === scroller || !target.matches(':focus-visible')) return;
    const top = scroller.scrollTop + target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    if (top < scroller.scrollHeight - scroller.clientHeight) this.release();
  };

  readonly #scrolled = (): void => {
    const { scrollTop } = this.#scroller;
    if (this.#isHeld && scrollTop < this.#lastTop) this.release();
    // A reader who has just turned away is still near the end, so only scrolling down follows again.
    else if (scrollTop > this.#lastTop && this.#left() <= nearEnd) this.#set(true);
    this.#lastTop = scrollTop;
  };

  /** Pixels from the visible part to the end. */
  #left(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - clientHeight - scrollTop;
  }

  #set(isFollowing: boolean): void {
    if (isFollowing === this.#isFollowing) return;
    this.#isFollowing = isFollowing;
    this.#onChange(isFollowing);
  }
}

/** A field scrolls its own lines, and its keys move the caret. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
