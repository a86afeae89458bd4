import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../../src/widget/markdown/plan-blocks.ts';
import { elementsOf, outline } from './plan-text.ts';

const labels = { table: 'Table', code: 'Code' };
const plan = (text: string): ReturnType<typeof planMarkdown> => planMarkdown(text, labels);
const draw = (text: string): string => plan(text).map(outline).join('');

const link = 'rel="noopener noreferrer nofollow" target="_blank"';
const box = 'class="scroll" tabindex="0" role="group"';

describe('Markdown as a plan of nodes', () => {
  it.each([
    ['headings begin below those of the panel', '# A\n\n## B\n\n### C', '<h3>A</h3><h4>B</h4><h5>C</h5>'],
    [
      'headings leave no level out, whatever they begin with (WCAG 1.3.1)',
      '### A\n\n##### B\n\n### C\n\n# D\n\n> ## E',
      '<h3>A</h3><h4>B</h4><h3>C</h3><h3>D</h3><blockquote><h4>E</h4></blockquote>',
    ],
    ['text styles', '**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['a hard line break', 'a  \nb', '<p>a<br></br>b</p>'],
    ['nested lists', '- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['a list that does not begin at one', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['a loose list has paragraphs', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['task lists show their state', '- [x] a\n- [ ] b', '<ul><li>☑ a</li><li>☐ b</li></ul>'],
    // proves wire-21-30
    [
      'a line break in a cell',
      '| a |\n|---|\n| b<br>c<BR/>d |',
      `<div ${box} aria-label="Table"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>b<br></br>c<br></br>d</td></tr></tbody></table></div>`,
    ],
    // proves wire-21-30
    ['and nowhere else', 'b<br>c', '<p>b<br>c</p>'],
    // proves wire-21-30
    ['a range is no struck text', '5~10 and 7~8, 周一~周五和周六~周日', '<p>5~10 and 7~8, 周一~周五和周六~周日</p>'],
    // proves wire-21-30
    [
      'footnotes stand at the end, in the order of their references',
      'One[^b], two[^a], again[^b], none[^c].\n\n[^a]: Second,\nin two lines\n[^b]: **First**\n\n[^d]: unused',
      '<p>One<sup>1</sup>, two<sup>2</sup>, again<sup>1</sup>, none[^c].</p>' +
        '<ol class="footnotes"><li><strong>First</strong></li><li>Second,\nin two lines</li></ol>',
    ],
    [
      'a footnote may refer to another',
      'a[^1]\n\n[^1]: b[^2]\n\n[^2]: c',
      '<p>a<sup>1</sup></p><ol class="footnotes"><li>b<sup>2</sup></li><li>c</li></ol>',
    ],
    ['quotes', '> a\n>\n> b', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['entities are characters', 'a &amp; b &#8212; &lt;c&gt; &bogus;', '<p>a & b — <c> &bogus;</p>'],
    ['but not in code', '`&amp;`', '<p><code>&amp;</code></p>'],
    [
      'a link tells nothing and opens beside',
      '[a](https://x.example/)',
      `<p><a href="https://x.example/" ${link}>a</a></p>`,
    ],
    ['a bare address is a link', 'www.x.example', `<p><a href="https://www.x.example" ${link}>www.x.example</a></p>`],
    // proves wire-7-05
    ['an image is its alternative text', '![a cat](https://x.example/cat.png)', '<p>a cat</p>'],
    [
      'code scrolls in a box of its own and keeps its language',
      '```js\n<b>\n```',
      `<pre ${box} aria-label="Code" data-language="js"><code><b></code></pre>`,
    ],
    [
      'a table scrolls in a box of its own',
      '| a | b |\n|---|--:|\n| 1 | 2 |',
      `<div ${box} aria-label="Table"><table><thead><tr><th scope="col">a</th><th scope="col" class="align-right">b</th></tr>` +
        '</thead><tbody><tr><td>1</td><td class="align-right">2</td></tr></tbody></table></div>',
    ],
  ])('%s', (_title, text, expected) => {
    expect(draw(text)).toBe(expected);
  });

  // proves wire-7-05
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '<style>*{display:none}</style>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java&#115;cript:alert(1))',
    '[a](javascript&colon;alert(1))',
    '[a](java\tscript:alert(1))',
    '[a](<java\nscript:alert(1)>)',
    '[a](&#1;javascript:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](vbscript:msgbox(1))',
    '[a](//evil.example/)',
    '[a](/\\evil.example/)',
    '[a](\\\\evil.example)',
    '[a](file:///etc/passwd)',
    '[a](blob:https://x.example/1)',
    '[a][b]\n\n[b]: javascript:alert(1)',
    '<javascript:alert(1)>',
    '![a](javascript:alert(1))',
    '![a](https://evil.example/?q=secret)',
    '[a](https://x.example/ "\\" onmouseover=\\"alert(1)")',
    '<a href="https://x.example" style="position:fixed">a</a>',
    '```"><img src=x onerror=alert(1)>\ncode\n```',
  ])('takes nothing that runs, loads or disguises itself from %j', (text) => {
    const elements = plan(text).flatMap(elementsOf);
    for (const { tag, attributes } of elements) {
      expect(['script', 'img', 'svg', 'style', 'iframe', 'b', 'object']).not.toContain(tag);
      for (const [name, value] of Object.entries(attributes ?? {})) {
        expect(name).not.toMatch(/^(?:on|style|src)/);
        if (name === 'href') expect(value).toMatch(/^https:\/\/x\.example/);
      }
    }
  });

  // proves wire-7-05
  it('shows HTML as the text it is', () => {
    expect(draw('<b>bold</b>')).toBe('<p><b>bold</b></p>');
    expect(plan('<b>bold</b>')[0]?.children).toEqual(['<b>', 'bold', '</b>']);
  });

  it('shows text that is nested deeper than any reader follows as plain text', () => {
    const text = '>'.repeat(20_000);
    const blocks = plan(text);
    expect(blocks.length).toBeGreaterThan(0);
  });
});
