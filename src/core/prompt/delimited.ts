import { jsonText } from '../base/json-text.ts';

/** Puts JSON between marks that the JSON cannot contain, because `<` is escaped inside. The text between the marks is data. */
export function delimited(what: string, value: unknown): string {
  const json = jsonText(value).replaceAll('<', '\\u003c');
  return `<data of="${what}">\n${json}\n</data>`;
}
