import { parseFragment } from 'parse5';

/** What begins code or a comment, elements of HTML and entities, as they stand in a line of Markdown. */
const markup =
  /`|<!--|\{\/\*|<(\/?)([a-z][a-z0-9-]{0,30})(\s[^<>]{0,1000})?>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;

const hiddenAttribute = /\shidden(?:[\s=/]|$)/i;
const hidingStyle = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0(?![.\d])/i;

const voids = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** A line that only seems to define a link: people write comments so. */
const commentLine = /^ {0,3}\[[^\]\n]{1,100}\]:[ \t]{0,9}(?:#|<>)[ \t]{0,9}(?:$|["'(])/;

/** Takes away from Markdown what nobody sees of it when it is shown: comments and hidden elements of HTML. Call it line by line. */
export class UnseenMarkup {
  readonly #isMdx: boolean;
  /** What ends the comment that the line before has begun. */
  #commentEnd: string | undefined;
  /** The hidden element that the line before has begun, and how many of its kind are open. */
  #hidden: { readonly name: string; open: number } | undefined;
  #isCode = false;

  constructor({ isMdx }: { readonly isMdx: boolean }) {
    this.#isMdx = isMdx;
  }

  /** Whether the line before is within something that nobody sees. */
  get isWithin(): boolean {
    return this.#commentEnd !== undefined || this.#hidden !== undefined || this.#isCode;
  }

  /** The line as it is seen. Undefined: nothing of it is seen. */
  seen(line: string): string | undefined {
    if (this.#isMdx && this.#isProgram(line)) return undefined;
    if (!this.isWithin && commentLine.test(line)) return undefined;
    if (!this.isWithin && !/[<&]|\{\/\*/.test(line)) return line;
    const shown = this.#strip(line);
    return shown.trim() === '' && line.trim() !== '' ? undefined : shown;
  }

  /** MDX holds statements of a program, each up to an empty line. */
  #isProgram(line: string): boolean {
    if (line.trim() === '') this.#isCode = false;
    else if (!this.isWithin && /^(?:import|export)\s/.test(line)) this.#isCode = true;
    return this.#isCode;
  }

  #strip(line: string): string {
    let shown = '';
    let at = this.#afterComment(line, 0);
    const codeEnds = endsOfCode(line);
    while (at < line.length) {
      markup.lastIndex = at;
      const found = markup.exec(line);
      if (found === null) break;
      if (this.#hidden === undefined) shown += line.slice(at, found.index);
      at = found.index + found[0].length;
      const [token] = found;
      if (token === '`') {
        const end = codeEnds.get(found.index) ?? at;
        if (this.#hidden === undefined) shown += line.slice(found.index, end);
        at = end;
        continue;
      }
      if (token === '<!--' || token === '{/*') {
        if (token === '{/*' && !this.#isMdx) shown += token;
        else {
          this.#commentEnd = token === '<!--' ? '-->' : '*/}';
          at = this.#afterComment(line, at);
        }
      } else if (token.startsWith('<')) shown += this.#element(found);
      else if (this.#hidden === undefined) shown += token.startsWith('&') ? characterOf(token) : token;
    }
    return this.#hidden === undefined && at < line.length ? shown + line.slice(at) : shown;
  }

  #afterComment(line: string, from: number): number {
    if (this.#commentEnd === undefined) return from;
    const end = line.indexOf(this.#commentEnd, from);
    if (end < 0) return line.length;
    const at = end + this.#commentEnd.length;
    this.#commentEnd = undefined;
    return at;
  }

  #element([token, slash, name = '', attributes = '']: RegExpExecArray): string {
    const isSame = this.#hidden?.name === name.toLowerCase();
    const isEmpty = attributes.endsWith('/') || voids.test(name);
    if (this.#hidden === undefined) {
      if (slash === '/' || isEmpty || !isHiding(attributes)) return token;
      this.#hidden = { name: name.toLowerCase(), open: 1 };
    } else if (isSame && !isEmpty) {
      this.#hidden.open += slash === '/' ? -1 : 1;
      if (this.#hidden.open === 0) this.#hidden = undefined;
    }
    return '';
  }
}

function isHiding(attributes: string): boolean {
  const style = attributes.search(/style\s{0,9}=/i);
  return hiddenAttribute.test(attributes) || (style >= 0 && hidingStyle.test(attributes.slice(style)));
}

/** Where the code ends that begins at a place of the line, else its backticks. Equally many of them end it as have begun it. */
function endsOfCode(line: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const nextEnd = new Map<number, number>();
  for (const { 0: ticks, index } of [...line.matchAll(/`+/g)].reverse()) {
    const end = nextEnd.get(ticks.length);
    const own = index + ticks.length;
    ends.set(index, end ?? own);
    nextEnd.set(ticks.length, own);
  }
  return ends;
}

const characters = new Map<string, string>();
const mostRemembered = 500;

/** The character that an entity such as `&shy;` stands for. Those that would begin an element stay as they are. */
function characterOf(entity: string): string {
  if (/^&(?:lt|gt|#60|#62|#x3[ce]);$/i.test(entity)) return entity;
  const known = characters.get(entity);
  if (known !== undefined) return known;
  const [node] = parseFragment(entity).childNodes;
  const character = node !== undefined && 'value' in node ? node.value : entity;
  if (characters.size < mostRemembered) characters.set(entity, character);
  return character;
}
