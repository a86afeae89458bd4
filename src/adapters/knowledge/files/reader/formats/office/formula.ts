/** An element of a formula, in the form of Word (OMML) or of web pages (MathML). */
export interface FormulaPart {
  readonly name: string;
  readonly text: string;
  readonly children: readonly FormulaPart[];
  /** The sign that the element names, such as a bracket or the sign of a sum. */
  readonly sign?: string | undefined;
}

const deepest = 60;

/** A formula in one line, as people type it: `A=πr^2`, `(a+b)/c`, `√(x)`. */
export function linearFormula(part: FormulaPart): string {
  return lineOf(part, 0).replace(/\s+/g, ' ').trim();
}

function lineOf(part: FormulaPart, depth: number): string {
  if (depth > deepest) return '';
  const line = (child: FormulaPart | undefined): string => (child === undefined ? '' : lineOf(child, depth + 1));
  const named = (name: string): string => line(part.children.find((child) => child.name === name));
  const shown = part.children.filter(({ name }) => !name.endsWith('Pr') && !name.startsWith('annotation'));
  const [first, second, third] = shown;
  const sign = part.children.find(({ name }) => name.endsWith('Pr'))?.children ?? [];
  const signOf = (name: string, usual: string): string => sign.find((one) => one.name === name)?.sign ?? usual;
  switch (part.name) {
    case 'f':
      return `${group(named('num'))}/${group(named('den'))}`;
    case 'sSup':
      return `${group(named('e'))}^${group(named('sup'))}`;
    case 'sSub':
      return `${group(named('e'))}_${group(named('sub'))}`;
    case 'sSubSup':
      return `${group(named('e'))}_${group(named('sub'))}^${group(named('sup'))}`;
    case 'rad':
      return root(named('e'), named('deg'));
    case 'nary':
      return `${signOf('chr', '∫')}${limit('_', named('sub'))}${limit('^', named('sup'))} ${named('e')}`;
    case 'd':
      return `${signOf('begChr', '(')}${shown.map(line).join(',')}${signOf('endChr', ')')}`;
    case 'limLow':
      return `${named('e')}${limit('_', named('lim'))}`;
    case 'limUpp':
      return `${named('e')}${limit('^', named('lim'))}`;
    case 'func':
      return `${named('fName')} ${named('e')}`;
    case 'm':
    case 'mtable':
    case 'eqArr':
      return `[${shown.map(line).join('; ')}]`;
    case 'mr':
    case 'mtr':
      return shown.map(line).join(', ');
    case 'mfrac':
      return `${group(line(first))}/${group(line(second))}`;
    case 'msup':
    case 'mover':
      return `${group(line(first))}^${group(line(second))}`;
    case 'msub':
    case 'munder':
      return `${group(line(first))}_${group(line(second))}`;
    case 'msubsup':
    case 'munderover':
      return `${group(line(first))}_${group(line(second))}^${group(line(third))}`;
    case 'msqrt':
      return root(shown.map(line).join(''), '');
    case 'mroot':
      return root(line(first), line(second));
    case 'mfenced':
      return `(${shown.map(line).join(',')})`;
    default:
      return `${part.text}${shown.map(line).join('')}`;
  }
}

/** Puts brackets around what is more than one word or number. */
function group(text: string): string {
  const trimmed = text.trim();
  return /^[\p{L}\p{N}.,]*$/u.test(trimmed) ? trimmed : `(${trimmed})`;
}

function limit(mark: string, text: string): string {
  return text.trim() === '' ? '' : `${mark}${group(text)}`;
}

function root(text: string, degree: string): string {
  const signs: Readonly<Record<string, string>> = { '': '√', '2': '√', '3': '∛', '4': '∜' };
  const sign = signs[degree.trim()] ?? `root ${group(degree)} of `;
  return `${sign}(${text.trim()})`;
}
