import temml from 'temml';

const namespace = 'http://www.w3.org/1998/Math/MathML';

/** The elements that formulas are made of. None of them leads anywhere or loads anything. */
const elements = new Set([
  ...[
    'math',
    'mfrac',
    'mi',
    'mmultiscripts',
    'mn',
    'mo',
    'mover',
    'mpadded',
    'mphantom',
    'mprescripts',
    'mroot',
    'mrow',
  ],
  ...['ms', 'mspace', 'msqrt', 'mstyle', 'msub', 'msubsup', 'msup', 'mtable', 'mtd', 'mtext', 'mtr', 'munder'],
  ...['munderover', 'none', 'semantics', 'menclose'],
]);

const attributes = new Set([
  ...[
    'accent',
    'accentunder',
    'columnalign',
    'columnspan',
    'depth',
    'displaystyle',
    'display',
    'fence',
    'form',
    'height',
  ],
  ...['linethickness', 'lspace', 'mathvariant', 'maxsize', 'minsize', 'movablelimits', 'notation', 'rowspan', 'rspace'],
  ...['scriptlevel', 'separator', 'stretchy', 'symmetric', 'voffset', 'width'],
]);

/** Colours are left out, so that no part of a formula can hide. */
const properties = new Set(['fontSize', 'fontStyle', 'fontWeight', 'padding', 'verticalAlign', 'whiteSpace', 'width']);

/** A node of the library's own tree. Text has no type. */
interface MathNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string>>;
  readonly children?: readonly MathNode[];
}

/** Draws the TeX in a place as MathML. What is no formula stays TeX. */
export function drawFormula(place: HTMLElement): void {
  const source = place.textContent;
  const displayMode = place.classList.contains('is-display');
  let drawn: Node;
  try {
    // The library's tree, from which only known elements are taken. Neither its HTML nor its own nodes reach the page.
    const tree: unknown = temml.__renderToMathMLTree(source, {
      displayMode,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
    });
    drawn = nodeOf(tree as MathNode); // the members are those of its class MathNode
  } catch {
    return;
  }
  const math = document.createElement('span');
  math.className = place.className;
  math.append(drawn);
  place.replaceWith(math);
}

function nodeOf({ type, text, attributes: given = {}, style = {}, children = [] }: MathNode): Node {
  const inner = children.map(nodeOf);
  if (type === undefined && children.length === 0) return document.createTextNode(text ?? '');
  // An unknown element leaves what it holds.
  const element = document.createElementNS(namespace, type !== undefined && elements.has(type) ? type : 'mrow');
  for (const [name, value] of Object.entries(given))
    if (attributes.has(name)) element.setAttribute(name, String(value));
  // The object model needs no permission of the page's Content-Security-Policy.
  for (const [name, value] of Object.entries(style)) if (properties.has(name)) Reflect.set(element.style, name, value);
  element.append(...inner);
  return element;
}
