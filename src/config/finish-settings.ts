import { resolve } from 'node:path';
import { parseDuration } from './duration.ts';
import { helperSchema } from './schema/helper.schema.ts';
import { childSchema, type SettingSchema } from './schema/setting-schema.ts';
import { normalOrigin } from './setting-formats.ts';
import type { HelperSettings } from './settings.ts';
import { parseSize } from './size.ts';

export interface Folders {
  /** Of the YAML file. */
  readonly file: string;
  readonly workingDirectory: string;
}

/**
 * Turns what fits the schema into settings: durations to milliseconds, sizes to bytes, paths to absolute ones, then frozen
 * all the way down. `value` has passed `checkShape`.
 */
export function finishSettings(value: unknown, configFile: string, folders: Folders): HelperSettings {
  const finished = finish(value, helperSchema, folders);
  // checkShape has compared it with the schema these types are derived from.
  return deepFreeze({ ...(finished as Omit<HelperSettings, 'configFile'>), configFile });
}

function finish(value: unknown, schema: SettingSchema, folders: Folders): unknown {
  if (Array.isArray(value)) return value.map((item, index) => finish(item, childSchema(schema, index) ?? {}, folders));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, finish(item, childSchema(schema, key) ?? {}, folders)]),
    );
  }
  return typeof value === 'string' ? finishText(value, schema, folders) : value;
}

function finishText(text: string, schema: SettingSchema, folders: Folders): string | number {
  if (schema.format === 'duration' || schema.format === 'age') return parseDuration(text) ?? 0;
  if (schema.format === 'size') return parseSize(text) ?? 0;
  if (schema.format === 'origin' || schema.format === 'public-url') return normalOrigin(text) ?? text;
  if (schema.relativeTo === undefined) return text;
  return resolve(schema.relativeTo === 'file' ? folders.file : folders.workingDirectory, text);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
