import { describe, expect, it } from 'vitest';
import { parseWelcomeMessage } from '../../../../src/adapters/welcome-message/parse-welcome-message.ts';
import type { WelcomeMessage } from '../../../../src/wire/welcome-message.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

const rules = { imageHosts: ['images.example.com'] };

function parsed(html: string): { readonly message: WelcomeMessage; readonly losses: readonly string[] } {
  const result = parseWelcomeMessage(html, rules);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

/** The tree as HTML, to read it. */
function shown(message: WelcomeMessage): string {
  return message
    .map((node) => {
      if (typeof node === 'string') return node.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const attributes = Object.entries(node.attributes ?? {}).map(([name, value]) => ` ${name}="${value}"`);
      return `<${node.tag}${attributes.join('')}>${shown(node.children ?? [])}</${node.tag}>`;
    })
    .join('');
}

const link = 'rel="noopener noreferrer nofollow"';
const image = 'loading="lazy" referrerpolicy="no-referrer"';

describe('the HTML of welcomeMessage (contract/configuration.md)', () => {
  it.each([
    ['text', 'Hello', 'Hello'],
    ['references', 'R&amp;D &lt;3 &eacute;', 'R&amp;D &lt;3 \u00e9'],
    ['a heart', 'I <3 you', 'I &lt;3 you'],
    [
      'every tag that it may hold',
      '<p>a<br><b>b</b><strong>c</strong><i>d</i><em>e</em><u>f</u><code>g</code><span>h</span></p><ul><li>i</li></ul><ol><li>j</li></ol>',
      '<p>a<br></br><b>b</b><strong>c</strong><i>d</i><em>e</em><u>f</u><code>g</code><span>h</span></p><ul><li>i</li></ul><ol><li>j</li></ol>',
    ],
    ['upper case', '<P>Hi</P>', '<p>Hi</p>'],
    ['tags that were left open', '<ul><li>a<li>b', '<ul><li>a</li><li>b</li></ul>'],
    ['tags in the wrong order', '<b>a<i>b</b>c</i>', '<b>a<i>b</i></b><i>c</i>'],
    [
      'lines and indentation between blocks',
      '<p>a  b</p>\n  <ul>\n <li>c</li>\n</ul>\n',
      '<p>a b</p><ul><li>c</li></ul>',
    ],
    ['a space between words', '<b>a</b> <i>b</i>', '<b>a</b> <i>b</i>'],
    ['a comment', 'a<!-- <script> -->b', 'ab'],
    [
      'a link',
      '<a href="https://x.example/?a=1&amp;b">x</a>',
      `<a href="https://x.example/?a=1&b" ${link} target="_blank">x</a>`,
    ],
    ['a link into the page', '<a href="#help">x</a>', `<a href="#help" ${link} target="_blank">x</a>`],
    ['a mail address', '<a href="MAILTO:a@x.example">x</a>', `<a href="MAILTO:a@x.example" ${link}>x</a>`],
    ['an image of the page', '<img src="/a.png" alt="A">', `<img src="/a.png" alt="A" ${image}></img>`],
    [
      'an image of a listed host',
      '<img src="https://images.example.com/a.png">',
      `<img src="https://images.example.com/a.png" alt="" ${image}></img>`,
    ],
    [
      'a picture inside',
      '<img src="data:image/png;base64,AAAA">',
      `<img src="data:image/png;base64,AAAA" alt="" ${image}></img>`,
    ],
  ])('%s: nothing is lost', (_title, html, expected) => {
    const { message, losses } = parsed(html);
    expect(shown(message)).toBe(expected);
    expect(losses).toEqual([]);
  });

  it.each([
    ['a script', '<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>', ['shows <script> as text']],
    [
      'a table',
      '<table><tr><td>a</td></tr></table>',
      '&lt;table>&lt;tr>&lt;td>a&lt;/td>&lt;/tr>&lt;/table>',
      ['shows <table> as text', 'shows <tr> as text', 'shows <td> as text'],
    ],
    ['a foreign element around others', '<svg><p>a</p></svg>', '&lt;svg><p>a</p>&lt;/svg>', ['shows <svg> as text']],
    ['a tag whose name only begins like one', '<bold>a</bold>', '&lt;bold>a&lt;/bold>', ['shows <bold> as text']],
    ['a tag inside a tag', '<scr<b>ipt>', '&lt;scr<b>ipt></b>', ['shows <scr<b> as text']],
    [
      'an attribute',
      '<p onclick="x()" style="color:red">a</p>',
      '<p>a</p>',
      ['leaves out onclick of <p>', 'leaves out style of <p>'],
    ],
    [
      'a link that runs code',
      '<a href="java&#10;script:alert(1)"><b>x</b></a>',
      '<b>x</b>',
      ['leaves out a link whose address is not http, https, mailto or relative'],
    ],
    [
      'a link to another host without a scheme',
      '<a href="//evil.example">x</a>',
      'x',
      ['leaves out a link whose address is not http, https, mailto or relative'],
    ],
    ['a link to nowhere', '<a>x</a>', 'x', ['leaves out a link whose address is not http, https, mailto or relative']],
    [
      'an image of another host',
      '<img src="https://evil.example/a.png" alt="A cat">',
      'A cat',
      ["leaves out an image that is neither the page's own, of cards.imageHosts over https nor data: of a picture"],
    ],
    [
      'an image that is a document',
      '<img src="data:image/svg+xml,%3Csvg/%3E">',
      '',
      ["leaves out an image that is neither the page's own, of cards.imageHosts over https nor data: of a picture"],
    ],
    [
      'an end that is lost',
      'a<a href="https://x',
      'a',
      ['leaves out its end, which stands inside a tag that is not closed'],
    ],
  ])('%s is not shown as it was meant, and that is said', (_title, html, expected, losses) => {
    const result = parsed(html);
    expect(shown(result.message)).toBe(expected);
    expect(result.losses).toEqual(losses);
  });

  it('is bounded in depth and number, and says what to do', () => {
    const nested = (depth: number): string => '<ul><li>'.repeat(depth / 2);
    expect(parseWelcomeMessage(nested(8), rules).ok).toBe(true);
    const deep = parseWelcomeMessage(`${nested(8)}<b>x`, rules);
    expect(deep).toEqual({
      ok: false,
      reason: 'is nested deeper than 8 elements: say less here, and link to a page that says the rest',
    });
    expect(parseWelcomeMessage('<br>'.repeat(300), rules).ok).toBe(true);
    expect(parseWelcomeMessage('<br>'.repeat(301), rules)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^has more than 300 elements and texts/) as string,
    });
  });

  it('costs little, whatever 10,000 characters hold', () => {
    for (const part of ['<b>', '<b><p>', '<a href=x>', '</p>', '<', '&', '<i><ul><li>'])
      expect(growth(2_500, (size) => parseWelcomeMessage(part.repeat(size / part.length), rules))).toBeLessThan(
        mostGrowth,
      );
  });
});
