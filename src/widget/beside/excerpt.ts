import type { RagSource } from '../../wire/hub-events.ts';
import type { Endpoints } from '../nodes/own-endpoints.ts';
import { createNode } from '../nodes/create-node.ts';
import type { NodePlan } from '../nodes/node-plan.ts';
import { linkAttributes, safeLink } from '../nodes/safe-link.ts';

/** The name of a document with the number by which replies cite it. */
export function nameOf({ number, title }: RagSource): string {
  return `[${String(number)}] ${title}`;
}

/** What stands in a document, with the passage marked that the reply goes by, and its name. The name leads to the document where it has an address. */
export function excerptNode(source: RagSource, endpoints: Endpoints): HTMLElement {
  const { url = '', excerpt = { text: '', from: 0, to: 0 } } = source;
  const { text, from, to } = excerpt;
  const address = safeLink(url, endpoints);
  const name: NodePlan =
    address === null
      ? { tag: 'b', children: [nameOf(source)] }
      : { tag: 'a', attributes: linkAttributes(address), children: [nameOf(source)] };
  const marked: readonly (NodePlan | string)[] =
    to > from ? [text.slice(0, from), { tag: 'mark', children: [text.slice(from, to)] }, text.slice(to)] : [text];
  const node = createNode({
    tag: 'div',
    attributes: { class: 'excerpt', role: 'note', 'aria-label': nameOf(source) },
    children: [
      { tag: 'p', attributes: { dir: 'auto' }, children: [name] },
      { tag: 'blockquote', attributes: { dir: 'auto' }, children: marked },
    ],
  });
  return node as HTMLElement; // a `div` is one
}
