import { Parser } from 'htmlparser2';
import { type FormulaPart, linearFormula } from './formula.ts';
import { elementsIn, valueOf, type XmlElement, xmlTree } from './xml.ts';

/** A part of a Word document that holds none of these is passed on as it is. */
const telling = /:vanish|oMath|w:color|w:sz |w:softHyphen|w:noBreakHyphen|Style /;

type Attributes = Readonly<Record<string, string>>;

interface Run {
  readonly written: string[];
  isHidden: boolean;
  isWhite: boolean;
  hasGround: boolean;
}

type Formula = { -readonly [Key in keyof FormulaPart]: FormulaPart[Key] } & { readonly children: Formula[] };

/** The names of the styles in `word/styles.xml` whose text is hidden. */
export function hiddenStyles(styles: string): ReadonlySet<string> {
  if (!styles.includes(':vanish')) return new Set();
  const found = [...elementsIn(xmlTree(styles), 'style')];
  const hidden = new Set<string>();
  const isHiding = (style: XmlElement): boolean =>
    style.children.some(
      ({ name, children }) => name === 'rPr' && children.some((one) => one.name === 'vanish' && isOn(one.attributes)),
    ) ||
    style.children.some(({ name, attributes }) => name === 'basedOn' && hidden.has(valueOf(attributes, 'val') ?? ''));
  // A style may stand before the one that it is based on.
  for (let before = -1; before < hidden.size;) {
    before = hidden.size;
    for (const style of found) if (isHiding(style)) hidden.add(valueOf(style.attributes, 'styleId') ?? '');
  }
  return hidden;
}

/**
 * Rewrites a part of a Word document for a reader that knows neither hidden text nor formulas: hidden runs are gone, and formulas are text.
 * White letters are hidden where nothing paints another ground behind them.
 */
export function readableWordXml(xml: string, hidden: ReadonlySet<string>): string {
  if (!telling.test(xml)) return xml;
  const rewriting = new Rewriting(hidden);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => rewriting.open(name, attributes),
      ontext: (text) => rewriting.text(text),
      onclosetag: (name) => rewriting.close(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return rewriting.result();
}

class Rewriting {
  readonly #hidden: ReadonlySet<string>;
  readonly #written: string[] = ['<?xml version="1.0" encoding="UTF-8"?>'];
  readonly #names: string[] = [];
  readonly #runs: Run[] = [];
  /** For each open paragraph: whether its style hides it, and whether it is painted. */
  readonly #paragraphs: { isHidden: boolean; hasGround: boolean }[] = [];
  /** How many tables and text boxes are open. They may paint their ground in many ways. */
  #grounds = 0;
  readonly #formula: Formula[] = [];

  constructor(hidden: ReadonlySet<string>) {
    this.#hidden = hidden;
  }

  result(): string {
    return this.#written.join('');
  }

  open(fullName: string, attributes: Attributes): void {
    const name = plain(fullName);
    if (this.#formula.length > 0 || name === 'oMath') {
      this.#openFormula(name, attributes);
      return;
    }
    // A reader that does not know formulas would leave out what stands in their paragraph.
    if (name === 'oMathPara') return;
    const parent = this.#names.at(-1) ?? '';
    const grandparent = this.#names.at(-2) ?? '';
    this.#names.push(name);
    if (name === 'p' && fullName !== 'a:p') this.#paragraphs.push({ isHidden: false, hasGround: false });
    if (name === 'tbl' || name === 'txbxContent') this.#grounds += 1;
    if (name === 'r' && fullName !== 'a:r') {
      const isHidden = this.#paragraphs.at(-1)?.isHidden === true;
      this.#runs.push({ written: [], isHidden, isWhite: false, hasGround: false });
    }
    if (parent === 'rPr' && grandparent === 'r') this.#property(name, attributes);
    if (parent === 'pPr' && grandparent === 'p') this.#paragraphProperty(name, attributes);
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    this.#write(`<${fullName}${written.join('')}>`);
  }

  text(text: string): void {
    const part = this.#formula.at(-1);
    if (part !== undefined) part.text += text;
    else this.#write(escaped(text));
  }

  close(fullName: string): void {
    if (this.#formula.length > 0) {
      this.#closeFormula();
      return;
    }
    if (plain(fullName) === 'oMathPara') return;
    const name = this.#names.pop();
    this.#write(`</${fullName}>`);
    if (name === 'p' && fullName !== 'a:p') this.#paragraphs.pop();
    if (name === 'tbl' || name === 'txbxContent') this.#grounds -= 1;
    if (name !== 'r' || fullName === 'a:r') return;
    const run = this.#runs.pop();
    if (run === undefined) return;
    const isUnseen =
      run.isWhite && !run.hasGround && this.#grounds === 0 && this.#paragraphs.at(-1)?.hasGround !== true;
    if (!run.isHidden && !isUnseen) this.#write(run.written.join(''));
  }

  #property(name: string, attributes: Attributes): void {
    const run = this.#runs.at(-1);
    if (run === undefined) return;
    const value = valueOf(attributes, 'val') ?? '';
    if (name === 'vanish') run.isHidden = isOn(attributes);
    else if (name === 'rStyle' && this.#hidden.has(value)) run.isHidden = true;
    else if (name === 'color' && /^(?:f[c-f]){3}$/i.test(value)) run.isWhite = true;
    else if (name === 'sz' && Number(value) < 4) run.isHidden = true;
    else if (name === 'highlight' || name === 'shd') run.hasGround = true;
  }

  #paragraphProperty(name: string, attributes: Attributes): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    if (name === 'shd') paragraph.hasGround = true;
    if (name === 'pStyle' && this.#hidden.has(valueOf(attributes, 'val') ?? '')) paragraph.isHidden = true;
  }

  #openFormula(name: string, attributes: Attributes): void {
    const part: Formula = { name, text: '', children: [], sign: valueOf(attributes, 'val') };
    this.#formula.at(-1)?.children.push(part);
    this.#formula.push(part);
  }

  #closeFormula(): void {
    const part = this.#formula.pop();
    if (part === undefined || this.#formula.length > 0) return;
    this.#write(`<w:r><w:t xml:space="preserve">${escaped(linearFormula(part))}</w:t></w:r>`);
  }

  #write(text: string): void {
    (this.#runs.at(-1)?.written ?? this.#written).push(text);
  }
}

/** Whether a property that is there is not switched off. */
function isOn(attributes: Attributes): boolean {
  return !/^(?:0|false|off)$/i.test(valueOf(attributes, 'val') ?? '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function plain(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
