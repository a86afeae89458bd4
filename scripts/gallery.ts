/**
 * Makes pictures of the widget in every state, on every screen, in every look: `npm run gallery -- FOLDER`. The walk through looks plays
 * the states (test/browser/every-look.test.ts), and `index.html` shows them side by side, a row for each look.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name a folder: npm run gallery -- FOLDER');
  process.exit(2);
}
const pictures = resolve(folder);
mkdirSync(pictures, { recursive: true });
const { status } = spawnSync('npx', ['vitest', 'run', 'test/browser/every-look.test.ts'], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, HELPER_TIER: 'long', HELPER_PICTURES: pictures },
  stdio: 'inherit',
});

const names = readdirSync(pictures).filter((name) => name.endsWith('.png'));
// The name of a state begins after that of its look, and every look begins with a closed panel.
const looks = names.filter((name) => name.endsWith('-closed.png')).map((name) => name.slice(0, -'-closed.png'.length));
const lookOf = (name: string): string | undefined =>
  looks.filter((look) => name.startsWith(`${look}-`)).toSorted((a, b) => b.length - a.length)[0];
const rows = looks.map((look) => {
  const figures = names
    .filter((name) => lookOf(name) === look)
    .map((name) => `<figure><figcaption>${name.slice(look.length + 1, -4)}</figcaption><img src="${name}"></figure>`);
  return `<h2>${look}</h2><div>${figures.join('')}</div>`;
});
const style =
  'body{font:14px system-ui;background:#777}div{display:flex;gap:12px;overflow-x:auto}figure{margin:0}img{height:600px}';
writeFileSync(
  resolve(pictures, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${style}</style>${rows.join('')}`,
);
console.log(`${String(names.length)} pictures of ${String(looks.length)} looks: ${resolve(pictures, 'index.html')}`);
process.exit(status ?? 1);
