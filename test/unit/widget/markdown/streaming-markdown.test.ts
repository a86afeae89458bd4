import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import { readBlocks } from '../../../../src/widget/markdown/read-blocks.ts';
import { StreamingMarkdown } from '../../../../src/widget/markdown/streaming-markdown.ts';
import type { NodePlan } from '../../../../src/widget/nodes/node-plan.ts';
import { outline } from './plan-text.ts';
import { randomReply } from './random-reply.ts';

const labels = { table: 'Table', code: 'Code' };

/** The blocks on the screen, and the number of blocks that were drawn so far. */
function screen(): { shown: string[]; drawn: number; replaceFrom(kept: number, blocks: readonly NodePlan[]): void } {
  return {
    shown: [],
    drawn: 0,
    replaceFrom(kept, blocks) {
      this.shown = [...this.shown.slice(0, kept), ...blocks.map(outline)];
      this.drawn += blocks.length;
    },
  };
}

function atOnce(text: string): string[] {
  return planMarkdown(text, labels).map(outline);
}

const samples = [
  'One paragraph.',
  'Two\n\nparagraphs with **bold** and *emphasis* and `code`.',
  '# Heading\n\nText\n\n## Another\n\nMore',
  'Setext\n======\n\nText\n\nSecond\n---\n',
  '- a\n- b\n- c\n\nAfter',
  '- a\n\n- b\n\n- c',
  '1. one\n2. two\n\n\n3. three',
  '- a\n  - b\n    - c\n- d\n\n1. e\n2. f',
  '- [ ] open\n- [x] done',
  '- a\n\n\n\n- b',
  '> quote\n> more\n\nAfter',
  '> > nested\n\ntext',
  '```js\nconst a = 1;\n\nconst b = 2;\n```\n\nAfter',
  '~~~\nplain\n~~~',
  '    indented\n    code\n\ntext',
  '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nAfter',
  '| only a header |\n|---|',
  'a | b\n--|--\n1 | 2',
  '---\n\ntext\n\n***',
  'See [here][1] and [there][two].\n\n[1]: https://x.example/one\n[two]: https://x.example/two',
  '[1]: https://x.example/one\n\nSee [here][1].',
  'A [link](https://x.example/a_(b)) and <https://x.example> and www.x.example.',
  '![alt](https://x.example/a.png) text',
  'Hard  \nbreak\\\nanother',
  'Escapes \\*not emphasis\\* and \\# not heading',
  'Entities &amp; &lt;b&gt; &#169;',
  '<div>html</div>\n\ntext',
  'Text <b>inline</b> html',
  '**unclosed bold and `unclosed code',
  '```\nunclosed fence\nwith **stars**',
  'Emoji 👩‍👩‍👧 and 日本語 text\n\n次の段落',
  'Windows\r\nline\r\nends\r\n\r\nparagraph\r\n\r\n- a\r\n- b',
  '\n\n\nleading blank lines',
  'trailing blank lines\n\n\n\n',
  '1) a\n2) b',
  '* a\n+ b\n- c',
];

describe('a reply while it streams', () => {
  it.each(samples)('ends as if it had come at once: %j', (text) => {
    const sink = screen();
    const markdown = new StreamingMarkdown(sink, labels);
    for (let length = 1; length <= text.length; length += 1) markdown.update(text.slice(0, length));
    markdown.complete(text);
    expect(sink.shown).toEqual(atOnce(text));
  });

  it('ends the same however it was cut', () => {
    const text = samples.join('\n\n');
    for (const size of [1, 7, 64, 1000]) {
      const sink = screen();
      const markdown = new StreamingMarkdown(sink, labels);
      for (let length = size; length < text.length; length += size) markdown.update(text.slice(0, length));
      markdown.complete(text);
      expect(sink.shown).toEqual(atOnce(text));
    }
  });

  it('ends as if it had come at once, whatever it says and wherever it was cut', () => {
    const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 20 });
    const same = fc.property(randomReply, cuts, (text, lengths) => {
      const sink = screen();
      const markdown = new StreamingMarkdown(sink, labels);
      let length = 0;
      for (const more of lengths) markdown.update(text.slice(0, (length += more)));
      markdown.complete(text);
      expect(sink.shown).toEqual(atOnce(text));
    });
    fc.assert(same, { numRuns: 200 });
  });

  it('is made of blocks whose raw text together is the whole text', () => {
    const whole = fc.property(randomReply, (text) => {
      expect(
        readBlocks(text)
          .blocks.map(({ raw }) => raw)
          .join(''),
      ).toBe(text);
    });
    fc.assert(whole, { numRuns: 200 });
    expect(readBlocks('a\r\n\r\n> b\r\n').blocks.map(({ raw }) => raw)).toEqual(['a\n\n', '> b\n']);
  });

  it('draws finished blocks once: the work grows with the text, not with its square', () => {
    const paragraphs = Array.from({ length: 200 }, (_, index) => `Paragraph ${String(index)} with **some** text.`);
    const text = paragraphs.join('\n\n');
    const sink = screen();
    const markdown = new StreamingMarkdown(sink, labels);
    for (let length = 40; length < text.length; length += 40) markdown.update(text.slice(0, length));
    const flushes = text.length / 40;
    markdown.complete(text);
    expect(sink.drawn).toBeLessThan(flushes * 3);
  });

  it('draws nothing again at the end when nothing has changed before the last block', () => {
    const sink = screen();
    const markdown = new StreamingMarkdown(sink, labels);
    const text = 'One\n\nTwo\n\nThree';
    markdown.update(text);
    const drawn = sink.drawn;
    markdown.complete(text);
    expect(sink.drawn - drawn).toBe(1);
  });
});
