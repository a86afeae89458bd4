import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../../src/adapters/knowledge/files/reader/clean-text.ts';
import { readHtml } from '../../../../src/adapters/knowledge/files/reader/formats/html/html.ts';
import { joinCutWords } from '../../../../src/adapters/knowledge/files/reader/formats/join-cut-words.ts';
import { readMarkdown, readMdx } from '../../../../src/adapters/knowledge/files/reader/formats/markdown.ts';
import { readDocx } from '../../../../src/adapters/knowledge/files/reader/formats/office/docx.ts';
import { decode } from '../../../../src/adapters/knowledge/files/reader/formats/text.ts';
import { questionTerms } from '../../../../src/adapters/shared/words/question-terms.ts';
import { tokensOf } from '../../../../src/adapters/shared/words/words.ts';
import { docxOfXml } from '../../../support/office-files.ts';

function textOfHtml(html: string): string {
  return readHtml(html)
    .sections.map(({ text }) => text)
    .join('\n\n');
}

function textOfMarkdown(text: string): string {
  return readMarkdown(text)
    .sections.map((section) => section.text)
    .join('\n\n');
}

async function textOfWord(body: string, more: Readonly<Record<string, string | Buffer>> = {}): Promise<string> {
  const { sections } = await readDocx(docxOfXml(body, more));
  return sections.map(({ text }) => text).join('\n\n');
}

const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

describe('hidden text (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-35
  it.each([
    ['with the attribute hidden', '<div hidden>secret</div>'],
    ['that is not displayed', '<div style="Display : none !important">secret</div>'],
    ['that is not visible', '<span style="visibility:hidden">secret</span>'],
    ['of no size', '<span style="font-size:0">secret</span>'],
    ['that lets everything through', '<span style="opacity: 0">secret</span>'],
    ['outside of the page', '<p style="position:absolute; left:-9999px">secret</p>'],
    ['white on white', '<p style="color:#fff">secret</p>'],
    ['nearly white on white', '<p style="color:rgb(254, 254, 254)"><b>secret</b></p>'],
    ['in the colour of its ground', '<p style="background:navy; color:#000080">secret</p>'],
    ['in the colour of an old element', '<font color="white">secret</font>'],
    ['that a style of the page hides', '<style>.x, .y { color: red; display: none }</style><p class="a x">secret</p>'],
    ['in a comment', '<!-- secret -->'],
  ])('of a page is not read: text %s', (_title, html) => {
    expect(textOfHtml(`<body>seen ${html}</body>`)).toBe('seen');
  });

  it.each([
    ['white on a dark ground', '<p style="background:#003"><span style="color:white">seen</span></p>'],
    ['white on a picture', '<p style="background:url(a.png)"><span style="color:white">seen</span></p>'],
    ['white on a dark cell', '<table><tr><td bgcolor="#000080"><font color="#ffffff">seen</font></table>'],
    [
      'that another style of the page shows',
      '<style>.tab{display:none} .tab.on{display:block}</style><p class="tab on">seen</p>',
    ],
    ['of a usual size', '<p style="font-size:1em">seen</p>'],
  ])('of a page is nothing else: text %s is read', (_title, html) => {
    expect(textOfHtml(html)).toBe('seen');
  });

  // proves service-2.11-35
  it.each([
    ['in a comment', 'seen <!-- secret -->'],
    ['in a comment of several lines', 'seen\n\n<!--\nsecret\n\nsecret -->'],
    ['in a comment without an end', 'seen\n<!-- secret\n\nsecret'],
    ['in a link that leads nowhere', 'seen\n\n[//]: # (secret)\n[comment]: <> (secret)'],
    ['in a hidden element', 'seen <span style="display:none">secret <span>secret</span></span>'],
    ['in a hidden element of several lines', 'seen\n<div hidden>\n\n# secret\n\n```\nsecret\n```\n</div>'],
  ])('of Markdown is not read: text %s', (_title, text) => {
    expect(textOfMarkdown(text)).toBe('seen');
  });

  it('of Markdown is not taken for such in code', () => {
    const text = 'Write `<!-- x -->` or\n\n```html\n<div hidden>x</div>\n<!-- y -->\n```';
    expect(textOfMarkdown(text)).toBe(text);
  });

  // proves service-2.11-35
  it.each([
    ['hidden', run('secret', '<w:vanish/>')],
    ['of a hidden style', run('secret', '<w:rStyle w:val="Mine"/>')],
    ['white on white', run('secret', '<w:color w:val="FFFFFF"/>')],
    ['of one point', run('secret', '<w:sz w:val="2"/>')],
  ])('of Word is not read: text %s', async (_title, body) => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="Mine"><w:basedOn w:val="Base"/></w:style><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>';
    expect(await textOfWord(`<w:p>${run('seen ')}${body}</w:p>`, { 'word/styles.xml': styles })).toBe('seen');
  });

  it.each([
    ['that is hidden no more', run('seen', '<w:vanish w:val="0"/>')],
    ['white on a highlight', run('seen', '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>')],
  ])('of Word is nothing else: text %s is read', async (_title, body) => {
    expect(await textOfWord(`<w:p>${body}</w:p>`)).toBe('seen');
  });

  it('in letters that no screen draws is not read', () => {
    const tags = Array.from('secret', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(cleanText(`seen${tags}`)).toBe('seen');
  });

  // proves service-2.11-79
  it('cannot be made by a style map within a Word document', async () => {
    const map = { 'mammoth/style-map': 'p => h1:fresh' };
    expect(await textOfWord(`<w:p>${run('seen')}</w:p><w:p>${run('too')}</w:p>`, map)).toBe('seen\n\ntoo');
  });
});

