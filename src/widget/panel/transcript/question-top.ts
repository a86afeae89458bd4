/** Room above what is brought into view, where there is as much. */
const gap = 8;

/**
 * Where a transcript has to stand so that a question can be judged and answered at once: the whole box, or from its title to
 * its buttons, or from its values to its buttons. What fits nowhere is read from its top.
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
