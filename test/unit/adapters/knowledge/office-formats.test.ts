import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../src/adapters/knowledge/files/reader/formats/csv.ts';
import { readEml } from '../../../../src/adapters/knowledge/files/reader/formats/eml.ts';
import { readEpub } from '../../../../src/adapters/knowledge/files/reader/formats/office/epub.ts';
import { readOdf } from '../../../../src/adapters/knowledge/files/reader/formats/office/odf.ts';
import { readPptx } from '../../../../src/adapters/knowledge/files/reader/formats/office/pptx.ts';
import { readXlsx } from '../../../../src/adapters/knowledge/files/reader/formats/office/xlsx.ts';
import { readRtf } from '../../../../src/adapters/knowledge/files/reader/formats/rtf.ts';
import { pptxOf, xlsxOf, zipOfTexts } from '../../../support/office-files.ts';

const shape = (text: string, { type = '', hidden = '' } = {}): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="${hidden}"/><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

describe('an Excel workbook (contract/document-folders.md#what-is-read)', () => {
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>From</t></is></c><c r="D1" t="str"><v>Share</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><f>5+6.1</f><v>11.100000000000001</v></c><c r="C2" s="1"><v>45658</v></c><c r="D2" s="2"><v>0.15</v></c></row>';

  // proves service-2.11-47
  it('is read sheet by sheet, with results of formulas, dates and shares as people see them', () => {
    expect(readXlsx(xlsxOf(`<sheetData>${rows}</sheetData>`)).sections).toEqual([
      {
        path: ['Prices'],
        text: '| Plan | Price | From | Share |\n| --- | --- | --- | --- |\n| Koala | 11.1 | 2025-01-01 | 15% |',
      },
    ]);
  });

  // proves service-2.11-35
  it('has no hidden sheets, rows and columns', () => {
    const hidden = '<row r="3" hidden="1"><c r="A3" t="str"><v>secret</v></c></row>';
    const columns = '<cols><col min="2" max="3" hidden="1"/></cols>';
    const { sections } = readXlsx(xlsxOf(`${columns}<sheetData>${rows}${hidden}</sheetData>`));
    expect(sections.map(({ text }) => text)).toEqual(['| Plan | Share |\n| --- | --- |\n| Koala | 15% |']);
  });

  // proves service-2.11-49
  it('never reads another file, and gives of a link to one its last value', () => {
    const link = '<row r="1"><c r="A1"><f>[1]Sheet1!A1</f><v>7</v></c><c r="B1" t="e"><v>#REF!</v></c></row>';
    const more = {
      'xl/externalLinks/externalLink1.xml': '<externalLink/>',
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships><Relationship Id="r9" TargetMode="External" Target="file:///etc/passwd"/></Relationships>',
    };
    expect(readXlsx(xlsxOf(`<sheetData>${link}</sheetData>`, more)).sections[0]?.text).toContain('| 7 | #REF! |');
  });

  // proves service-2.11-49
  it('with entities that grow stays as small as it is written', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>';
    const cell = '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>';
    expect(readXlsx(xlsxOf(cell, { 'xl/sharedStrings.xml': bomb })).sections[0]?.text).not.toContain('aaaa');
  });

  // proves service-2.11-49
  it('with cells far apart is read by its cells', () => {
    const far = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
    expect(readXlsx(xlsxOf(`<sheetData>${far}</sheetData>`)).sections[0]?.text.length).toBeLessThan(100);
  });

  it('that is no workbook is left out', () => {
    expect(() => readXlsx(zipOfTexts({ 'a.txt': 'x' }))).toThrow('is not a valid Excel workbook');
    expect(() => readXlsx(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))).toThrow(
      'is protected by a password',
    );
  });
});

describe('a presentation (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-48
  it('is read slide by slide, without what is hidden, and without its macros', () => {
    const table =
      '<p:graphicFrame><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>All</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/><a:tc><a:txBody><a:p><a:r><a:t>One</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';
    const bytes = pptxOf(
      shape('Opening', { type: 'title' }) +
        shape('Nine to five') +
        shape('secret', { hidden: '1' }) +
        shape('3', { type: 'sldNum' }),
      table,
    );
    expect(readPptx(bytes).sections).toEqual([
      { path: ['Opening'], text: 'Nine to five' },
      { path: [], text: '| All | All | One |\n| --- | --- | --- |' },
    ]);
  });
});