describe('what stands in a text (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-38
  it('of Word are formulas in one line, and marks of boxes', async () => {
    const math =
      '<m:oMathPara><m:oMath><m:r><m:t>A=π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara>';
    expect(await textOfWord(`<w:p>${math}</w:p>`)).toBe('A=πr^2(a+b)/c');
  });

  // proves service-2.11-37
  it('of Word may be UTF-16', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>${run('dingo')}</w:p></w:body></w:document>`;
    expect(await textOfWord('', { 'word/document.xml': Buffer.from(`\ufeff${xml}`, 'utf16le') })).toBe('dingo');
  });

  // proves service-2.11-38
  it('of a page are the levels and numbers of lists, and boxes', () => {
    const list =
      '<ol start=3><li><p>a</p><ul><li><input type=checkbox checked>b<li><input type=checkbox>c</ul><li value=9>d</ol><ol type=a><li>e</ol>';
    expect(textOfHtml(list)).toBe('3. a\n  - ☒ b\n  - ☐ c\n9. d\n\na. e');
  });

  // proves service-2.11-38
  it('of a page are terms with their descriptions, and labels apart', () => {
    expect(textOfHtml('<dl><dt>CSS<dd>Styles<dt>JS<dd>Scripts</dl>')).toBe('CSS\nStyles\n\nJS\nScripts');
    expect(
      textOfHtml('<span class="selected-value">home office</span><span class="selected-value">coffee</span>'),
    ).toBe('home office coffee');
  });

  it('of MDX are no statements of its program', () => {
    const text = "import A from 'a'\nexport const b = {\n  c: 1,\n}\n\n# Title\n\n{/* secret */}Text <A/>\n";
    expect(readMdx(text).sections).toEqual([{ path: ['Title'], text: 'Text <A/>' }]);
  });

  // proves service-2.11-34
  it('may be a heading alone', () => {
    expect(readMarkdown('# Opening hours nine to five').sections).toEqual([
      { path: ['Opening hours nine to five'], text: 'Opening hours nine to five' },
    ]);
    expect(readMarkdown('# A\n# B\n\ntext').sections.map(({ text }) => text)).toEqual(['A', 'text']);
  });
});

describe('the encoding of a text (contract/document-folders.md#what-is-read)', () => {
  const words = 'schöne Grüße, 3,50 € für Kaffee';

  // proves service-2.11-37
  it.each([
    ['windows-1252', Buffer.from('sch\xf6ne Gr\xfc\xdfe, 3,50 \x80 f\xfcr Kaffee', 'latin1')],
    ['UTF-16 without a mark', Buffer.from(words, 'utf16le')],
    ['UTF-16 of the other order without a mark', Buffer.from(words, 'utf16le').swap16()],
    ['UTF-32', Buffer.from(Uint32Array.from(Array.from(`\ufeff${words}`, (one) => one.codePointAt(0) ?? 0)).buffer)],
  ])('may be %s', (_title, bytes) => {
    expect(decode(bytes)).toBe(words);
  });

  it.each([
    ['Russian in a code page of its own', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0])],
    ['bytes that no character has', Buffer.from('text \x81\x8d', 'latin1')],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0xfe])],
  ])('is not guessed from %s', (_title, bytes) => {
    expect(() => decode(bytes)).toThrow(/is not (?:valid utf-8 )?text/);
  });
});

describe('a word (contract/document-folders.md#scores)', () => {
  // proves service-2.11-34
  it.each([
    ['soft hyphens', 'Daten\u00adschutz\u00aderklärung'],
    ['spaces of no width', 'Daten\u200bschutz\u2060erklärung'],
    ['marks beside its letters', 'Datenschutzerkla\u0308rung'],
    ['wide letters', 'Ｄａｔｅｎschutzerklärung'],
  ])('is the same with %s', (_title, written) => {
    expect(tokensOf(written, 'de')).toEqual(tokensOf('Datenschutzerklärung', 'de'));
    expect(cleanText(written)).not.toMatch(/\u00ad|\u200b|\u2060|\u0308/);
  });

  it('has its plain letters where a font joins them', () => {
    expect(cleanText('e\ufb03cient \ufefb \uf0b7 x\ue001')).toBe('efficient لا • x');
  });

  // proves service-2.11-34
  it('that is cut at the end of a line is whole', () => {
    expect(joinCutWords('the exploi-\ntation of well-\nknown and well-known A-\n12')).toBe(
      'the exploitation of well-known and well-known A-\n12',
    );
  });

  // proves service-2.11-78
  it('with hyphens is found without them, and one without is found with them', () => {
    expect(tokensOf('Die E-Mail-Adresse', 'de')).toContain('emailadress');
    expect(questionTerms('E-Mail', ['en']).map(({ variants }) => variants)).toEqual([
      ['e', 'email'],
      ['mail', 'email'],
    ]);
    expect(tokensOf('2024-05-01', 'en')).toEqual(['2024', '05', '01']);
  });
});
