import { helperSchema } from '../config/schema/helper.schema.ts';
import { type SettingSchema, typesOf } from '../config/schema/setting-schema.ts';
import type { HelperSettings } from '../config/settings.ts';

/**
 * The paths of the settings that are on: settings that are `true`, and sections that are null by default and are set. Values are not shown.
 */
export function optionsThatAreOn(settings: HelperSettings): readonly string[] {
  return pathsOn(helperSchema, settings, '');
}

function pathsOn(schema: SettingSchema, value: unknown, path: string): readonly string[] {
  if (value === true) return [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const types = typesOf(schema);
  const isThere = types.includes('object') && types.includes('null') ? [path] : [];
  // The keys of maps are names that the operator chose, and are no options.
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
    pathsOn(child, (value as Readonly<Record<string, unknown>>)[key], path === '' ? key : `${path}.${key}`),
  );
  return [...isThere, ...below];
}
