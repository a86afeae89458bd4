import { helperSchema } from '../config/schema/helper.schema.ts';
import { type SettingSchema, typesOf } from '../config/schema/setting-schema.ts';
import type { HelperSettings } from '../config/settings.ts';

/** The settings that are on, by their paths: whatever is `true`, and what is off by default and is there. No value is told. */
export function optionsThatAreOn(settings: HelperSettings): readonly string[] {
  return pathsOn(helperSchema, settings, '');
}

function pathsOn(schema: SettingSchema, value: unknown, path: string): readonly string[] {
  if (value === true) return [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const types = typesOf(schema);
  const isThere = types.includes('object') && types.includes('null') ? [path] : [];
  // Maps have names of their users, which say nothing of an option.
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
    pathsOn(child, (value as Readonly<Record<string, unknown>>)[key], path === '' ? key : `${path}.${key}`),
  );
  return [...isThere, ...below];
}
