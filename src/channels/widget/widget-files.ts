import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAsset, type ServedFile } from '../shared/served-file.ts';

/** The built widget, read once. */
export interface WidgetFiles {
  /** The loader, before the settings are filled in. */
  readonly loader: string;
  /** Name of the panel chunk. */
  readonly panel: string;
  /** Name of the languages' chunks; the star stands for the language in lower case. */
  readonly texts: string;
  /** The embed page and its script, before the settings are filled in. */
  readonly embed: { readonly page: string; readonly script: string };
  /** The demo page, before the base path is filled in. */
  readonly demoPage: string;
  /** The files whose names contain a hash of their content. */
  readonly assets: ReadonlyMap<string, ServedFile>;
}

/**
 * Reads what `npm run build` has made of the widget.
 * @throws Error that says what to do, when it was not built.
 */
export function readWidgetFiles(directory: string): WidgetFiles {
  const manifestFile = join(directory, 'manifest.json');
  if (!existsSync(manifestFile)) {
    throw new Error(`The widget is not built: ${manifestFile} is missing. Run "npm run build" first.`);
  }
  const manifest = readManifest(readFileSync(manifestFile, 'utf8'));
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  return {
    loader: read(manifest.loader),
    panel: manifest.panel,
    texts: manifest.texts,
    embed: { page: read(manifest.embedPage), script: read(manifest.embed) },
    demoPage: read(manifest.demoPage),
    assets: new Map(manifest.assets.map((name) => [name, readAsset(directory, name)])),
  };
}

interface Manifest {
  readonly loader: string;
  readonly panel: string;
  readonly texts: string;
  readonly embed: string;
  readonly embedPage: string;
  readonly demoPage: string;
  readonly assets: readonly string[];
}

function readManifest(text: string): Manifest {
  const manifest: unknown = JSON.parse(text);
  // Written by scripts/build-widget.ts in the same build as this server.
  return manifest as Manifest;
}
