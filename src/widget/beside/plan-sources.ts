import type { RagSource } from '../../wire/hub-events.ts';
import type { NodePlan } from '../nodes/node-plan.ts';
import type { Endpoints } from '../nodes/own-endpoints.ts';
import { linkAttributes, safeLink } from '../nodes/safe-link.ts';

/** The documents that a reply is based on. Each document has the number by which the reply cites it (contract/knowledge.md#citations). */
export function planSources(sources: readonly RagSource[], label: string, endpoints: Endpoints): NodePlan {
  return {
    tag: 'div',
    attributes: { class: 'sources', role: 'group', 'aria-label': label },
    children: [
      { tag: 'span', attributes: { 'aria-hidden': 'true' }, children: [label] },
      { tag: 'ul', attributes: { role: 'list' }, children: sources.map((source) => planSource(source, endpoints)) },
    ],
  };
}

function planSource({ number, title, url = '' }: RagSource, endpoints: Endpoints): NodePlan {
  const address = safeLink(url, endpoints);
  const words = `[${String(number)}] ${title}`;
  const chip: NodePlan =
    address === null
      ? { tag: 'span', attributes: { class: 'source', dir: 'auto' }, children: [words] }
      : { tag: 'a', attributes: { class: 'source', dir: 'auto', ...linkAttributes(address) }, children: [words] };
  return { tag: 'li', children: [chip] };
}
