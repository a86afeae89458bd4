import { Component, type JSX } from 'preact';
import type { RagSource } from '../../wire/hub-events.ts';
import { createNode } from '../nodes/create-node.ts';
import type { Endpoints } from '../nodes/own-endpoints.ts';
import { linkAttributes, safeLink } from '../nodes/safe-link.ts';
import { Slot } from '../panel/slot.tsx';
import { excerptNode, nameOf } from './excerpt.ts';

interface SourceListProps {
  readonly sources: readonly RagSource[];
  readonly label: string;
  readonly links: Endpoints;
}

/**
 * The documents that a reply is based on, each with the number by which the reply cites it (contract/knowledge.md#citations). One with an
 * address is a link; another opens what stands in it.
 */
export class SourceList extends Component<SourceListProps, { readonly open: RagSource | null }> {
  override state: { readonly open: RagSource | null } = { open: null };

  override render(
    { sources, label, links }: SourceListProps,
    { open }: { readonly open: RagSource | null },
  ): JSX.Element {
    return (
      <div class="sources" role="group" aria-label={label}>
        <span aria-hidden="true">{label}</span>
        <ul role="list">
          {sources.map((source) => (
            <li key={source.number}>{this.#chip(source, links, open === source)}</li>
          ))}
        </ul>
        {open && <Slot key={open.number} nodes={[excerptNode(open, links)]} />}
      </div>
    );
  }

  #chip(source: RagSource, links: Endpoints, isOpen: boolean): JSX.Element {
    const address = safeLink(source.url ?? '', links);
    const name = nameOf(source);
    if (address !== null) {
      const attributes = { class: 'source', dir: 'auto', ...linkAttributes(address) };
      return <Slot nodes={[createNode({ tag: 'a', attributes, children: [name] })]} />;
    }
    if (source.excerpt === undefined) {
      return (
        <span class="source" dir="auto">
          {name}
        </span>
      );
    }
    const toggle = (): void => this.setState({ open: isOpen ? null : source });
    return (
      <button type="button" class="source" dir="auto" aria-expanded={isOpen} onClick={toggle}>
        {name}
      </button>
    );
  }
}
