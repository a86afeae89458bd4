import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkShape } from './check-shape.ts';
import { finishSettings } from './finish-settings.ts';
import type { HelperSettings } from './settings.ts';
import type { ConfigurationWarning } from './warnings.ts';

/** Documented in `docs/reference/warnings.md`. */
export const withoutEffectCode = 'HLP1030';

/**
 * A warning about settings that have no effect in this way of running. It names those of `keys` (`server.port`, `cors`) whose value is not
 * the default. There is no warning when all values are the default. `because` ends the sentence.
 */
export function withoutEffect(
  settings: HelperSettings,
  keys: readonly string[],
  because: string,
): readonly ConfigurationWarning[] {
  const defaults = defaultSettings(settings);
  const set = keys.filter((key) => !isDeepStrictEqual(valueOf(settings, key), valueOf(defaults, key)));
  if (set.length === 0) return [];
  const message = `${set.join(', ')} ${set.length === 1 ? 'has' : 'have'} no effect: ${because}`;
  return [{ code: withoutEffectCode, message }];
}

/** The settings that would hold if the file set nothing. */
export function defaultSettings({ configFile }: Pick<HelperSettings, 'configFile'>): HelperSettings {
  const value: Record<string, unknown> = {};
  // The check fills in the defaults. It also finds missing settings, but none of them is one of these keys.
  checkShape(value);
  const folders = { file: dirname(configFile), workingDirectory: '.', isFromEnvironment: () => false };
  const derived = {
    ...{ configFile, configuration: '', fileWarnings: [], isLanguageChosen: false },
    ...{ secretFiles: [], agentVariables: {} },
  };
  return finishSettings(value, derived, folders);
}

/** The value at a path such as `server.port`. Undefined where there is none. */
export function valueOf(settings: unknown, key: string): unknown {
  let value = settings;
  for (const name of key.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
