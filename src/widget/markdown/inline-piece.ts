import { type NodePlan, textOf } from '../nodes/node-plan.ts';
import { type LinkRules, planLink } from '../nodes/plan-link.ts';
import { maxDepth } from './block.ts';

export type Child = NodePlan | string;

/** An element around other text. */
export type Wrapper =
  { readonly tag: 'em' | 'strong' | 'del' | 'img' } | { readonly tag: 'a'; readonly address: string };

/** A place in the text where wrappers may end and begin. */
export interface Mark {
  /** Wrappers that end here, before the mark's text. */
  closes: number;
  /** The part of the mark that stays text. */
  text: string;
  /** Wrappers that begin after the mark's text. The innermost comes first. */
  readonly opens: Wrapper[];
}

export type Piece = Child | Mark;

interface OpenWrapper {
  readonly wrapper: Wrapper;
  /** The list into which the wrapper is put. */
  readonly outer: Child[];
}

/** Puts the pieces into the wrappers around them. A wrapper that is nested too deep is left out, and its text stays. */
export function nestPieces(pieces: readonly Piece[], links?: LinkRules): Child[] {
  const stack: OpenWrapper[] = [];
  let children: Child[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string' || 'tag' in piece) {
      children.push(piece);
      continue;
    }
    for (let count = 0; count < piece.closes; count += 1) {
      const ended = stack.pop();
      if (ended === undefined) break;
      if (ended.outer !== children) for (const child of wrap(ended.wrapper, children, links)) ended.outer.push(child);
      children = ended.outer;
    }
    if (piece.text !== '') children.push(piece.text);
    for (const wrapper of piece.opens.toReversed()) {
      stack.push({ wrapper, outer: children });
      if (stack.length <= maxDepth) children = [];
    }
  }
  return children;
}

function wrap(wrapper: Wrapper, children: Child[], links: LinkRules | undefined): readonly Child[] {
  // An image's address in a reply could carry data out (contract/cards.md), so no image is fetched.
  if (wrapper.tag === 'img') return [children.map(textOf).join('')];
  if (wrapper.tag !== 'a') return [{ tag: wrapper.tag, children }];
  const link = children.some(hasLink) ? null : planLink(wrapper.address, children, links);
  return link === null ? children : [link];
}

/** Whether a link stands inside. A click then follows the inner link. */
function hasLink(child: Child): boolean {
  return typeof child !== 'string' && (child.tag === 'a' || (child.children ?? []).some(hasLink));
}
