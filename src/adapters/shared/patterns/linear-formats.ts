import type { FuncKeywordDefinition } from 'ajv';
import { canonicalJson } from '../../../core/base/canonical-json.ts';

/** Longer than every name of a host with its port. */
const longestHost = 300;
const scheme = /^(?:https?|ftp):\/\//i;

/**
 * The format `url` as ajv-formats has it, in a time that grows with the text alone. Its own pattern tries each place where what comes before
 * the host may end, and reads on to the end of the text from each. Here it reads what may be a host, and nothing else.
 * @param pattern that of ajv-formats
 */
export function isUrl(text: string, pattern: RegExp): boolean {
  const begun = scheme.exec(text)?.[0];
  if (begun === undefined || /\s/.test(text)) return false;
  return text
    .slice(begun.length)
    .split('/')
    .some((part, index) => {
      const at = part.lastIndexOf('@');
      // A host begins the address, or comes after an @ that has something before it.
      if (at === -1 ? index > 0 : index + at === 0) return false;
      const host = part.slice(at + 1);
      return host.length <= longestHost && pattern.test(`http://${host}`);
    });
}

/** Replaces ajv's own `uniqueItems`, which compares each item with each. */
export const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (isUnique: boolean) => (items: readonly unknown[]) =>
    !isUnique || new Set(items.map((item) => canonicalJson(item))).size === items.length,
  error: { message: 'must NOT have duplicate items' },
};
