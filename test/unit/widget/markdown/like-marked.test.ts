import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import { outlineOfHtml, outlineOfPlan } from './html-outline.ts';
import { randomReply } from './random-reply.ts';
import { replies } from './replies.ts';

const ours = (text: string): string => outlineOfPlan(planMarkdown(text, { table: '', code: '' }));
const theirs = (text: string): string => outlineOfHtml(marked.parse(text, { gfm: true, async: false }));

describe('replies as another reader of Markdown sees them', () => {
  it.each(Object.entries(replies))('%s has the same parts', (_title, text) => {
    expect(ours(text)).toBe(theirs(text));
  });

  it('blocks and spans in any order and depth have the same parts', () => {
    const same = fc.property(randomReply, (text) => {
      expect(ours(text)).toBe(theirs(text));
    });
    fc.assert(same, { numRuns: 300 });
  });
});

describe('what other readers of Markdown do not show as people mean it', () => {
  it.each([
    [
      'emphasis ends at the letters of a text without spaces',
      '**「要点」**です',
      '<p><strong>「要点」</strong>です</p>',
    ],
    ['emphasis begins there', '这是**“重点”**，请看', '<p>这是<strong>“重点”</strong>，请看</p>'],
    ['an underscore in such a text is one', '日本_語_です', '<p>日本_語_です</p>'],
    [
      'an address ends before ideographic punctuation',
      '请看https://x.example/a。谢谢',
      '<p>请看<a https://x.example/a>https://x.example/a</a>。谢谢</p>',
    ],
    ['lines between tags are read', '<div>\n**a**\n</div>', '<p><div>\n<strong>a</strong>\n</div></p>'],
    ['a comment is text', '<!-- a -->', '<p><!-- a --></p>'],
  ])('%s', (_title, text, expected) => {
    expect(ours(text)).toBe(expected);
  });
});

describe('the extensions of GitHub (GFM 0.29)', () => {
  it.each([
    [
      'a table needs as many delimiters as it has columns',
      '| a | b |\n|---|\n| 1 | 2 |',
      '<p>| a | b |\n|---|\n| 1 | 2 |</p>',
    ],
    [
      'a short row is filled up, a long one is cut',
      '| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td></td></tr><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    [
      'a pipe after a backslash is part of its cell, in code too',
      '| a |\n|---|\n| b `\\|` c |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b <code>|</code> c</td></tr></tbody></table>',
    ],
    [
      'a table ends where another block begins',
      '| a |\n|---|\n| 1 |\n> b',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table><blockquote><p>b</p></blockquote>',
    ],
    [
      'a table may follow a line of text',
      'a\n| b |\n|---|',
      '<p>a</p><table><thead><tr><th>b</th></tr></thead></table>',
    ],
    ['one tilde strikes like two, three do not', '~a~ ~~b~~ ~~~c~~~', '<p><del>a</del> <del>b</del> ~~~c~~~</p>'],
    ['a tilde before a number strikes nothing', '~5 to ~10', '<p>~5 to ~10</p>'],
    [
      'punctuation after an address belongs to the sentence',
      'See www.x.example/a_(b)). Or (www.x.example)!',
      '<p>See <a https://www.x.example/a_(b)>www.x.example/a_(b)</a>). Or (<a https://www.x.example>www.x.example</a>)!</p>',
    ],
    ['an underscore in a site’s name makes it none', 'www.a_b.example', '<p>www.a_b.example</p>'],
    [
      'a mail address ends with a letter',
      'a.b-c_d@a.b. a@b.c_',
      '<p><a mailto:a.b-c_d@a.b>a.b-c_d@a.b</a>. a@b.c_</p>',
    ],
    ['a task is one in an item only', '[x] a', '<p>[x] a</p>'],
  ])('%s', (_title, text, expected) => {
    expect(ours(text)).toBe(expected);
  });
});
