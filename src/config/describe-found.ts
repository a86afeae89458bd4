import { withoutQuery } from '../core/errors/hidden-query.ts';
import { holdsSubstitution, type KeyPath, type LocatedValue, valueAt } from './located-value.ts';
import { childSchema, type SettingSchema } from './schema/setting-schema.ts';

/** A key that the schema does not know counts as a secret when its name holds one of these words. */
const secretName = /key|token|secret|password|passphrase|credential|authorization/i;

/**
 * The value at a path, for a message: short, on one line. It is `***` when the value came from `${…}` or is a secret
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

/** The text without the query of an address, because the query may hold a key. In a regular expression a question mark begins no query. */
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

/** Whether our schema does not know the value, or leaves it to a plugin or package. */
function isFree(schema: SettingSchema | undefined): boolean {
  return schema === undefined || Object.keys(schema).length === 0;
}
