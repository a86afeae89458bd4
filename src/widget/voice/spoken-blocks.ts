import type { planBlocks } from '../markdown/plan-blocks.ts';
import type { readBlocks } from '../markdown/read-blocks.ts';
import type { NodePlan } from '../nodes/node-plan.ts';

/** One block of a reply in the form in which it is read aloud. */
export interface SpokenBlock {
  /** Characters of the block's Markdown. */
  readonly length: number;
  readonly text: string;
}

/** The Markdown parser of the panel's chunk. */
export interface MarkdownParser {
  readonly readBlocks: typeof readBlocks;
  readonly planBlocks: typeof planBlocks;
}

/** The blocks of a reply as plain text. Code is left out, because nobody wants to hear it. */
export function spokenBlocks(markdown: string, { readBlocks, planBlocks }: MarkdownParser): SpokenBlock[] {
  const { blocks, definitions } = readBlocks(markdown);
  return blocks.map((block) => ({
    length: block.raw.length,
    text: planBlocks({ blocks: [block], definitions }, { table: '', code: '' })
      .map(spoken)
      .join(''),
  }));
}

function spoken(plan: NodePlan | string): string {
  if (typeof plan === 'string') return plan;
  if (plan.tag === 'pre') return '';
  if (plan.tag === 'br') return '\n';
  const children = (plan.children ?? []).map(spoken);
  // A table row is spoken as a sentence, and its cells are separated by commas.
  if (plan.tag === 'tr') return `${children.join(', ')}\n`;
  return children.join('') + (/^(?:p|h\d|li|blockquote|hr)$/.test(plan.tag) ? '\n' : '');
}
