/**
 * Builds the widget (contract/widget.md#the-script): the loader, which the server completes with its settings, the panel and the chunks
 * that it loads later, one file of texts per language, the embed page, and the demo page. All files but the loader and the pages are
 * named by their content, so that a browser may keep them for ever, and are compressed once, here.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin, transform } from 'esbuild';
import { minify } from 'terser';
import { languages } from '../src/wire/client-settings.ts';

/** What `src/channels/widget` reads to serve the built files. */
interface WidgetManifest {
  readonly loader: string;
  readonly panel: string;
  /** The name of a language's file. A star stands for the language in lower case. */
  readonly texts: string;
  readonly embed: string;
  readonly embedPage: string;
  readonly demoPage: string;
  /** Every file that is named by its content. */
  readonly assets: readonly string[];
}

/** Turns an imported stylesheet into its minified text. */
const cssAsText: Plugin = {
  name: 'css-as-text',
  setup(bundler) {
    bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target: 'chrome111',
      });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

const shared = {
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Writes the built widget to `outdir`, and creates that folder if needed. Nothing else in the folder changes.
 * @throws Error when a file does not build.
 */
export async function buildWidget({ root, outdir }: { readonly root: string; readonly outdir: string }): Promise<void> {
  const source = join(root, 'src', 'widget');
  mkdirSync(outdir, { recursive: true });
  const { assets, writeAsset } = assetsIn(outdir);
  const chunk = async (entry: string, options: BuildOptions = {}): Promise<string> => {
    const contents = await bundle(join(source, entry), options);
    const { name, ext } = parse(entry);
    return writeAsset(`${name.replace('-page', '')}-${hashOf([contents])}${ext.replace('ts', 'js')}`, contents);
  };

  const panel = await buildPanel(source, writeAsset);
  const texts = await buildTexts(source, writeAsset);
  const demoStyle = await chunk('demo/demo.css', { plugins: [] });
  const demoScript = await chunk('demo/demo-page.ts');
  writeFileSync(join(outdir, 'loader.js'), await bundle(join(source, 'loader.ts'), { format: 'iife' }));
  writeFileSync(join(outdir, 'embed.js'), await bundle(join(source, 'embed.ts'), { format: 'iife' }));
  const embedStyle = await chunk('embed/embed.css', { plugins: [] });
  const embedPage = await readFile(join(source, 'embed', 'embed.html'), 'utf8');
  writeFileSync(join(outdir, 'embed.html'), embedPage.replace('embed.css', embedStyle));
  const page = await readFile(join(source, 'demo', 'demo.html'), 'utf8');
  writeFileSync(join(outdir, 'demo.html'), page.replace('demo.css', demoStyle).replace('demo.js', demoScript));

  const manifest: WidgetManifest = {
    loader: 'loader.js',
    panel,
    texts,
    embed: 'embed.js',
    embedPage: 'embed.html',
    demoPage: 'demo.html',
    assets: assets.sort(),
  };
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes files that are named by their content, both plain and compressed, and collects their names. */
export function assetsIn(outdir: string): {
  readonly assets: string[];
  readonly writeAsset: (name: string, contents: Uint8Array) => string;
} {
  const assets: string[] = [];
  const writeAsset = (name: string, contents: Uint8Array): string => {
    assets.push(name);
    writeFileSync(join(outdir, name), contents);
    writeFileSync(join(outdir, `${name}.gz`), gzipSync(contents, { level: 9 }));
    writeFileSync(join(outdir, `${name}.br`), compressed(contents));
    return name;
  };
  return { assets, writeAsset };
}

/** The chunks that the panel loads later. Each is a separate file. */
const lazyChunks = 'cards edit tour voice fallback images files webmcp kept beside answer menu room code math'.split(
  ' ',
);

/** The chunks that contain elements. They use the Preact of the panel. */
const chunksOfElements: readonly string[] = ['answer', 'beside', 'menu'];

/** Placeholders for the hash of the chunks and the hash of the panel, until both are known. They are as long as a hash. */
const chunksHash = 'CHUNKS__';
const panelHash = 'PANEL___';

/**
 * Builds the panel and the chunks that it loads later. The chunks share one hash, so that the panel carries one instead of ten. It is a
 * hash of the panel too, because chunks with elements take their Preact from the panel's file. Returns the name of that file.
 */
async function buildPanel(source: string, writeAsset: (name: string, contents: Uint8Array) => string): Promise<string> {
  const names = lazyChunks.map((name): [string, string] => [
    `${name.toUpperCase()}_CHUNK`,
    JSON.stringify(`${name}-${chunksHash}.js`),
  ]);
  const draft = await bundle(join(source, 'panel.ts'), { ...elementsByH(source), define: Object.fromEntries(names) });
  const files = await Promise.all(
    lazyChunks.map(async (name) => {
      const options = chunksOfElements.includes(name) ? byPreactOfPanel(source) : {};
      const contents = await bundle(join(source, `${name}.ts`), options);
      return { name, contents: Buffer.concat([await licenceOf(name), contents]) };
    }),
  );
  const hash = hashOf([...files.map(({ contents }) => contents), draft]);
  const panel = withHash(draft, chunksHash, hash);
  const ownHash = hashOf([panel]);
  for (const { name, contents } of files) writeAsset(`${name}-${hash}.js`, withHash(contents, panelHash, ownHash));
  return writeAsset(`panel-${ownHash}.js`, panel);
}

/** The libraries that are most of a chunk. */
const librariesOfChunks: Readonly<Record<string, string>> = { code: 'highlight.js', math: 'temml' };

/** The licence of the library of a chunk, as a comment: whoever gets the library gets it with its licence. */
async function licenceOf(chunk: string): Promise<Uint8Array> {
  const library = librariesOfChunks[chunk];
  if (library === undefined) return new Uint8Array();
  const folder = dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));
  const licence = await readFile(join(folder, 'LICENSE'), 'utf8');
  return Buffer.from(`/*! ${library}\n${licence.trim()}\n*/\n`);
}

