/**
 * `npm run sbom`: writes `dist/sbom.cdx.json`, which lists the server's packages (CycloneDX, made by npm itself). With `--image` the list
 * includes Node.js and the packages of the operating system. The same input gives the same file, and SOURCE_DATE_EPOCH is its time.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedIn, type Bom } from './sbom/bom.ts';
import { imageComponents } from './sbom/image-components.ts';
import { shippedPackages } from './sbom/shipped-packages.ts';

const root = join(import.meta.dirname, '..');

/**
 * The list of the shipped packages.
 * @throws Error where npm cannot make one.
 */
export function makeBom(options: { readonly image: boolean; readonly seconds?: number }): Bom {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(read);
  const shipped = shippedPackages(JSON.parse(read('package-lock.json')), JSON.parse(read('package.json')), sources);
  return fixedIn(bomOfAll(), {
    shipped,
    more: options.image ? imageComponents() : [],
    ...(options.seconds !== undefined && { seconds: options.seconds }),
  });
}

/** npm's own list of everything in the lock file. With `--omit dev` npm would leave out packages that are shipped. */
function bomOfAll(): Bom {
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const text = execFileSync('npm', options, {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text.toString()) as Bom; // npm documents this format
}

if (import.meta.main) {
  const epoch = process.env['SOURCE_DATE_EPOCH'] ?? '';
  const bom = makeBom({ image: process.argv.includes('--image'), ...(epoch !== '' && { seconds: Number(epoch) }) });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(bom, undefined, 2)}\n`);
  console.log(`dist/sbom.cdx.json lists ${String(bom.components.length)} packages`);
}
