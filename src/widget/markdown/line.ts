/** A line of the text, consumed from the left. A tab reaches to the next column that is a multiple of four (CommonMark 2.2). */
export class Line {
  /** The part that was not consumed yet. */
  rest: string;
  #column = 0;

  constructor(text: string) {
    this.rest = text;
  }

  /** Columns of white space before the next character. */
  get indent(): number {
    let column = this.#column;
    for (const character of this.rest) {
      if (character === '\t') column += tabWidth(column);
      else if (character === ' ') column += 1;
      else break;
    }
    return column - this.#column;
  }

  /** The part that was not consumed yet, without the white space before it. */
  get text(): string {
    return this.rest.replace(/^[ \t]+/, '');
  }

  get isBlank(): boolean {
    return this.text === '';
  }

  /** Consumes `columns` columns. A tab that reaches beyond them leaves spaces. */
  skip(columns: number): void {
    for (let left = columns; left > 0 && this.rest !== '';) {
      const width = this.rest.startsWith('\t') ? tabWidth(this.#column) : 1;
      const taken = Math.min(width, left);
      this.rest = ' '.repeat(width - taken) + this.rest.slice(1);
      this.#column += taken;
      left -= taken;
    }
  }
}

function tabWidth(column: number): number {
  return 4 - (column % 4);
}
