import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSettings } from '../../../src/config/load-settings.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { type StartupFault, StartupFaults } from '../../../src/core/errors/startup-fault.ts';

/** The smallest configuration that loads. */
export const minimal = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }\nactions: none\n';

export interface Written {
  readonly environment?: Readonly<Record<string, string>>;
  /** Further files by path below the folder of the configuration. */
  readonly files?: Readonly<Record<string, string>>;
}

export type Loaded =
  | { readonly settings: HelperSettings; readonly faults: readonly []; readonly folder: string }
  | { readonly settings: undefined; readonly faults: readonly StartupFault[]; readonly folder: string };

/** Loads a configuration from a new folder, which is deleted afterwards. */
export function loadText(text: string | Uint8Array, { environment = {}, files = {} }: Written = {}): Loaded {
  const folder = mkdtempSync(join(tmpdir(), 'helper-config-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    writeFileSync(join(folder, 'helper.yaml'), text);
    const { settings } = loadSettings({ file: 'helper.yaml', environment, workingDirectory: folder });
    return { settings, faults: [], folder };
  } catch (error) {
    if (!(error instanceof StartupFaults)) throw error;
    return { settings: undefined, faults: error.faults, folder };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads the minimal configuration with further lines. The test fails when the configuration has faults. */
export function settingsWith(lines: string, written: Written = {}): HelperSettings {
  const { settings, faults } = loadText(minimal + lines, written);
  if (settings === undefined) throw new Error(faults.map((fault) => `${fault.path}: ${fault.message}`).join('\n'));
  return settings;
}

/** The faults of the minimal configuration with further lines. */
export function faultsWith(lines: string, written: Written = {}): readonly StartupFault[] {
  return loadText(minimal + lines, written).faults;
}
