import { objectOf } from '../json-values.ts';
import type { DemoTexts } from './demo-texts.ts';
import { labelOf } from './words.ts';

type Row = Readonly<Record<string, unknown>>;

const maxRows = 20;
const maxColumns = 6;
const maxFields = 15;
const maxCellLength = 120;

/** Writes a result as a person would: a table of things, a list of fields, or a list of values. Markdown. */
export function markdownOf(value: unknown, texts: DemoTexts): string {
  if (Array.isArray(value)) return listMarkdown(value, texts);
  const fields = objectOf(value);
  if (fields === undefined) return plainCell(value, texts);
  const onlyList = onlyListOf(fields);
  return onlyList === undefined ? fieldsMarkdown(fields, texts) : listMarkdown(onlyList, texts);
}

/** How many things a result lists. Undefined when the result is no list. */
export function lengthOfList(value: unknown): number | undefined {
  const fields = objectOf(value);
  const list = Array.isArray(value) ? value : fields === undefined ? undefined : onlyListOf(fields);
  return list?.length;
}

function listMarkdown(items: readonly unknown[], texts: DemoTexts): string {
  if (items.length === 0) return texts.nothingFound;
  const rows = items.map(objectOf).filter((row): row is Row => row !== undefined);
  const shown = rows.length === items.length ? tableMarkdown(rows, texts) : bulletMarkdown(items, texts);
  const hidden = items.length - maxRows;
  return [texts.found(items.length), '', shown, ...(hidden > 0 ? ['', texts.more(hidden)] : [])].join('\n');
}

function tableMarkdown(rows: readonly Row[], texts: DemoTexts): string {
  const isPlain = (name: string): boolean => rows.every((row) => typeof row[name] !== 'object' || row[name] === null);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(isPlain).slice(0, maxColumns);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(labelOf)),
    line(columns.map(() => '---')),
    ...rows.slice(0, maxRows).map((row) => line(columns.map((name) => plainCell(row[name], texts)))),
  ].join('\n');
}

function bulletMarkdown(items: readonly unknown[], texts: DemoTexts): string {
  return items
    .slice(0, maxRows)
    .map((item) => `- ${plainCell(item, texts)}`)
    .join('\n');
}

function fieldsMarkdown(fields: Row, texts: DemoTexts): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, maxFields)
    .map(([name, value]) => `- **${labelOf(name)}**: ${plainCell(value, texts)}`)
    .join('\n');
}

/** The list inside an object that only names it, such as `{ orders: [...] }` and `{ total: 3, orders: [...] }`. */
function onlyListOf(fields: Row): readonly unknown[] | undefined {
  const lists = Object.values(fields).filter((value) => Array.isArray(value));
  return lists.length === 1 && Object.keys(fields).length <= 3 ? lists[0] : undefined;
}

/** Writes a value on one line, because a line break or a bar would break a table. */
function plainCell(value: unknown, texts: DemoTexts): string {
  const text = textOfValue(value, texts).replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
}

function textOfValue(value: unknown, texts: DemoTexts): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item) => textOfValue(item, texts)).join(', ');
  const fields = objectOf(value);
  if (fields === undefined) return JSON.stringify(value);
  return Object.entries(fields)
    .map(([name, item]) => `${labelOf(name)}: ${textOfValue(item, texts)}`)
    .join(', ');
}
