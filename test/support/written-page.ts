import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, '../../docs/reference');

/**
 * Replaces the text between the markers with this name in a page of docs/reference.
 * @throws Error when the page has no such markers.
 */
export function writeBetweenMarkers(page: string, name: string, text: string): void {
  const file = join(pages, page);
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const before = readFileSync(file, 'utf8');
  const start = before.indexOf(begin);
  const stop = before.indexOf(end);
  if (start < 0 || stop < start) throw new Error(`${file} has no markers "${begin}" and "${end}"`);
  writeFileSync(file, `${before.slice(0, start + begin.length)}\n\n${text}\n\n${before.slice(stop)}`);
}
