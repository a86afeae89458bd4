import { LeftOut } from '../../read-limits.ts';
import { type ReadableText, SectionBuilder } from '../../section.ts';
import { kindOfFormat, type NumberKind, numberText } from './number-format.ts';
import { mainPart, partText, relationsOf, titleOf } from './parts.ts';
import { SheetWriter } from './sheet-rows.ts';
import { elementsIn, readXml, valueOf, type XmlElement, xmlTree } from './xml.ts';
import { ZipFile } from './zip.ts';

/** What all sheets of a workbook share. */
interface Workbook {
  readonly texts: readonly string[];
  /** How the numbers of each style of cells are shown. */
  readonly kinds: readonly NumberKind[];
  readonly isFrom1904: boolean;
}

/**
 * Reads an Excel workbook, sheet by sheet. Of a formula its last result is read; nothing is computed, and no other file is looked at.
 * Hidden sheets, rows and columns, and comments are left out.
 */
export function readXlsx(bytes: Buffer): ReadableText {
  const zip = new ZipFile(bytes, 'Excel workbook');
  const main = mainPart(zip, 'xl/workbook.xml');
  const text = partText(zip, main);
  if (text === undefined) throw new LeftOut('is not a valid Excel workbook');
  const tree = xmlTree(text);
  const relations = relationsOf(zip, main);
  const ofType = (type: string): string | undefined => {
    const part = relations.find((relation) => relation.type === type)?.target;
    return part === undefined ? undefined : partText(zip, part);
  };
  const workbook: Workbook = {
    texts: sharedTexts(ofType('sharedStrings') ?? ''),
    kinds: numberKinds(ofType('styles') ?? ''),
    isFrom1904: [...elementsIn(tree, 'workbookPr')].some(({ attributes }) =>
      /^(?:1|true)$/.test(valueOf(attributes, 'date1904') ?? ''),
    ),
  };
  const builder = new SectionBuilder();
  for (const { attributes } of elementsIn(tree, 'sheet')) {
    if (/^(?:hidden|veryHidden)$/.test(valueOf(attributes, 'state') ?? '')) continue;
    const relation = relations.find(({ id }) => id === valueOf(attributes, 'id'));
    const sheet = relation?.type === 'worksheet' ? partText(zip, relation.target) : undefined;
    if (sheet === undefined) continue;
    builder.heading(1, valueOf(attributes, 'name') ?? '');
    new SheetReader(workbook, new SheetWriter(builder)).read(sheet);
  }
  const sections = builder.sections().filter((section) => section.text !== section.path.at(-1));
  if (sections.length === 0) throw new LeftOut('holds no text');
  return { title: titleOf(zip), sections };
}

/** The texts that cells refer to by their number. Readings of Japanese words are left out. */
function sharedTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let isText = false;
  let isReading = false;
  readXml(xml, {
    open(name) {
      if (name === 'si') texts.push('');
      if (name === 'rPh') isReading = true;
      isText = name === 't' && !isReading;
    },
    text(data) {
      if (isText) texts.push((texts.pop() ?? '') + data);
    },
    close(name) {
      if (name === 'rPh') isReading = false;
      isText = false;
    },
  });
  return texts;
}

function numberKinds(xml: string): readonly NumberKind[] {
  if (xml === '') return [];
  const tree = xmlTree(xml);
  const numberOf = ({ attributes }: XmlElement): number => Number(valueOf(attributes, 'numFmtId') ?? 0);
  const patterns = new Map(
    [...elementsIn(tree, 'numFmt')].map((one) => [numberOf(one), valueOf(one.attributes, 'formatCode')]),
  );
  const [formats] = elementsIn(tree, 'cellXfs');
  return (formats?.children ?? []).map((one) => kindOfFormat(numberOf(one), patterns.get(numberOf(one))));
}

/** Reads the rows of one sheet. */
class SheetReader {
  readonly #workbook: Workbook;
  readonly #writer: SheetWriter;
  readonly #hiddenColumns: { readonly from: number; readonly to: number }[] = [];
  #row = new Map<number, string>();
  #isHiddenRow = false;
  #lastRow = 0;
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #isValue = false;

  constructor(workbook: Workbook, writer: SheetWriter) {
    this.#workbook = workbook;
    this.#writer = writer;
  }

  read(xml: string): void {
    readXml(xml, {
      open: (name, attributes) => this.#open(name, attributes),
      text: (data) => {
        if (this.#isValue) this.#value += data;
      },
      close: (name) => this.#close(name),
    });
    this.#writer.end();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'col' && isTrue(attributes['hidden'])) {
      this.#hiddenColumns.push({ from: Number(attributes['min']) - 1, to: Number(attributes['max']) - 1 });
    } else if (name === 'row') this.#beginRow(attributes);
    else if (name === 'c') {
      this.#column = columnOf(attributes['r'] ?? '') ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#style = Number(attributes['s'] ?? 0);
      this.#value = '';
    }
    this.#isValue = name === 'v' || (name === 't' && this.#type === 'inlineStr');
  }

  #beginRow(attributes: Readonly<Record<string, string>>): void {
    const number = Number(attributes['r'] ?? this.#lastRow + 1);
    if (number > this.#lastRow + 1) this.#writer.row(new Map());
    this.#lastRow = number;
    this.#row = new Map();
    this.#column = -1;
    this.#isHiddenRow = isTrue(attributes['hidden']);
  }

  #close(name: string): void {
    this.#isValue = false;
    if (name === 'row' && !this.#isHiddenRow) this.#writer.row(this.#row);
    if (name !== 'c' || this.#isHiddenRow) return;
    const column = this.#column;
    if (this.#hiddenColumns.some(({ from, to }) => column >= from && column <= to)) return;
    const text = this.#shown().trim();
    if (text !== '') this.#row.set(column, text);
  }

  #shown(): string {
    const { texts, kinds, isFrom1904 } = this.#workbook;
    const kind = kinds[this.#style] ?? 'plain';
    if (kind === 'hidden') return '';
    if (this.#type === 's') return texts[Number(this.#value)] ?? '';
    if (this.#type === 'b') return this.#value === '1' ? 'TRUE' : 'FALSE';
    return this.#type === 'n' ? numberText(this.#value, kind, isFrom1904) : this.#value;
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** The column of an address such as `AB12`, from 0. */
function columnOf(address: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0];
  if (letters === undefined) return undefined;
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