describe('a file of OpenDocument (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-48
  it('is read with headings, lists and tables, without comments and what is hidden', () => {
    const content = `<office:document-content><office:automatic-styles><style:style style:name="T1"><style:text-properties text:display="none"/></style:style></office:automatic-styles><office:body><office:text>
<text:h text:outline-level="1">Fees</text:h><text:p>Per<text:s text:c="1"/>year<office:annotation><text:p>secret</text:p></office:annotation> <text:span text:style-name="T1">secret</text:span></text:p>
<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>Plan</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>11</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>
</office:text></office:body></office:document-content>`;
    expect(readOdf(zipOfTexts({ 'content.xml': content })).sections).toEqual([
      { path: ['Fees'], text: 'Per year \n\n- a\n\n| Plan | 11 | 11 |\n| --- | --- | --- |' },
    ]);
  });
});

describe('a book (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-48
  it('is read chapter by chapter, in its order', () => {
    const book = zipOfTexts({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
      'OPS/book.opf':
        '<package><metadata><dc:title>Of marsupials</dc:title><dc:language>en-AU</dc:language></metadata><manifest><item id="a" href="a.xhtml"/><item id="b" href="b%20c.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
      'OPS/a.xhtml': '<html><head><title/></head><body><h1>Second</h1><p>Wombats<a id="x"/> dig.</p></body></html>',
      'OPS/b c.xhtml': '<?xml version="1.0"?><html><body><h1>First</h1><p>Koalas sleep.</p></body></html>',
    });
    expect(readEpub(book)).toEqual({
      title: 'Of marsupials',
      language: 'en',
      sections: [
        { path: ['First'], text: 'Koalas sleep.' },
        { path: ['Second'], text: 'Wombats dig.' },
      ],
    });
  });
});

describe('a mail (contract/document-folders.md#what-is-read)', () => {
  const head = 'From: Ann <ann@example.com>\r\nTo: Bob <bob@example.com>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n';

  // proves service-2.11-48
  it('is read with who wrote it to whom, and the names of what is attached', async () => {
    const mail = `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>The koala <span style="display:none">secret</span> sleeps.</p>\r\n--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=fees.pdf\r\n\r\nx\r\n--x--\r\n`;
    const { title, sections } = await readEml(Buffer.from(mail));
    expect(title).toBe('Grüße');
    expect(sections.map(({ text }) => text)).toEqual([
      'From: Ann <ann@example.com>\nTo: Bob <bob@example.com>\nAttachments: fees.pdf',
      'The koala sleeps.',
    ]);
  });

  // proves service-2.11-49
  it('with mails within each other is read as far as its limit goes', async () => {
    const within = (depth: number): string =>
      depth === 0
        ? `${head}\r\nThe innermost.\r\n`
        : `${head}Content-Type: multipart/mixed; boundary=b${String(depth)}\r\n\r\n--b${String(depth)}\r\nContent-Type: message/rfc822\r\n\r\n${within(depth - 1)}\r\n--b${String(depth)}--\r\n`;
    expect((await readEml(Buffer.from(within(2)))).sections.at(-1)?.text).toContain('The innermost.');
    const { sections } = await readEml(Buffer.from(within(60)));
    expect(sections.at(-1)?.text).not.toContain('The innermost.');
    expect(sections.at(-1)?.text.match(/Subject/g)?.length).toBeLessThan(25);
  });
});

describe('a text in Rich Text Format (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-48
  it('is read with its tables and letters, without what is hidden', () => {
    const text = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}{\info{\title Fees}}{\*\generator x;}
{\pard\outlinelevel0 Prices\par}\pard Sch\'f6n \u8364?5 {\v secret}{\f1 \'cf\'f0}\par
\trowd\intbl Plan\cell Price\cell\row\trowd\intbl Koala\cell 11\cell\row\pard After.\par}`;
    expect(readRtf(Buffer.from(text, 'latin1'))).toEqual({
      title: 'Fees',
      sections: [
        { path: ['Prices'], text: 'Schön €5 Пр\n\n| Plan | Price |\n| --- | --- |\n| Koala | 11 |\n\nAfter.' },
      ],
    });
  });

  it('nested too deep, or of another kind, is left out', () => {
    expect(() => readRtf(Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}`))).toThrow('is nested deeper than 500 groups');
    expect(() => readRtf(Buffer.from('text'))).toThrow('is not a valid RTF document');
  });
});

describe('a table of lines', () => {
  // proves service-2.11-49
  it('of one column and many characters is left out', () => {
    expect(() => readCsv('word\n'.repeat(500_000))).toThrow('holds more than 2,000,000 characters');
    expect(readCsv('word\n'.repeat(100_000)).sections[0]?.text.split('\n')).toHaveLength(100_000);
  });
});
