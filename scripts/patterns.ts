/**
 * The gate of regular expressions, for `npm run check`: no text may take any expression of the source long. The server refuses the
 * expressions of its configuration by the same rule. Prints each fault and exits with 1.
 *
 * Usage: `node scripts/patterns.ts [--all] [--write]`. To prove an expression takes up to seconds, so those that are proven are listed in
 * patterns/proven.txt. `--write` adds the others once they are proven, and `--all` proves all of them anew.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { patternFault } from '../src/adapters/shared/patterns/pattern-fault.ts';
import { type FoundPattern, patternsIn } from './patterns/patterns-in.ts';
import { accepted } from './patterns/accepted.ts';

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({
  options: { all: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});

/** The first line is `rule`. Then there is one line for each expression. */
const list = join(import.meta.dirname, 'patterns/proven.txt');
/** What decides: another rule, or another checker, may judge an expression in another way. */
const rule = hashOf(
  ...['pattern-fault.ts', 'pattern-text.ts'].map((name) => readText(`src/adapters/shared/patterns/${name}`)),
  readText('node_modules/recheck/package.json'),
);
const [writtenRule, ...written] = readFileSync(list, 'utf8').trim().split('\n');
const proven = new Set(flags.all || writtenRule !== rule ? [] : written);

const files = globSync('{src,plugins}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: (file) => file.endsWith('node_modules'),
}).toSorted();
const found = files.flatMap((file) => patternsIn(file, readText(file)).map((pattern) => ({ file, ...pattern })));
const faults: string[] = [];
const used = new Set<string>();
const safe = new Set<string>();
for (const { file, line, ...pattern } of found) {
  const shown = `/${pattern.source}/${pattern.flags}`;
  const [key, hash] = [`${file} ${shown}`, hashOf(shown)];
  const isKnown = accepted.has(key) || proven.has(hash) || safe.has(hash);
  const fault = isKnown ? undefined : await faultOf(pattern);
  if (accepted.has(key)) used.add(key);
  else if (fault === undefined) safe.add(hash);
  else faults.push(`${file}:${String(line)}: ${fault}`);
}
for (const key of accepted.keys()) if (!used.has(key)) faults.push(`scripts/patterns/accepted.ts: nothing has ${key}`);
const isListed = writtenRule === rule && [...safe].every((hash) => written.includes(hash));
if (flags.write) writeFileSync(list, `${[rule, ...[...safe].toSorted()].join('\n')}\n`);
else if (!isListed) console.log('some expressions are not listed as proven: node scripts/patterns.ts --write');
for (const fault of faults) console.error(fault);
console.log(`${String(found.length)} expressions: ${String(faults.length)} faults`);
// The checker keeps a worker.
process.exit(faults.length === 0 ? 0 : 1);

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}

/** The checker reads expressions with the flag `u`. A sticky one is tried from one place, as if it were anchored. */
async function faultOf({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>): Promise<string | undefined> {
  const plain = source.replaceAll('\\/', '/');
  try {
    new RegExp(plain, 'u');
  } catch {
    return `/${source}/${flags} cannot be read with the flag u`;
  }
  const faultIn = (pattern: string): Promise<string | undefined> =>
    patternFault(flags.includes('y') ? `^(?:${pattern})` : pattern, { takesMaxLength: false });
  // Both spellings mean the same, and the checker can prove more of the one or of the other.
  const fault = await faultIn(plain);
  return fault === undefined || plain === source ? fault : faultIn(source);
}
