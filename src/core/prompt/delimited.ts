import { jsonText } from '../base/json-text.ts';

/** JSON between marks that the JSON itself cannot contain: `<` is escaped inside. What is between them is data. */
export function delimited(what: string, value: unknown): string {
  const json = jsonText(value).replaceAll('<', '\\u003c');
  return `<data of="${what}">\n${json}\n</data>`;
}
