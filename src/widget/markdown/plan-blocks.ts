import type { Attributes, NodePlan } from '../nodes/node-plan.ts';
import type { LinkRules } from '../nodes/plan-link.ts';
import type { Block, List, Table } from './block.ts';
import type { Child } from './inline-piece.ts';
import { unescapeText } from './link-target.ts';
import { readBlocks, type ReadText } from './read-blocks.ts';
import { type InlineRules, readInline } from './read-inline.ts';

/** Names of the boxes that scroll by themselves, in the widget's language. */
export interface MarkdownLabels {
  readonly table: string;
  readonly code: string;
  /** The name of the button that copies a block of code. Left out, there is no such button. */
  readonly copy?: string;
  /** Where links may lead. Left out for a plan whose links nobody can click. */
  readonly links?: LinkRules;
}

/** Plans a whole text. Each block gets one plan. */
export function planMarkdown(text: string, labels: MarkdownLabels): NodePlan[] {
  return planBlocks(readBlocks(text), labels, { notes: [] });
}

/**
 * One plan per block. HTML is shown as text, and an image as its alternative text. `above` holds the depths of the headings above the
 * blocks, outermost first. The function changes `above`: afterwards it holds the depths of the headings above the next blocks.
 * `notes` is there for a whole text, whose footnotes then stand in one more block. Left out, references to footnotes are text.
 */
export function planBlocks(
  { blocks, definitions }: ReadText,
  labels: MarkdownLabels,
  { above = [], notes }: { readonly above?: number[]; readonly notes?: string[] } = {},
): NodePlan[] {
  const planner = new BlockPlanner({ definitions, links: labels.links, notes }, labels, above);
  const plans = blocks.map(({ block }) => planner.plan(block));
  return notes?.[0] === undefined ? plans : [...plans, planner.notes(notes)];
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

class BlockPlanner {
  readonly #rules: InlineRules;
  readonly #labels: MarkdownLabels;
  readonly #above: number[];

  constructor(rules: InlineRules, labels: MarkdownLabels, above: number[]) {
    this.#above = above;
    this.#rules = rules;
    this.#labels = labels;
  }

  /** The footnotes in the order of their first references. A footnote may refer to more of them. */
  notes(labels: readonly string[]): NodePlan {
    const children: NodePlan[] = [];
    for (const label of labels) {
      children.push({ tag: 'li', children: this.#inline(this.#rules.definitions.get(label) ?? '') });
    }
    return { tag: 'ol', attributes: { class: 'footnotes' }, children };
  }

  plan(block: Block): NodePlan {
    switch (block.type) {
      case 'heading':
        return { tag: this.#headingTag(block.depth), children: this.#inline(block.text) };
      case 'code':
        return this.#code(block.text, block.info);
      case 'rule':
        return { tag: 'hr' };
      case 'quote':
        return { tag: 'blockquote', children: block.blocks.map((inner) => this.plan(inner)) };
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'paragraph':
        return { tag: 'p', children: this.#inline(block.text) };
    }
  }

  /**
   * The tag of a heading. The panel's own headings end at level 2, and no level may be skipped below them, whatever the model began with
   * (WCAG 1.3.1).
   */
  #headingTag(depth: number): (typeof headings)[number] {
    while ((this.#above.at(-1) ?? 0) >= depth) this.#above.pop();
    return headings[this.#above.push(depth) - 1] ?? 'h6';
  }

  #inline(text: string): Child[] {
    return readInline(text, this.#rules);
  }

  #code(text: string, info: string): NodePlan {
    const language = /^[\w+#.-]{1,30}/.exec(unescapeText(info.trim()))?.[0];
    const { copy } = this.#labels;
    const button: Child[] =
      copy === undefined
        ? []
        : [{ tag: 'button', attributes: { type: 'button', class: 'link-button' }, children: [copy] }];
    return {
      tag: 'pre',
      attributes: { ...scrolling(this.#labels.code), ...(language === undefined ? {} : { 'data-language': language }) },
      children: [...button, { tag: 'code', children: [text] }],
    };
  }

  #list({ start, isLoose, items }: List): NodePlan {
    return {
      tag: start === null ? 'ul' : 'ol',
      ...(start === null || start === 1 ? {} : { attributes: { start: String(start) } }),
      children: items.map((blocks) => ({ tag: 'li', children: this.#item(blocks, isLoose) })),
    };
  }

  /** Plans an item. A tight item holds its text directly, and a loose one holds paragraphs. The state of a task stands before its text. */
  #item(blocks: readonly Block[], isLoose: boolean): Child[] {
    return blocks.flatMap((block, index): Child[] => {
      if (block.type !== 'paragraph') return [this.plan(block)];
      const task = index === 0 ? /^\[([ x])\]\s+(?=\S)/i.exec(block.text) : null;
      const children = this.#inline(block.text.slice(task?.[0].length));
      if (task !== null) children.unshift(task[1] === ' ' ? '☐ ' : '☑ ');
      return isLoose ? [{ tag: 'p', children }] : children;
    });
  }

  #table({ alignments, head, rows }: Table): NodePlan {
    const row = (cells: readonly string[], tag: 'td' | 'th'): NodePlan => ({
      tag: 'tr',
      children: cells.map((cell, index) => {
        const alignment = alignments[index] ?? null;
        return {
          tag,
          attributes: {
            ...(tag === 'th' ? { scope: 'col' } : {}),
            ...(alignment === null ? {} : { class: `align-${alignment}` }),
          },
          children: readInline(cell, { ...this.#rules, hasBreaks: true }),
        };
      }),
    });
    return {
      tag: 'div',
      attributes: scrolling(this.#labels.table),
      children: [
        {
          tag: 'table',
          children: [
            { tag: 'thead', children: [row(head, 'th')] },
            { tag: 'tbody', children: rows.map((cells) => row(cells, 'td')) },
          ],
        },
      ],
    };
  }
}

/** A box that scrolls by itself, also with the keyboard. */
function scrolling(label: string): Attributes {
  return { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label };
}
