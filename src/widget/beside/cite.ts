import type { RagSource } from '../../wire/hub-events.ts';
import type { Endpoints } from '../nodes/own-endpoints.ts';
import { excerptNode, nameOf } from './excerpt.ts';

/** A citation in a reply, as the server reads it: `[2]`, or several numbers at once as `[1, 3]`. */
const citation = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/g;

/** Makes buttons of the citations in the box of a reply. Each opens, below its block, what stands in its document. */
export function cite(box: HTMLElement, sources: readonly RagSource[], endpoints: Endpoints): void {
  const byNumber = new Map(sources.flatMap((source) => (source.excerpt ? [[source.number, source] as const] : [])));
  // The reader of Markdown leaves brackets as texts of their own.
  box.normalize();
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const isPlain = currentNode.parentElement?.closest('a, button, code, pre, math') === null;
    if (currentNode instanceof Text && isPlain) texts.push(currentNode);
  }
  for (const text of texts) citeIn(text, { box, byNumber, endpoints });
}

interface Citing {
  readonly box: HTMLElement;
  readonly byNumber: ReadonlyMap<number, RagSource>;
  readonly endpoints: Endpoints;
}

function citeIn(text: Text, citing: Citing): void {
  const { data } = text;
  const pieces: (string | Node)[] = [];
  let from = 0;
  for (const { 0: words, 1: list = '', index } of data.matchAll(citation)) {
    const cited = list.split(',').map((number) => citing.byNumber.get(Number(number)));
    if (!cited.every((source) => source !== undefined)) continue;
    pieces.push(data.slice(from, index), ...cited.map((source) => chipOf(source, citing)));
    from = index + words.length;
  }
  if (from > 0) text.replaceWith(...pieces, data.slice(from));
}

function chipOf(source: RagSource, { box, endpoints }: Citing): HTMLElement {
  const chip = document.createElement('button');
  chip.type = 'button';
  chip.className = 'cite';
  chip.textContent = String(source.number);
  chip.title = nameOf(source);
  chip.setAttribute('aria-label', nameOf(source));
  chip.setAttribute('aria-expanded', 'false');
  let excerpt: HTMLElement | null = null;
  const close = (): void => {
    excerpt?.remove();
    excerpt = null;
    chip.setAttribute('aria-expanded', 'false');
  };
  chip.addEventListener('click', () => {
    if (excerpt !== null) {
      close();
      return;
    }
    excerpt = excerptNode(source, endpoints);
    excerpt.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      keep(event);
      close();
      chip.focus();
    });
    blockOf(chip, box).after(excerpt);
    chip.setAttribute('aria-expanded', 'true');
    excerpt.scrollIntoView({ block: 'nearest' });
  });
  chip.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || excerpt === null) return;
    keep(event);
    close();
  });
  return chip;
}

/** Without this, the key would also close the panel: as a key, and as that of the browser, which closes a modal dialog. */
function keep(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** The block of the reply that holds the chip. */
function blockOf(chip: HTMLElement, box: HTMLElement): HTMLElement {
  let block = chip;
  while (block.parentElement !== null && block.parentElement !== box) block = block.parentElement;
  return block;
}
