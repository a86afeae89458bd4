import type { Block, List } from './block.ts';
import type { ListMarker } from './block-start.ts';
import type { Container } from './container.ts';
import { endLeaf, type Leaf } from './leaf.ts';

/** The blocks that were read, and which of them are still open. */
export class BlockTree {
  readonly blocks: Block[] = [];
  /** Where each top block begins in the text. */
  readonly starts: number[] = [];
  /** The open quotes and items, each in the one before it. */
  readonly containers: Container[] = [];
  readonly definitions = new Map<string, string>();
  leaf: Leaf | null = null;
  /** The containers from this depth on have had an empty line as their latest line. */
  #blankFrom = Infinity;

  /** Tells the tree whether the current line is empty. An empty line in a quote does not count as empty for the lists around the quote. */
  noteBlank(isBlank: boolean): void {
    this.#blankFrom = isBlank ? 1 + this.containers.findLastIndex(({ list }) => list === null) : Infinity;
  }

  /** Adds a block to the innermost container. `position` is where its first line begins. */
  append(block: Block, position: number): void {
    const container = this.containers.at(-1);
    if (container === undefined) this.starts.push(position);
    else if (container.list !== null && container.blocks.length > 0)
      this.#join(container.list, this.containers.length - 1);
    this.siblings.push(block);
  }

  openLeaf(leaf: Leaf, position: number): void {
    this.append(leaf.block, position);
    this.leaf = leaf;
  }

  openQuote(position: number): void {
    const blocks: Block[] = [];
    this.append({ type: 'quote', blocks }, position);
    this.containers.push({ blocks, list: null, indent: 0 });
  }

  /** Opens an item of the list before it, or of a new list where the markers differ. */
  openItem({ sign, start }: ListMarker, indent: number, position: number): void {
    const before = this.siblings.at(-1);
    let list: List;
    if (before?.type === 'list' && before.sign === sign) {
      list = before;
      this.#join(list, this.containers.length);
    } else {
      list = { type: 'list', sign, start, isLoose: false, items: [] };
      this.append(list, position);
    }
    const blocks: Block[] = [];
    list.items.push(blocks);
    this.containers.push({ blocks, list, indent });
  }

  /** Ends the leaf and all containers but the first `depth`. */
  closeTo(depth: number): void {
    if (this.leaf !== null && !endLeaf(this.leaf, this.definitions)) this.removeLast();
    this.leaf = null;
    this.containers.length = depth;
  }

  removeLast(): void {
    this.siblings.pop();
    if (this.containers.length === 0) this.starts.pop();
  }

  /** The blocks of the innermost container. */
  get siblings(): Block[] {
    return this.containers.at(-1)?.blocks ?? this.blocks;
  }

  /** Makes a list loose when an empty line stands between two of its parts. `depth` is the depth of its items. */
  #join(list: List, depth: number): void {
    if (depth >= this.#blankFrom) list.isLoose = true;
  }
}
