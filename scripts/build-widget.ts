/**
 * Builds the widget (design of its delivery: wire.md 6): a small loader that the server completes with its settings, the
 * panel, the cards, the fields of a question, one file of texts per language, and the demo page. Everything but the loader
 * and the page is named by its content, so that a browser may keep it for ever, and compressed once, here.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin, transform } from 'esbuild';
import { languages } from '../src/wire/client-settings.ts';

/** What `src/channels/widget` reads to serve the built files. */
interface WidgetManifest {
  readonly loader: string;
  readonly panel: string;
  /** By language. */
  readonly texts: Readonly<Record<string, string>>;
  readonly demoPage: string;
  /** Every file that is named by its content. */
  readonly assets: readonly string[];
}

/** Stylesheets that a script imports become their minified text. */
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

/**
 * What the panel's packages carry and the panel never uses: marked's HTML output (the lexer alone is wanted), and of the
 * SignalR client its log lines, its checks of what it is given, methods that nobody calls, its HTTP clients
 * (src/widget/transport/hub-http-client.ts is ours), what it does in Node alone and stateful reconnect. esbuild cannot see
 * that by itself. When a new version looks different, nothing is left out, and the test of the size budget says so.
 */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup(bundler) {
    const replace = (filter: RegExp, change: (source: string) => string): void => {
      bundler.onLoad({ filter }, async ({ path }) => ({
        contents: change(await readFile(path, 'utf8')),
        loader: 'js',
      }));
    };
    replace(/marked\.esm\.js$/, (source) => {
      const instance = source.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/);
      const lexer = /(\w+) as Lexer[,}]/.exec(source)?.[1];
      return instance < 0 || lexer === undefined ? source : `${source.slice(0, instance)}export{${lexer} as Lexer}`;
    });
    replace(/signalr[\\/]dist[\\/]esm[\\/]DefaultHttpClient\.js$/, () => 'export class DefaultHttpClient {}');
    replace(/signalr[\\/]dist[\\/]esm[\\/]MessageBuffer\.js$/, () => 'export class MessageBuffer {}');
    replace(/signalr[\\/]dist[\\/]esm[\\/]/, (source) =>
      source
        .replace(uncalledMethods, '')
        .replace(logLevelNames, '')
        .replace(/^[ \t]*(?:(?:this\._)?logger\.log|Arg\.is\w+)\(.*\);\s*$/gm, '')
        .replace(createdLogger, '$1 return logger; }')
        .replace(prototypeRepairs, '')
        .replace(/Platform\.(isBrowser|isNode|isWebWorker|isReactNative)\b/g, (_, name) =>
          String(name === 'isBrowser'),
        ),
    );
  },
};

/** Of HubConnection and its builder, whole with their bodies. */
const uncalledMethods =
  /^ {4}(?:stream|send|off|_createStreamInvocation|set baseUrl|configureLogging|with(?:HubProtocol|ServerTimeout|KeepAliveInterval|StatefulReconnect))\((?:methodName|url|protocol|milliseconds|options|logging).*\) \{\r?\n[\s\S]*?^ {4}\}\r?\n/gm;

/** Of `configureLogging`. */
const logLevelNames = /^const LogLevelNameMapping = \{[\s\S]*?^\};\r?\n/m;

/** The widget gives a logger (src/widget/transport/hub-link.ts), so that none is made. */
const createdLogger = /^(export function createLogger\(logger\) \{)[\s\S]*?^\}/m;

/** What the errors do for targets without classes. */
const prototypeRepairs = /^ +(?:const trueProto = new\.target\.prototype|this\.__proto__ = trueProto);\r?\n/gm;

const shared = {
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Writes the built widget to `outdir`, which is created. Nothing else in it is touched.
 * @throws when a file does not build.
 */
export async function buildWidget({ root, outdir }: { readonly root: string; readonly outdir: string }): Promise<void> {
  const source = join(root, 'src', 'widget');
  mkdirSync(outdir, { recursive: true });
  const assets: string[] = [];
  const writeAsset = (name: string, contents: Uint8Array): string => {
    assets.push(name);
    writeFileSync(join(outdir, name), contents);
    writeFileSync(join(outdir, `${name}.gz`), gzipSync(contents, { level: 9 }));
    writeFileSync(join(outdir, `${name}.br`), brotliCompressSync(contents, { params: brotliParameters }));
    return name;
  };
  const chunk = async (entry: string, options: BuildOptions = {}): Promise<string> => {
    const { name, contents } = await bundle(join(source, entry), options);
    return writeAsset(name, contents);
  };

  const cards = await chunk('cards.ts');
  const edit = await chunk('edit.ts');
  const panel = await chunk('panel.ts', {
    define: { CARDS_CHUNK: JSON.stringify(cards), EDIT_CHUNK: JSON.stringify(edit) },
    plugins: [cssAsText, withoutUnusedParts],
    // The SignalR client's private members; nothing reads them by name.
    mangleProps: /^_[a-z]/,
  });
  const texts = Object.fromEntries(
    await Promise.all(
      languages.map(async (language) => {
        const file = `texts/${language.toLowerCase()}.ts`;
        return [language, await chunk(file, { entryNames: 'texts-[name]-[hash]' })] as const;
      }),
    ),
  );
  const demoStyle = await chunk('demo/demo.css', { plugins: [] });
  const demoScript = await chunk('demo/demo-page.ts', { entryNames: 'demo-[hash]' });
  const loader = await bundle(join(source, 'loader.ts'), { format: 'iife', entryNames: '[name]' });
  writeFileSync(join(outdir, 'loader.js'), loader.contents);
  const page = await readFile(join(source, 'demo', 'demo.html'), 'utf8');
  writeFileSync(join(outdir, 'demo.html'), page.replace('demo.css', demoStyle).replace('demo.js', demoScript));

  const manifest: WidgetManifest = { loader: 'loader.js', panel, texts, demoPage: 'demo.html', assets: assets.sort() };
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const brotliParameters = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

/** One entry as one file: its name carries the hash of its content. */
async function bundle(
  entry: string,
  options: BuildOptions,
): Promise<{ readonly name: string; readonly contents: Uint8Array }> {
  const result = await build({
    ...shared,
    entryPoints: [entry],
    outdir: 'out',
    format: 'esm',
    entryNames: '[name]-[hash]',
    plugins: [cssAsText],
    ...options,
  });
  const [file] = result.outputFiles ?? [];
  if (file === undefined) throw new Error(`${entry} built to nothing`);
  return { name: basename(file.path), contents: file.contents };
}
