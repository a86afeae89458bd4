import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/adapters/knowledge/files/reader/read-limits.ts';
import { findLimits } from '../../../src/adapters/knowledge/files/worker/find-files.ts';
import { mostChunks } from '../../../src/adapters/knowledge/files/worker/update-index.ts';
import { turnErrorCodes } from '../../../src/adapters/metrics/known-labels.ts';
import { hubMethods } from '../../../src/channels/hub/hub-methods.ts';
import type { Origin } from '../../../src/core/events/origin.ts';
import { influenceOf } from '../../../src/core/provenance/influences.ts';

/** One section of a page of the contract. */
function section(page: string, heading: string): string {
  const text = readFileSync(new URL(`../../../docs/contract/${page}`, import.meta.url), 'utf8');
  const begin = text.indexOf(`\n## ${heading}\n`);
  if (begin < 0) throw new Error(`${page} has no section "${heading}"`);
  const end = text.indexOf('\n## ', begin + 1);
  return text.slice(begin, end < 0 ? undefined : end);
}

/** The cells of the rows of a section's table, without its head. */
function rows(markdown: string): readonly (readonly string[])[] {
  return [...markdown.matchAll(/^\| (.*) \|$/gm)]
    .slice(2)
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()));
}

const number = (value: number): string => value.toLocaleString('en');
const mebibytes = (bytes: number): string => `${String(bytes / 1024 / 1024)} MiB`;

/** A text of each origin, and whether it is trusted by itself. */
const trusted: Readonly<Record<Origin, boolean>> = {
  user: true,
  operator: true,
  model: true,
  action: false,
  document: false,
  web: false,
  page: false,
  remote: false,
  mcp: false,
};

describe('the tables and lists of the contract', () => {
  // proves wire-11-07
  it('name the methods of the hub (contract/hub.md#methods)', () => {
    const named = rows(section('hub.md', 'Methods')).map(([name = '']) => name.replaceAll('`', ''));
    expect(named.toSorted()).toEqual(Object.keys(hubMethods).toSorted());
  });

  // proves wire-11-03
  it('name the codes of turns (contract/errors.md#codes-in-events)', () => {
    const [promise = ''] =
      /^- A turn that is refused[^]*?`internal`/m.exec(section('errors.md', 'Codes in events')) ?? [];
    const named = [...promise.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
    expect(named.toSorted()).toEqual(turnErrorCodes.toSorted());
  });

  // proves wire-11-08
  it('name the bounds of folders (contract/document-folders.md#bad-files)', () => {
    expect(rows(section('document-folders.md', 'Bad files'))).toEqual([
      ['size', mebibytes(readLimits.bytes)],
      [
        'time',
        `${String(readLimits.cpuMilliseconds / 1000)} s of work, ${String(readLimits.milliseconds / 1000)} s in all`,
      ],
      ['memory of the process', mebibytes(readLimits.residentBytes)],
      ['characters', number(readLimits.characters)],
      ['pages', number(readLimits.pages)],
      ['an Office document or book, unpacked', mebibytes(readLimits.unpackedBytes)],
      ['cells of a table', number(readLimits.cells)],
      ['mails within each other', number(readLimits.nestedMails)],
      ['**Of a folder**', ''],
      ['documents', `${number(findLimits.documents)}, the first ones by name`],
      ['entries; a folder with more is not read', number(findLimits.entries)],
      ['parts in the index', number(mostChunks)],
      ['folders in folders', number(findLimits.depth)],
    ]);
  });

  // proves wire-11-06
  it('name the origins of texts, and which are trusted by themselves (contract/provenance.md#origins)', () => {
    const named = rows(section('provenance.md', 'Origins')).map(([origin = '', , trust]) => [origin, trust]);
    expect(named).toEqual([
      ['`user`', 'yes'],
      ['`operator`', 'yes'],
      ['`model`', 'as far as what it read'],
      ['`action`', 'with `trusted: true`'],
      ['`document`', 'where the source is'],
      ['`web`', 'where it is a document of a trusted source'],
      ['`page`', 'no'],
      ['`remote`', 'no'],
      ['`mcp`', 'no'],
    ]);
    expect(named.map(([origin = '']) => origin.replaceAll('`', '')).toSorted()).toEqual(
      Object.keys(trusted).toSorted(),
    );
    for (const [origin, isTrusted] of Object.entries(trusted)) {
      expect([origin, influenceOf(origin as Origin).length]).toEqual([origin, isTrusted ? 0 : 1]); // the keys above are origins
    }
  });
});
