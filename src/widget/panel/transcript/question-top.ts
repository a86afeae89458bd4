/** Pixels above the question, where there is room for them. */
const gap = 8;

/**
 * The scroll position from which a question can be judged and answered at once: the whole box, or from its title to its buttons, or from
 * its values to its buttons. If none of them fits, the box is shown from its top.
 */
export function questionTop(scroller: Element, box: Element): number {
  const offset = scroller.scrollTop - scroller.getBoundingClientRect().top;
  const topOf = (element: Element): number => element.getBoundingClientRect().top + offset;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const buttons = box.querySelector('.actions') ?? box;
  const least = buttons.getBoundingClientRect().bottom + offset - scroller.clientHeight;
  const starts = [box, ...['.confirm-title', '.arguments'].flatMap((part) => box.querySelector(part) ?? [])];
  const start = starts.find((element) => least <= topOf(element));
  return Math.min(end, start === undefined ? topOf(box) - gap : Math.max(least, topOf(start) - gap));
}
