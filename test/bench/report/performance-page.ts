import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../../docs/reference/performance.md', import.meta.url));

/** Replaces the section of `profile` between its markers in docs/reference/performance.md. Throws when there is none. */
export function writeSection(profile: string, text: string): void {
  const begin = `<!-- bench ${profile}: begin -->`;
  const end = `<!-- bench ${profile}: end -->`;
  const before = readFileSync(page, 'utf8');
  const start = before.indexOf(begin);
  const stop = before.indexOf(end);
  if (start < 0 || stop < start) throw new Error(`${page} has no markers "${begin}" and "${end}"`);
  writeFileSync(page, `${before.slice(0, start + begin.length)}\n\n${text}\n\n${before.slice(stop)}`);
}
