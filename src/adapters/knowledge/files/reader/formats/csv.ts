import Papa from 'papaparse';
import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, SectionBuilder, tooManyCharacters } from '../section.ts';
import { SheetWriter } from './office/sheet-rows.ts';

/** The most characters of a first line that are looked at. */
const longestFirstLine = 20_000;

/** What stands most often between the cells of the first line that has any of these signs. Signs within quotes do not count. */
function delimiterOf(text: string): string {
  for (const line of text.slice(0, longestFirstLine).split('\n')) {
    const bare = line.replace(/"[^"]*"/g, '');
    const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: bare.split(sign).length - 1 }));
    const most = counts.reduce((one, other) => (other.count > one.count ? other : one));
    if (most.count > 0) return most.sign;
  }
  return ',';
}

/** Reads a table of lines. `delimiter` stands between the cells. Left out, it is recognised. */
export function readCsv(text: string, delimiter?: string): ReadableText {
  if (text.length > readLimits.characters) throw tooManyCharacters();
  // The first line of a file of Excel may name the delimiter.
  const said = /^sep=(.)\n/.exec(text);
  const { data } = Papa.parse<readonly string[]>(said === null ? text : text.slice(said[0].length), {
    delimiter: delimiter ?? said?.[1] ?? delimiterOf(text),
    skipEmptyLines: false,
  });
  const builder = new SectionBuilder();
  const writer = new SheetWriter(builder);
  for (const row of data) {
    const cells = row.map((cell, column) => [column, cell.trim()] as const).filter(([, cell]) => cell !== '');
    writer.row(new Map(cells));
  }
  writer.end();
  const sections = builder.sections();
  if (sections.length === 0) throw new LeftOut('holds no text', { why: 'empty' });
  return { sections };
}
