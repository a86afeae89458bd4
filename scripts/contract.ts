/**
 * The gates of the contract, for `npm run check`: every statement of `docs/contract` has an id and a test, and every citation leads
 * somewhere. Prints each fault and exits with 1. `--of wire-4-03` prints the tests of a statement instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { anchorsOf } from './contract/anchors.ts';
import { listFaults, statementFaults } from './contract/check-statements.ts';
import { citationFaults, type CitedDocuments } from './contract/citations.ts';
import { readContractPage } from './contract/read-contract-page.ts';
import { readProofs } from './contract/read-proofs.ts';

const root = join(import.meta.dirname, '..');
const firstPage = 'docs/contract/README.md';

function sources(...patterns: readonly string[]): ReadonlyMap<string, string> {
  const files = globSync(patterns, { cwd: root, exclude: (file) => basename(file) === 'node_modules' });
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** The tests of these gates cite and prove what does not exist. */
const all = [
  ...sources('{src,test,docs,scripts,plugins}/**/*.{ts,tsx,mts,mjs,cjs,js,css,html,md,yaml,yml,c}', '*.{md,cjs,js,ts}'),
].filter(([file]) => !file.startsWith('test/unit/scripts/contract/'));

const tests = all
  .filter(([file]) => /^test\/.*\.ts$/.test(file))
  .map(([file, text]) => ({ file, ...readProofs(text) }));
const proofs = tests.flatMap(({ file, proofs: ofFile }) => ofFile.map((proof) => ({ file, ...proof })));

const everyPage = all.filter(([file]) => file.startsWith('docs/contract/'));
const pages = everyPage.filter(([file]) => file !== firstPage);
const contract = pages.map(([file, text]) => readContractPage(file, text));

const documents: CitedDocuments = {
  anchors: new Map(everyPage.map(([file, text]) => [basename(file), anchorsOf(text)])),
  ids: new Set(contract.flatMap(({ statements }) => statements).map(({ id }) => id)),
  documents: new Set([
    ...globSync(['*.md', '{docs,plugins,test,charts,config}/**/*.md'], { cwd: root }).map((file) => basename(file)),
    // Tests make these files themselves.
    'notes.md',
    'orders.md',
  ]),
};

function faults(): readonly string[] {
  const index = readFileSync(join(root, firstPage), 'utf8');
  return [
    ...listFaults(
      index,
      pages.map(([file]) => basename(file)),
    ).map((fault) => `${firstPage}:1: ${fault}`),
    ...statementFaults(contract, new Set(proofs.map(({ id }) => id))),
    ...tests.flatMap(({ file, faults: ofFile }) => ofFile.map((fault) => `${file}:${fault}`)),
    ...all.flatMap(([file, text]) => citationFaults(text, documents).map((fault) => `${file}:${fault}`)),
  ];
}

const asked = process.argv[process.argv.indexOf('--of') + 1];
if (process.argv.includes('--of')) {
  for (const { id, file, line, title } of proofs) if (id === asked) console.log(`${file}:${line}: ${title}`);
} else {
  const found = faults();
  for (const fault of found) console.error(fault);
  console.log(`${documents.ids.size} statements, ${proofs.length} proofs, ${all.length} files: ${found.length} faults`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
