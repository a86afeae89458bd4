import type { SentImage } from '../images/composed-image.ts';
import { createNode } from '../nodes/create-node.ts';

const drawing = 'M14 3H6v18h12V7zm0 0v4h4M9 12h6m-6 4h6';

/** A file as a chip with its name. */
export function drawChip({ name }: SentImage): HTMLElement {
  const chip = document.createElement('span');
  chip.className = 'file-chip';
  const attributes = { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' };
  const label = document.createElement('bdi');
  label.textContent = name;
  chip.title = name;
  chip.append(createNode({ tag: 'svg', attributes, children: [{ tag: 'path', attributes: { d: drawing } }] }), label);
  return chip;
}
