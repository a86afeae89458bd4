import { withoutQuery } from '../core/errors/hidden-query.ts';
import { holdsSubstitution, type KeyPath, type LocatedValue, valueAt } from './located-value.ts';
import { childSchema, type SettingSchema } from './schema/setting-schema.ts';

/** A key that the schema does not know counts as a secret when its name holds one of these words. */
const secretName = /key|token|secret|password|passphrase|credential|authorization/i;

/**
 * What stands at a path, for a message: short, on one line, and `***` when it came from `${…}` or is a secret
 * (contract/configuration.md#faults).
 */
export function describeFound(root: LocatedValue, path: KeyPath, schema: SettingSchema): string {
  const value = valueAt(root, path);
  if (value === undefined || (value.kind === 'scalar' && value.value === null && !value.substituted)) return 'nothing';
  if (value.kind === 'map') return 'a map';
  if (value.kind === 'list') return 'a list';
  if (isSecret(path, schema) || holdsSubstitution(value)) return '***';
  const text = JSON.stringify(typeof value.value === 'string' ? textFound(value.value, path, schema) : value.value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Addresses lose what may be a key. A question mark in a regular expression is no query. */
function textFound(text: string, path: KeyPath, schema: SettingSchema): string {
  const own = path.reduce<SettingSchema>((outer, key) => childSchema(outer, key) ?? {}, schema);
  return own.format === 'regex' ? text : withoutQuery(text);
}

/** Whether the value at a path may never be shown. */
export function isSecret(path: KeyPath, schema: SettingSchema): boolean {
  let own: SettingSchema | undefined = schema;
  for (const key of path) {
    own = own === undefined ? undefined : childSchema(own, key);
    if (own?.secret === true) return true;
    if (isFree(own) && typeof key === 'string' && secretName.test(key)) return true;
  }
  return false;
}

/** Unknown to our schema, or left by it to a plugin or package. */
function isFree(schema: SettingSchema | undefined): boolean {
  return schema === undefined || Object.keys(schema).length === 0;
}