function withHash(contents: Uint8Array, placeholder: string, hash: string): Uint8Array {
  return Buffer.from(Buffer.from(contents).toString().replaceAll(placeholder, hash));
}

/** With a copy of Preact of its own a chunk would be 4 KB larger. */
function byPreactOfPanel(source: string): BuildOptions {
  const preactOfPanel: Plugin = {
    name: 'preact-of-panel',
    setup(bundler) {
      bundler.onResolve({ filter: /^preact$/ }, () => ({ path: `./panel-${panelHash}.js`, external: true }));
    },
  };
  return { ...elementsByH(source), plugins: [cssAsText, preactOfPanel] };
}

/**
 * Turns JSX into calls of Preact's own `h`. The runtime for JSX, which type checks and tests use, has the same result and would add 250
 * bytes to the panel.
 */
function elementsByH(source: string): BuildOptions {
  return {
    inject: [join(source, 'element-factory.ts')],
    tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
  };
}

/**
 * Builds one file per language. The files share one hash, so that the loader carries one instead of ten. The star stands for the
 * language.
 */
export async function buildTexts(
  source: string,
  writeAsset: (name: string, contents: Uint8Array) => string,
): Promise<string> {
  const files = await Promise.all(
    languages.map(async (language) => {
      const name = language.toLowerCase();
      return { name, contents: await bundle(join(source, `texts/${name}.ts`)) };
    }),
  );
  const hash = hashOf(files.map(({ contents }) => contents));
  for (const { name, contents } of files) writeAsset(`texts-${name}-${hash}.js`, contents);
  return `texts-*-${hash}.js`;
}

/** The part of a file's name that depends on its content. */
export function hashOf(files: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const contents of files) hash.update(contents);
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** The shortest of a few ways to write distances, which differ by up to 70 bytes of the panel. */
function compressed(contents: Uint8Array): Buffer {
  const ways = [9, 10, 11, 12].map((direct) => ({ postfix: 0, direct }));
  const more = [
    ...[8, 10, 14, 20, 22].map((direct) => ({ postfix: 1, direct })),
    { postfix: 2, direct: 24 },
    { postfix: 3, direct: 0 },
  ];
  const [first, ...others] = [...ways, ...more].map(({ postfix, direct }) =>
    brotliCompressSync(contents, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
      },
    }),
  );
  if (first === undefined) throw new Error('there is no way');
  return others.reduce((best, other) => (other.length < best.length ? other : best), first);
}

/** Bundles one entry into one file. */
export async function bundle(entry: string, options: BuildOptions = {}): Promise<Uint8Array> {
  const result = await build({
    ...shared,
    entryPoints: [entry],
    outdir: 'out',
    format: 'esm',
    plugins: [cssAsText],
    ...options,
  });
  const [file] = result.outputFiles ?? [];
  if (file === undefined) throw new Error(`${entry} built to nothing`);
  return entry.endsWith('.css') ? file.contents : shorten(file.text, options.format !== 'iife');
}

/**
 * Minifies the output of esbuild once more. Terser drops more code without effect and gives the shortest names to the most frequent ones,
 * which saves 800 bytes of the panel.
 */
async function shorten(script: string, isModule: boolean): Promise<Uint8Array> {
  const { code } = await minify(script, {
    module: isModule,
    ecma: 2020,
    // `a === 'x'` repeats the order of other comparisons, so it compresses better than `'x' === a`.
    compress: { passes: 3, lhs_constants: false },
    // Texts in single quotes, as in the stylesheets, compress better.
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- terser declares the enum and does not export it
    format: { comments: false, quote_style: 1 },
  });
  if (code === undefined || code === '') throw new Error('terser returned nothing');
  return Buffer.from(code);
}
