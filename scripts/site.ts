/**
 * `npm run docs`: builds the documentation as static pages into `site/`, with a search that needs no server. `npm run docs -- --base /helper/` is
 * for a site below a path. VitePress builds them and refuses
 * links that lead nowhere. It is installed in a folder of its own, because nobody who only runs the server needs it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
// A folder that no check of the project looks into.
const site = join(root, '.cache/site');
const copies = join(site, 'pages');

/** Every page of the site, by its path below the project. */
const sources = globSync(['*.md', 'docs/**/*.md', 'plugins/*.md', 'charts/*/*.md'], { cwd: root });

interface MenuEntry {
  readonly text: string;
  readonly link: string;
}

/** The page of a folder, in the site. */
const indexPage = ['index', 'md'].join('.');

/** Where a page stands in the site. */
const siteName = (path: string): string => path.replace(/(^|\/)README\.md$/, `$1${indexPage}`);

/** The page with links as the site has them. What is no page of the site, a source file for example, is named and not linked. */
function converted(path: string, text: string): string {
  const folders = new Set(sources.map((source) => dirname(source)));
  return text.replaceAll(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (...match: readonly string[]) => {
    const [whole = '', image, label = '', target = ''] = match;
    if (image !== '' || /^[a-z]+:|^#/.test(target)) return whole;
    const [file = '', anchor] = target.split('#', 2);
    const found = normalize(join(dirname(path), file));
    if (sources.includes(found)) return `[${label}](${siteName(file)}${anchor === undefined ? '' : `#${anchor}`})`;
    return folders.has(found) ? `[${label}](${file}/${indexPage})` : label;
  });
}

/** A page for a folder that has none of its own: the list of its pages. */
function listOf(folder: string): string {
  const rows = sources
    .filter((source) => dirname(source) === folder)
    .map((source) => `- [${titleOf(source)}](${source.slice(folder.length + 1)})`);
  return `# ${folder}\n\n${rows.join('\n')}\n`;
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;
}

/** The menu of the site: the sections of the map, and in each every page that it links. */
function menu(): readonly {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly MenuEntry[];
}[] {
  const map = readFileSync(join(root, 'docs/README.md'), 'utf8');
  return map
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)];
      return {
        text: section.split('\n', 1)[0] ?? '',
        collapsed: true,
        items: links.map(([, text = '', target = '']) => ({
          text,
          link: `/${siteName(normalize(join('docs', target))).replace(/(index)?\.md$/, '')}`,
        })),
      };
    });
}

function install(): void {
  cpSync(join(import.meta.dirname, 'site'), site, { recursive: true });
  const installed = join(site, 'node_modules/.package-lock.json');
  const isFresh =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(import.meta.dirname, 'site/package-lock.json')).mtimeMs;
  if (!isFresh) execFileSync('npm', ['ci', '--prefix', site], { stdio: 'inherit' });
}

function copyPages(): void {
  rmSync(copies, { recursive: true, force: true });
  for (const path of sources) {
    const copy = join(copies, siteName(path));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, converted(path, readFileSync(join(root, path), 'utf8')));
  }
  for (const folder of new Set(sources.map((source) => dirname(source)))) {
    const index = join(copies, folder, indexPage);
    if (!existsSync(index)) writeFileSync(index, listOf(folder));
  }
  cpSync(join(root, 'docs/pictures'), join(copies, 'docs/pictures'), { recursive: true });
  writeFileSync(join(copies, 'menu.json'), JSON.stringify(menu()));
}

install();
copyPages();
const program = join(site, 'node_modules/vitepress/bin/vitepress.js');
const { status } = spawnSync(process.execPath, [program, 'build', site, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
if (status === 0) console.log('site/ is ready: serve it with any web server.');
process.exit(status ?? 1);
