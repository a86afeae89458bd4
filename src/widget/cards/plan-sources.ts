import { linkAttributes, safeLink } from '../nodes/safe-link.ts';
import type { NodePlan } from '../nodes/node-plan.ts';
import { objectOf, textOf } from './card-values.ts';

/** The documents that a reply goes by, each under the number that the reply cites it by (contract/knowledge.md#citations). */
export function planSources(sources: readonly unknown[], label: string): NodePlan {
  return {
    tag: 'div',
    attributes: { class: 'sources', role: 'group', 'aria-label': label },
    children: [
      { tag: 'span', attributes: { 'aria-hidden': 'true' }, children: [label] },
      { tag: 'ul', attributes: { role: 'list' }, children: sources.map(planSource) },
    ],
  };
}

function planSource(source: unknown): NodePlan {
  const { number, title, url } = objectOf(source);
  const address = safeLink(textOf(url));
  const words = `[${textOf(number)}] ${textOf(title)}`;
  const chip: NodePlan =
    address === null
      ? { tag: 'span', attributes: { class: 'source', dir: 'auto' }, children: [words] }
      : { tag: 'a', attributes: { class: 'source', dir: 'auto', ...linkAttributes(address) }, children: [words] };
  return { tag: 'li', children: [chip] };
}
