import type { Page } from './page.ts';

export type ResolvedUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly fault: string };

const placeholder = /\{([A-Za-z0-9_]+)\}/g;

/**
 * Fills `{name}` in a page's url with encoded values. The other parameters become its query (contract/plugins.md#actions). The values `.`
 * and `..` are refused, because a browser would resolve them into another page. An empty text is refused, because it could leave `//` and
 * lead to another site. The fault is worded for the model.
 */
export function resolvePageUrl(url: string, params: Readonly<Record<string, unknown>>): ResolvedUrl {
  const left = new Map(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
  const faults: string[] = [];
  const filled = url.replace(placeholder, (_match, name: string) => {
    const value = left.get(name);
    left.delete(name);
    if (!isPlain(value)) faults.push(`The parameter ${name} is required and must be a text, number or boolean.`);
    else if (!isPathText(String(value))) faults.push(`The value of the parameter ${name} is not allowed.`);
    else return encodeURIComponent(String(value));
    return '';
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    if (isPlain(value)) query.append(name, String(value));
    else faults.push(`The parameter ${name} must be a text, number or boolean.`);
  }
  if (faults.length > 0) return { ok: false, fault: faults.join(' ') };
  return { ok: true, url: withQuery(filled, query.toString()) };
}

/** The names that the model may fill in: the placeholders of the address, and the names for its query. */
export function parametersOf({ url, query = [] }: Pick<Page, 'url' | 'query'>): readonly string[] {
  const placeholders = [...url.matchAll(placeholder)].map(([, name = '']) => name);
  return [...new Set([...placeholders, ...query])];
}

/** Whether a text keeps its place in a path. Half a surrogate pair cannot be encoded, so it is refused. */
function isPathText(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.isWellFormed();
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const [path = '', fragment] = url.split('#', 2);
  const joined = `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
