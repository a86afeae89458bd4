import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, SectionBuilder } from '../section.ts';
import { TableGrid } from '../table-text.ts';

/** Groups that hold no text of the document. A group that begins with `\*` is of this kind too. */
const skipped: ReadonlySet<string> = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'objdata', 'generator', 'listtable', 'listoverridetable'],
  ...['rsidtbl', 'themedata', 'datastore', 'fldinst', 'nonshppict', 'xmlnstbl', 'header', 'headerl', 'headerr'],
  ...[
    'headerf',
    'footer',
    'footerl',
    'footerr',
    'footerf',
    'annotation',
    'atnid',
    'atnauthor',
    'revtbl',
    'latentstyles',
  ],
  ...['bkmkstart', 'bkmkend', 'filetbl', 'xe', 'tc', 'private', 'template', 'ftnsep', 'ftnsepc', 'aftnsep', 'aftnsepc'],
]);

const signs: Readonly<Record<string, string>> = {
  ...{ par: '\n\n', line: '\n', sect: '\n\n', page: '\n\n', tab: '\t', emdash: '—', endash: '–', bullet: '•' },
  ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', emspace: ' ', enspace: ' ', qmspace: ' ' },
};

/** The code pages of the character sets that a font may have. */
const charsets: Readonly<Record<number, string>> = {
  ...{
    0: 'windows-1252',
    77: 'macintosh',
    128: 'shift_jis',
    129: 'euc-kr',
    134: 'gbk',
    136: 'big5',
    161: 'windows-1253',
  },
  ...{ 162: 'windows-1254', 163: 'windows-1258', 177: 'windows-1255', 178: 'windows-1256', 186: 'windows-1257' },
  ...{ 204: 'windows-1251', 222: 'windows-874', 238: 'windows-1250' },
};

const token = /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/giy;

const deepest = 500;

interface Group {
  readonly isSkipped: boolean;
  readonly isHidden: boolean;
  readonly font: number;
  /** How many characters follow a Unicode character for readers that do not know Unicode. */
  readonly fallback: number;
}

