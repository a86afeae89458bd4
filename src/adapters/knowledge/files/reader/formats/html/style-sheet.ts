/** Properties and their values, both in lower case. */
export type Declarations = ReadonlyMap<string, string>;

const none: Declarations = new Map();
const longestSheet = 500_000;
const mostRules = 10_000;
const mostClasses = 30;

/** The properties that may hide a text. Others are not kept. */
const telling: ReadonlySet<string> = new Set([
  ...['display', 'visibility', 'opacity', 'font-size', 'color', 'background', 'background-color'],
  ...['left', 'text-indent', 'mso-hide'],
]);

/**
 * The rules of the `style` elements of a page, as far as each is about one element, class or id. Rules for certain media and for elements
 * within others are left out.
 */
export class StyleSheet {
  readonly #rules = new Map<string, Map<string, string>>();
  /** Classes that some rule shows. A page with such rules switches between its parts. */
  readonly #shown = new Set<string>();
  #count = 0;

  add(css: string): void {
    const plain = withoutComments(css.slice(0, longestSheet)).replace(/<!--|-->/g, '');
    let depth = 0;
    let begin = 0;
    let selectors = '';
    for (const { 0: brace, index } of plain.matchAll(/[{};]/g)) {
      if (brace === '{') {
        if (depth === 0) selectors = plain.slice(begin, index).trim();
        depth += 1;
        if (depth === 1) begin = index + 1;
      } else if (brace === '}') {
        depth = Math.max(0, depth - 1);
        if (depth === 0 && !selectors.startsWith('@')) this.#rule(selectors, plain.slice(begin, index));
        if (depth === 0) begin = index + 1;
      } else if (depth === 0) begin = index + 1;
    }
  }

  /** What the rules say of an element. */
  of(tagName: string, classes: string, id: string): Declarations {
    if (this.#rules.size === 0) return none;
    const names = classes
      .split(/\s+/)
      .slice(0, mostClasses)
      .filter((name) => name !== '');
    const keys = [
      ...['*', tagName],
      ...names.map((name) => `.${name}`),
      ...names.map((name) => `${tagName}.${name}`),
      `#${id}`,
      `${tagName}#${id}`,
    ];
    const found = keys.map((key) => this.#rules.get(key)).filter((rule) => rule !== undefined);
    if (found.length === 0) return none;
    const all = new Map(found.flatMap((rule) => [...rule]));
    if (all.get('display') === 'none' && names.some((name) => this.#shown.has(name))) all.delete('display');
    return all;
  }

  #rule(selectors: string, body: string): void {
    const declarations = [...declarationsOf(body)];
    if (declarations.length === 0) return;
    for (const selector of selectors.split(',')) {
      this.#count += 1;
      if (this.#count > mostRules) return;
      const key = selector.trim();
      if (!/^(?:\*|[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/i.test(key) || key === '') this.#noteShown(key, declarations);
      else this.#rules.set(key, new Map([...(this.#rules.get(key) ?? []), ...declarations]));
    }
  }

  #noteShown(selector: string, declarations: readonly (readonly [string, string])[]): void {
    if (!declarations.some(([name, value]) => name === 'display' && value !== 'none')) return;
    for (const [, name = ''] of selector.matchAll(/\.([\w-]+)/g)) this.#shown.add(name);
  }
}

/** The declarations of a rule, or of an attribute `style`. */
export function declarationsOf(css: string): Declarations {
  const found = new Map<string, string>();
  for (const part of css.slice(0, 10_000).split(';')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, colon).trim().toLowerCase();
    if (colon < 0 || !telling.has(name)) continue;
    found.set(
      name,
      part
        .slice(colon + 1)
        .replace(/!\s*important/i, '')
        .trim()
        .toLowerCase(),
    );
  }
  return found;
}

function withoutComments(css: string): string {
  const pieces: string[] = [];
  for (let from = 0; ;) {
    const begin = css.indexOf('/*', from);
    pieces.push(css.slice(from, begin < 0 ? undefined : begin));
    const end = begin < 0 ? -1 : css.indexOf('*/', begin + 2);
    if (end < 0) return pieces.join('');
    from = end + 2;
  }
}
