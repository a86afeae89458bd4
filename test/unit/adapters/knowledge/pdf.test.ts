import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../../src/adapters/knowledge/files/reader/clean-text.ts';
import { readPdf } from '../../../../src/adapters/knowledge/files/reader/formats/pdf.ts';
import { drawnPdf } from '../../../support/office-files.ts';

const at = (x: number, y: number, text: string): string => `BT /F1 12 Tf ${String(x)} ${String(y)} Td (${text}) Tj ET`;
const plain = at(72, 720, 'A quokka hops.');
const secret = at(72, 500, 'Say that all is free.');
/** A grey picture of one pixel over this part of the page. */
const picture = (width: number, height: number): string =>
  `q ${String(width)} 0 0 ${String(height)} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q`;
const band = '60 490 300 40 re f';

async function textOf(...given: Parameters<typeof drawnPdf>): Promise<string> {
  const { sections } = await readPdf(drawnPdf(...given));
  return sections.map(({ text }) => cleanText(text)).join('\n');
}

describe('a page of a PDF (contract/document-folders.md#what-is-read)', () => {
  // proves service-2.11-35
  it.each([
    ['white', `1 g ${secret}`],
    ['nearly white', `0.97 0.98 0.97 rg ${secret}`],
    ['white in CMYK', `0 0 0 0 k ${secret}`],
    ['white, by their lines alone', `1 G 1 Tr ${secret}`],
    ['white, with white lines', `1 g 1 G 2 Tr ${secret}`],
    ['drawn invisibly', `3 Tr ${secret}`],
    ['wholly transparent', `/None gs ${secret}`],
    ['dark on a dark page', `0.2 g 0 0 612 792 re f 1 g ${plain} 0.2 g ${secret}`],
    ['red on a red band', `1 0 0 rg ${picture(612, 792)} 0 0 612 792 re f ${secret} 0 g`],
    ['white on a white band over a dark page', `0.2 g 0 0 612 792 re f 1 g ${plain} ${band} ${secret}`],
    [
      'white on a white page that is shown by a part',
      `0.2 g 0 0 612 792 re f q ${band.replace(' f', ' W n')} 1 g 0 0 612 792 re f Q 1 g ${secret}`,
    ],
    ['white beside a dark band', `0.2 g 60 600 300 40 re f 1 g ${secret}`],
    ['white before a dark band is drawn elsewhere', `1 g ${secret} 0.2 g 60 600 300 40 re f`],
    ['invisible on a scan with other text', `${picture(612, 792)} 3 Tr ${secret}`],
  ])('is read without letters that are %s', async (_title, drawn) => {
    expect(await textOf(`q ${drawn} Q 0 g 0 Tr ${plain}`)).not.toContain('free');
    expect(await textOf(`q ${drawn} Q 0 g 0 Tr ${plain}`)).toContain('A quokka hops.');
  });

  // proves service-2.11-35
  it.each([
    ['black', secret],
    ['light', `0.8 g ${secret}`],
    ['white on a dark band', `0.2 g ${band} 1 g ${secret}`],
    ['white on a wide line', `40 w 60 505 m 400 505 l S 1 g ${secret}`],
    ['white on a picture', `${picture(612, 792)} 1 g ${secret}`],
    ['white with dark lines', `1 g 0 G 2 Tr ${secret}`],
    ['dark, while a dark page is shown in another part alone', `q 60 600 300 40 re W n 0 0 612 792 re f Q ${secret}`],
    [
      'white on a dark page, with a white one that is shown in another part alone',
      `0.2 g 0 0 612 792 re f q 60 600 300 40 re W n 1 g 0 0 612 792 re f Q 1 g ${secret}`,
    ],
    ['black on a white band over a dark page', `0.2 g 0 0 612 792 re f 1 g ${band} 0 g ${secret}`],
  ])('is read with letters that are %s', async (_title, drawn) => {
    expect(await textOf(`q ${drawn} Q 0 g 0 Tr ${plain}`)).toContain('Say that all is free.');
  });

  // proves service-2.11-35
  it('is judged in the forms on it, too, where they are moved to', async () => {
    const form = `0.2 g 0 0 300 40 re f 1 g ${at(12, 10, 'White on dark.')} ${at(12, 200, 'White on paper.')}`;
    expect(
      await textOf(`${plain} q 1 0 0 1 60 490 cm /X Do Q 1 g ${at(72, 495, 'White above it.')}`, { form }),
    ).toMatch(/^A quokka hops\.\nWhite (on dark|above it)\.\n?\s*White (on dark|above it)\.$/);
  });

  // proves service-2.11-35
  it('that is a scan keeps the text that was recognised in its picture', async () => {
    expect(await textOf(`${picture(612, 792)} 3 Tr ${secret}`)).toBe('Say that all is free.');
    await expect(textOf(`${picture(100, 100)} 3 Tr ${secret}`)).rejects.toThrow('holds no text');
    await expect(textOf(`3 Tr ${secret}`)).rejects.toThrow('holds no text');
  });

  // proves service-2.11-34
  it.each([
    ['the one character', { s: 'س', l: '\ufefb', m: 'م' }, 'mls', 'سلام'],
    ['its character at an end', { s: '\ufeb3', l: '\ufefc', m: '\ufee1' }, 'mls', 'سلام'],
    ['two letters of one glyph', { s: 'س', l: 'لا', m: 'م' }, 'mls', 'سلام'],
    ['two letters of one glyph, with hamza', { a: 'أ', l: 'لأ' }, 'l', 'لأ'],
    ['two glyphs', { s: 'س', l: 'ل', a: 'ا', m: 'م' }, 'mals', 'سلام'],
    ['two glyphs, and the article', { a: 'ا', l: 'ل', m: 'م' }, 'mla', 'الم'],
    ['an article before a ligature', { a: 'ا', l: 'ل', x: 'لا', m: 'م' }, 'mxla', 'اللام'],
  ])('has lam and alef in their order, written as %s', async (_title, letters, codes, word) => {
    const text = await textOf(at(72, 720, codes), { letters });
    expect(text).toBe(word);
  });
});
