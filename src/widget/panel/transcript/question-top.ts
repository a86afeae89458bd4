/** Room above what is brought into view. */
const gap = 8;

/**
 * Where a transcript has to stand so that a question can be judged and answered at once: the whole box, or from its title to
 * its buttons, or from its values to its buttons. What fits nowhere is read from its top.
 */
export function questionTop(scroller: Element, box: Element): number {
  const offset = scroller.scrollTop - scroller.getBoundingClientRect().top;
  const topOf = (element: Element): number => element.getBoundingClientRect().top + offset;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const standAt = (element: Element): number => Math.min(end, topOf(element) - gap);
  const buttons = box.querySelector('.actions') ?? box;
  const buttonsEnd = buttons.getBoundingClientRect().bottom + offset;
  const starts = [box, ...['.confirm-title', '.arguments'].flatMap((part) => box.querySelector(part) ?? [])];
  const start = starts.find((element) => buttonsEnd <= standAt(element) + scroller.clientHeight);
  return standAt(start ?? box);
}
