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

/**
 * Turns what fits the schema into settings: durations to milliseconds, sizes to bytes, paths to absolute ones, then frozen
 * all the way down. `value` has passed `checkShape`; `derived` is what it does not say itself.
 */
export function finishSettings(
  value: unknown,
  derived: Pick<HelperSettings, 'configFile' | 'configuration' | 'fileWarnings' | 'isLanguageChosen' | 'secretFiles'>,
  folders: Folders,
): HelperSettings {
  const finished = finish(value, { schema: helperSchema, path: [] }, folders);
  // checkShape has compared it with the schema these types are derived from.
  return deepFreeze({ ...(finished as Omit<HelperSettings, keyof typeof derived>), ...derived });
}

/** A setting: what the schema says of it, and where it stands. */
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

/** Origins are compared as browsers write them. */
const originFormats: readonly string[] = ['origin', 'frame-ancestor', 'public-url'];

function finishText(text: string, { schema, path }: Setting, folders: Folders): string | number | null {
  if (schema.format === 'age-or-none') return text === 'none' ? null : (parseDuration(text) ?? 0);
  if (schema.format === 'time-limit') return limitOf(parseDuration(text) ?? 0);
  if (schema.format === 'duration' || schema.format === 'age') return parseDuration(text) ?? 0;
  if (schema.format === 'size') return parseSize(text) ?? 0;
  if (schema.format !== undefined && originFormats.includes(schema.format)) return normalOrigin(text) ?? text;
  if (schema.relativeTo === undefined) return text;
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