/** Reads a text in Rich Text Format. Pictures, comments, headers, footers and hidden text are left out. */
export function readRtf(bytes: Buffer): ReadableText {
  const text = bytes.toString('latin1');
  if (!/^\s{0,9}\{\\rtf/.test(text.slice(0, 20))) throw new LeftOut('is not a valid RTF document');
  const reader = new RtfReader();
  reader.read(text);
  const sections = reader.builder.sections();
  if (sections.length === 0) throw new LeftOut('holds no text');
  return { title: reader.title, sections };
}

class RtfReader {
  readonly builder = new SectionBuilder();
  title: string | undefined;
  #group: Group = { isSkipped: false, isHidden: false, font: -1, fallback: 1 };
  readonly #outer: Group[] = [];
  readonly #fonts = new Map<number, string>();
  #codePage = 'windows-1252';
  /** What is collected beside the text: the font whose facts are read, and the words of the title. */
  #tableFont = -1;
  #place: 'text' | 'fonts' | 'title' = 'text';
  #bytes: number[] = [];
  #leftOut = 0;
  #paragraph = '';
  #level = -1;
  #isInTable = false;
  #row: string[] = [];
  #rows: string[][] = [];

  read(text: string): void {
    token.lastIndex = 0;
    for (let found = token.exec(text); found !== null; found = token.exec(text)) {
      const [, word, number, byte, sign, brace, plain] = found;
      if (byte !== undefined) this.#byte(parseInt(byte, 16));
      else {
        this.#flushBytes();
        if (word !== undefined) {
          if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0));
          else this.#word(word, number === undefined ? undefined : Number(number));
        } else if (sign !== undefined) this.#sign(sign);
        else if (brace === '{') this.#begin();
        else if (brace === '}') this.#end();
        else if (plain !== undefined) this.#plain(plain);
      }
    }
    this.#flushBytes();
    this.#endParagraph();
    this.#endTable();
  }

  #begin(): void {
    if (this.#outer.length > deepest) throw new LeftOut(`is nested deeper than ${String(deepest)} groups`);
    this.#outer.push(this.#group);
  }

  #end(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    if (!outer.isSkipped) this.#place = 'text';
    this.#group = outer;
  }

  #set(change: Partial<Group>): void {
    this.#group = { ...this.#group, ...change };
  }

  #word(word: string, number: number | undefined): void {
    if (word === 'fonttbl') this.#place = 'fonts';
    if (word === 'title') this.#place = 'title';
    if (skipped.has(word)) this.#set({ isSkipped: true });
    const sign = signs[word];
    if (sign !== undefined) this.#write(sign);
    else if (word === 'u') this.#unicode(number ?? 0);
    else if (word === 'f' && this.#place === 'fonts') this.#tableFont = number ?? 0;
    else if (word === 'fcharset') this.#fonts.set(this.#tableFont, charsets[number ?? 0] ?? this.#codePage);
    else if (word === 'ansicpg') this.#codePage = pageOf(number ?? 1_252);
    else if (word === 'f') this.#set({ font: number ?? 0 });
    else if (word === 'uc') this.#set({ fallback: Math.max(0, number ?? 1) });
    else if (word === 'v' || word === 'deleted') this.#set({ isHidden: number !== 0 });
    else if (word === 'plain') this.#set({ isHidden: false });
    else if (!this.#group.isSkipped) this.#layout(word, number);
  }

  #layout(word: string, number: number | undefined): void {
    if (word === 'pard') {
      this.#level = -1;
      this.#isInTable = false;
    } else if (word === 'intbl') this.#isInTable = true;
    else if (word === 'outlinelevel') this.#level = number ?? 0;
    else if (word === 'cell' || word === 'nestcell') {
      this.#row.push(this.#paragraph);
      this.#paragraph = '';
    } else if (word === 'row' || word === 'nestrow') {
      if (this.#row.length > 0) this.#rows.push(this.#row);
      this.#row = [];
    }
  }

  #sign(sign: string): void {
    if (sign === '*') this.#set({ isSkipped: true });
    else if (sign === '~') this.#write(' ');
    else if (sign === '_') this.#write('-');
    else if (sign === '\n' || sign === '\r') this.#write('\n\n');
    else if (/[\\{}]/.test(sign)) this.#write(sign);
  }

  #plain(text: string): void {
    const begin = Math.min(this.#leftOut, text.length);
    this.#leftOut -= begin;
    this.#write(text.slice(begin));
  }

  #byte(byte: number): void {
    if (this.#leftOut > 0) this.#leftOut -= 1;
    else this.#bytes.push(byte);
  }

  #flushBytes(): void {
    if (this.#bytes.length === 0) return;
    const page = this.#fonts.get(this.#group.font) ?? this.#codePage;
    const text = new TextDecoder(page).decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#write(text);
  }

  #unicode(number: number): void {
    this.#write(String.fromCharCode(number < 0 ? number + 65_536 : number));
    this.#leftOut = this.#group.fallback;
  }

  #write(text: string): void {
    if (this.#place === 'title') {
      this.title = `${this.title ?? ''}${text}`.slice(0, 300);
      return;
    }
    if (this.#group.isSkipped || this.#group.isHidden) return;
    if (text !== '\n\n' || this.#isInTable) {
      this.#paragraph += text === '\n\n' ? ' ' : text;
      if (this.#paragraph.length > readLimits.characters) this.#endParagraph();
    } else this.#endParagraph();
  }

  #endParagraph(): void {
    const text = this.#paragraph;
    this.#paragraph = '';
    if (text.trim() === '') return;
    this.#endTable();
    if (this.#level >= 0 && this.#level < 9) this.builder.heading(this.#level + 1, text.replace(/\s+/g, ' '));
    else this.builder.add(`${text}\n\n`);
  }

  #endTable(): void {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const grid = new TableGrid();
    for (const row of rows) {
      grid.row();
      for (const cell of row) grid.cell(cell);
    }
    this.builder.table(grid.rows());
  }
}

function pageOf(number: number): string {
  const known: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    10_000: 'macintosh',
    65_001: 'utf-8',
  };
  return known[number] ?? (number >= 1_250 && number <= 1_258 ? `windows-${String(number)}` : 'windows-1252');
}
