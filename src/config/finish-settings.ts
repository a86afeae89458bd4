import { resolve } from 'node:path';
import { parseDuration } from './duration.ts';
import type { KeyPath } from './located-value.ts';
import { helperSchema } from './schema/helper.schema.ts';
import { childSchema, type SettingSchema } from './schema/setting-schema.ts';
import { normalOrigin } from './setting-formats.ts';
import type { HelperSettings } from './settings.ts';
import { parseSize } from './size.ts';

export interface Folders {
  /** Of the YAML file. */
  readonly file: string;
  readonly workingDirectory: string;
  /** Whether an environment variable sets the value at a path. */
  readonly isFromEnvironment: (path: KeyPath) => boolean;
}

/** The settings that are about the configuration itself. */
export type DerivedSettings = Pick<
  HelperSettings,
  'configFile' | 'configuration' | 'fileWarnings' | 'isLanguageChosen' | 'secretFiles' | 'agentVariables'
>;

/**
 * Turns a valid configuration into settings: durations become milliseconds, sizes become bytes, paths become absolute. The result is frozen
 * at every depth. `value` has passed `checkShape`. `derived` holds the settings that the configuration itself does not contain.
 */
export function finishSettings(value: unknown, derived: DerivedSettings, folders: Folders): HelperSettings {
  const finished = finish(value, { schema: helperSchema, path: [] }, folders);
  // checkShape has compared `value` with the schema, and these types are derived from that schema.
  return deepFreeze({ ...(finished as Omit<HelperSettings, keyof typeof derived>), ...derived });
}

/** The schema and the path of a setting. */
interface Setting {
  readonly schema: SettingSchema;
  readonly path: KeyPath;
}

function finish(value: unknown, setting: Setting, folders: Folders): unknown {
  const finishChild = (child: unknown, key: string | number): unknown =>
    finish(child, { schema: childSchema(setting.schema, key) ?? {}, path: [...setting.path, key] }, folders);
  if (Array.isArray(value)) return value.map(finishChild);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, finishChild(child, key)]));
  }
  return typeof value === 'string' ? finishText(value, setting, folders) : value;
}

function limitOf(milliseconds: number): number | null {
  return milliseconds > 0 ? milliseconds : null;
}

/** The formats whose values are spelled as browsers write origins, because they are compared with the origins of requests. */
const originFormats: readonly string[] = ['origin', 'frame-ancestor', 'public-url'];

function finishText(text: string, { schema, path }: Setting, folders: Folders): string | number | null {
  if (schema.format === 'age-or-none') return text === 'none' ? null : (parseDuration(text) ?? 0);
  if (schema.format === 'time-limit') return limitOf(parseDuration(text) ?? 0);
  if (schema.format === 'duration' || schema.format === 'age') return parseDuration(text) ?? 0;
  if (schema.format === 'size') return parseSize(text) ?? 0;
  if (schema.format !== undefined && originFormats.includes(schema.format)) return normalOrigin(text) ?? text;
  if (schema.relativeTo === undefined) return text;
  if (schema.relativeTo === 'file-unless-address' && /^https?:\/\//i.test(text)) return text;
  const isOfTheProcess = schema.relativeTo === 'file-or-working-directory' && folders.isFromEnvironment(path);
  return resolve(isOfTheProcess ? folders.workingDirectory : folders.file, text);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
