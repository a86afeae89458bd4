import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../unit/docs/pages.ts';
import { citationFaults, type CitedDocuments } from './citations.ts';
import { readContractPage } from './statement.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const contractPages = globSync('docs/contract/*.md', { cwd: root });
const documents: CitedDocuments = {
  anchors: new Map(contractPages.map((file) => [basename(file), anchorsOf(read(file))])),
  ids: new Set(contractPages.flatMap((file) => readContractPage(file, read(file)).statements).map(({ id }) => id)),
  documents: new Set([
    ...globSync(['*.md', '{docs,plugins,test,charts,config}/**/*.md'], { cwd: root }).map((file) => basename(file)),
    // Tests make these files themselves.
    'notes.md',
    'orders.md',
  ]),
};

/** This file cites documents that do not exist, on purpose. */
const files = globSync('{src,test,docs,scripts,plugins}/**/*.{ts,tsx,mts,mjs,cjs,js,css,html,md,yaml,yml,c}', {
  cwd: root,
})
  .filter((file) => !file.includes('node_modules') && file !== join('test', 'spec', 'citations.test.ts'))
  .concat(globSync(['*.md', '*.cjs', '*.js', '*.ts'], { cwd: root }));

describe('citations', () => {
  it('lead to a page, a section or a statement of the contract, and to no document that is not here', () => {
    expect(files.length).toBeGreaterThan(800);
    expect(files.flatMap((file) => citationFaults(read(file), documents).map((fault) => `${file}:${fault}`))).toEqual(
      [],
    );
  });
});

describe('citationFaults, so that the gate really closes', () => {
  const known: CitedDocuments = {
    anchors: new Map([['hub.md', new Set(['methods'])]]),
    ids: new Set(['wire-3-01']),
    documents: new Set(['hub.md', 'configuration.md']),
  };

  it.each([
    'Stops the turn (contract/hub.md).',
    'Stops the turn (contract/hub.md#methods, `NewConversation`).',
    'Proves wire-3-01 and nothing else.',
    '[Configuration](../guides/configuration.md) has 3 parts.',
  ])('finds nothing wrong with %j', (text) => {
    expect(citationFaults(text, known)).toEqual([]);
  });

  it.each([
    [
      'a page that is not there',
      'See contract/bus.md.',
      ['1: contract/bus.md: there is no such page', '1: bus.md: the project has no such document'],
    ],
    [
      'a section that is not there',
      'See contract/hub.md#lines.',
      ['1: contract/hub.md#lines: the page has no such section'],
    ],
    ['a statement that nobody makes', '\nwire-3-99', ['2: wire-3-99: no page states it']],
    ['a document that is elsewhere', 'See wire.md.', ['1: wire.md: the project has no such document']],
    [
      'a section by its number',
      '(configuration.md 1.5)',
      ['1: configuration.md 1.5: sections are cited by their name, as in contract/hub.md#methods'],
    ],
  ])('finds %s', (_title, text, faults) => {
    expect(citationFaults(text, known)).toEqual(faults);
  });
});
