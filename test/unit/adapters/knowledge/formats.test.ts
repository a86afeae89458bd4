import { describe, expect, it } from 'vitest';
import { ZipFile } from '../../../../src/adapters/knowledge/files/reader/formats/office/zip.ts';
import { readHtml } from '../../../../src/adapters/knowledge/files/reader/formats/html/html.ts';
import { readMarkdown } from '../../../../src/adapters/knowledge/files/reader/formats/markdown.ts';
import { decode } from '../../../../src/adapters/knowledge/files/reader/formats/text.ts';
import { makeChunks } from '../../../../src/adapters/knowledge/files/reader/make-chunks.ts';
import { partLength, splitText } from '../../../../src/adapters/knowledge/files/reader/split-text.ts';
import { bombDocx } from '../../../support/office-files.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

describe('a Markdown document (contract/document-folders.md#files)', () => {
  // proves service-2.11-52
  it('is cut at its headings, each with those above it', () => {
    const { title, sections } = readMarkdown(
      '# The *Shop*\n\nWelcome.\n\nOpening hours\n-------------\n\nNine to five.\n\n### [On Sundays](x.markdown) ###\n\nClosed.\n\n## Alone\n',
    );
    expect(title).toBe('The Shop');
    expect(sections).toEqual([
      { path: ['The Shop'], text: 'Welcome.' },
      { path: ['The Shop', 'Opening hours'], text: 'Nine to five.' },
      { path: ['The Shop', 'Opening hours', 'On Sundays'], text: 'Closed.' },
      { path: ['The Shop', 'Alone'], text: 'Alone' },
    ]);
  });

  it('has no headings in code', () => {
    const code = '```sh\n# no heading\n```\n\n~~~\n# none\n```\n~~~\n\n# Heading\n\ntext';
    expect(readMarkdown(code).sections.map(({ path }) => path)).toEqual([[], ['Heading']]);
  });

  it.each([
    ['one line of hashes', (size: number) => '#'.repeat(size)],
    ['one heading with many spaces', (size: number) => `# a${' '.repeat(size)}b`],
    ['many brackets', (size: number) => `# ${'['.repeat(400)}\n${'[a]('.repeat(size / 5)}`],
    ['lines of dashes', (size: number) => '-\n'.repeat(size / 2)],
  ])('of %s is read in time that grows with its length', (_title, text) => {
    const read = (size: number): void => {
      try {
        readMarkdown(text(size));
      } catch (error) {
        expect(String(error)).toContain('holds no text');
      }
    };
    expect(growth(375_000, read)).toBeLessThan(mostGrowth);
  });
});

describe('an HTML document (contract/document-folders.md#files)', () => {
  it('gives its text by its headings, without scripts, navigation and what is hidden', () => {
    const page = readHtml(
      `<html lang="en-GB"><head><title>Shop</title><style>p{}</style></head><body><nav>Menu</nav><h1>Returns <b>and</b> refunds</h1>
       <p>Thirty   days.<br>No more.</p><script>evil()</script><div hidden>secret</div><h2>How</h2><ul><li>Pack<li>Send</ul>
       <table><tr><td>a</td><td>b</td></tr></table><pre>one\n  two</pre></body>`,
    );
    expect(page).toMatchObject({ title: 'Returns and refunds', language: 'en' });
    expect(page.sections.map(({ path }) => path)).toEqual([['Returns and refunds'], ['Returns and refunds', 'How']]);
    expect(page.sections[0]?.text.split('\n').map((line) => line.trim())).toEqual(['Thirty days.', 'No more.']);
    const how = page.sections[1]?.text ?? '';
    expect(how).toBe('- Pack\n- Send\n\n| a | b |\n| --- | --- |\n\none\n  two');
  });

  it('nested 200,000 deep is read without recursion', () => {
    const page = readHtml(`${'<div>'.repeat(200_000)}deep${'</div>'.repeat(200_000)}`);
    expect(page.sections).toEqual([{ path: [], text: 'deep' }]);
  });
});

describe('the text of a file (contract/document-folders.md#files)', () => {
  it.each([
    ['UTF-8', Buffer.from('é\r\n')],
    ['UTF-8 with a mark', Buffer.from('\ufeffé\n')],
    ['UTF-16', Buffer.from('\ufeffé\n', 'utf16le')],
  ])('may be %s', (_title, bytes) => {
    expect(decode(bytes)).toBe('é\n');
  });

  it('may have the charset that an HTML page declares', () => {
    expect(decode(Buffer.from([0xe9]), 'windows-1252')).toBe('é');
  });
});

describe('a Word document', () => {
  it('says how large it is before it is unpacked (contract/document-folders.md#bad-files)', () => {
    expect(() => new ZipFile(bombDocx(200), 'Word document')).toThrow('unpacks to more than 50 MiB');
    expect(() => new ZipFile(Buffer.from('PK'), 'Word document')).toThrow('is not a valid Word document');
    expect(() => new ZipFile(bombDocx(200, 1_000), 'Word document').read('word/document.xml')).toThrow(
      'is larger than it says',
    );
  });
});

describe('the parts of a document (contract/document-folders.md#files)', () => {
  // proves service-2.11-52
  it('are cut between paragraphs, then sentences, then words, and never through a character', () => {
    const paragraph = 'A sentence of some words stands here. '.repeat(20).trim();
    const parts = splitText([paragraph, paragraph, 'x'.repeat(3_000), '𝒳'.repeat(1_500)].join('\n\n'), 'en');
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(partLength);
    expect(parts[0]).toBe(paragraph);
    expect(parts.join('').isWellFormed()).toBe(true);
    expect(parts.join('').replace(/\s/g, '')).toHaveLength(2 * paragraph.replace(/\s/g, '').length + 3_000 + 3_000);
  });

  it('of a long paragraph end with its sentences', () => {
    const parts = splitText('Here stands one sentence of nine plain words. '.repeat(100), 'en');
    expect(parts.every((part) => part.endsWith('.'))).toBe(true);
  });

  it('carry the tokens of title and headings, and none of addresses', () => {
    const sections = [{ path: ['Shop', 'Returns'], text: 'See [the form](https://example.com/forms) now.' }];
    expect(makeChunks(sections, { title: 'Shop', language: 'en' })).toEqual([
      {
        path: 'Returns',
        page: null,
        text: 'See [the form](https://example.com/forms) now.',
        titleTokens: 'shop return',
        bodyTokens: 'see the form now',
      },
    ]);
  });
});
