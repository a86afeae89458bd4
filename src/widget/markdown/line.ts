/** A line of the text, taken from the left. A tab reaches to the next column that four divides (CommonMark 2.2). */
export class Line {
  /** What is not yet taken. */
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

  /** What is not yet taken, without the white space before it. */
  get text(): string {
    return this.rest.replace(/^[ \t]+/, '');
  }

  get isBlank(): boolean {
    return this.text === '';
  }

  /** Takes so many columns; what a tab has beyond them stays as spaces. */
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
