import { LeftOut, readLimits } from './read-limits.ts';
import { tableText } from './table-text.ts';

/** Text under one heading. */
export interface Section {
  /** The headings above the text, the outermost first. */
  readonly path: readonly string[];
  readonly text: string;
  /** The page of a PDF, counted from 1. */
  readonly page?: number;
}

/** The content of a file, as the reader of its format returns it. */
export interface ReadableText {
  /** The title that the document gives itself. */
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  readonly sections: readonly Section[];
}

const longestHeading = 200;

/** Where the reader of a format writes what it reads, from the start of the document to its end. */
export interface TextTarget {
  add(text: string): void;
  heading(level: number, text: string): void;
}

/** Puts sections together while a document is read from its start to its end. */
export class SectionBuilder implements TextTarget {
  readonly #sections: Section[] = [];
  #headings: { readonly level: number; readonly text: string }[] = [];
  #lines: string[] = [];
  #characters = 0;

  /** @throws LeftOut when the document has too many characters. */
  add(text: string): void {
    this.#characters += text.length;
    if (this.#characters > readLimits.characters) throw tooManyCharacters();
    this.#lines.push(text);
  }

  /** Ends the section. The text that follows stands under this heading. */
  heading(level: number, text: string): void {
    this.#close(level);
    const above = this.#headings.filter((heading) => heading.level < level);
    this.#headings = [...above, { level, text: text.trim().slice(0, longestHeading) }].filter(
      (heading) => heading.text !== '',
    );
    this.#isNewHeading = true;
  }

  #isNewHeading = false;

  /** Adds a table as a paragraph of its own. */
  table(rows: readonly (readonly string[])[]): void {
    const text = tableText(rows);
    if (text !== '') this.add(`\n\n${text}\n\n`);
  }

  sections(): readonly Section[] {
    this.#close(this.#sections.length === 0 ? 0 : 2);
    return this.#sections;
  }

  /**
   * Ends the section before a heading of level `next`. A heading without a text becomes a text of its own, unless it is the first one and
   * more headings follow below it: then it is the title.
   */
  #close(next: number): void {
    const text = this.#lines
      .join('')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    const path = this.#headings.map((heading) => heading.text);
    this.#lines = [];
    const isTitle = path.length === 1 && (this.#headings[0]?.level ?? 0) < next;
    if (text !== '') this.#sections.push({ path, text });
    else if (this.#isNewHeading && path.length > 0 && !isTitle) this.#sections.push({ path, text: path.at(-1) ?? '' });
    this.#isNewHeading = false;
  }
}

/** The fault of a document with too many characters. */
export function tooManyCharacters(): LeftOut {
  return new LeftOut(`holds more than ${readLimits.characters.toLocaleString('en')} characters`, { why: 'costly' });
}
