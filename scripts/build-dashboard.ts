/**
 * Builds the dashboard (contract/operations.md#dashboard): the page, its script and stylesheet, and one file of texts per language. All
 * files but the page are named by their content and are compressed once, here.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetsIn, buildTexts, bundle, hashOf } from './build-widget.ts';

/**
 * Writes the built dashboard to `outdir`, and creates that folder if needed. Nothing else in the folder changes.
 * @throws Error when a file does not build.
 */
export async function buildDashboard({
  root,
  outdir,
}: {
  readonly root: string;
  readonly outdir: string;
}): Promise<void> {
  const source = join(root, 'src', 'dashboard');
  mkdirSync(outdir, { recursive: true });
  const { assets, writeAsset } = assetsIn(outdir);
  const asset = async (entry: string, ext: string): Promise<string> => {
    const contents = await bundle(join(source, entry), ext === 'css' ? { plugins: [] } : {});
    return writeAsset(`dashboard-${hashOf([contents])}.${ext}`, contents);
  };
  const style = await asset('dashboard.css', 'css');
  const script = await asset('dashboard.tsx', 'js');
  const texts = await buildTexts(source, writeAsset);
  const page = await readFile(join(source, 'dashboard.html'), 'utf8');
  const built = page.replace('dashboard.css', style).replace('dashboard.js', script).replace('texts.js', texts);
  writeFileSync(join(outdir, 'dashboard.html'), built);
  const manifest = { page: 'dashboard.html', assets: assets.sort() };
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
