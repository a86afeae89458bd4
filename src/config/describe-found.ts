import { holdsSubstitution, type KeyPath, type LocatedValue, valueAt } from './located-value.ts';
import { childSchema, type SettingSchema } from './schema/setting-schema.ts';

/** Names below which nobody here knows what stands, but which say it is a secret. */
const secretName = /key|token|secret|password|passphrase|credential|authorization/i;

/** In the address of a server, the user name and the password before its host. */
const userOfUrl = /:\/\/[^/?#]*@/;

/**
 * What stands at a path, for a message: short, on one line, and `***` when it came from `${…}` or is a secret
 * (configuration.md 1.5).
 */
export function describeFound(root: LocatedValue, path: KeyPath, schema: SettingSchema): string {
  const value = valueAt(root, path);
  if (value === undefined || (value.kind === 'scalar' && value.value === null && !value.substituted)) return 'nothing';
  if (value.kind === 'map') return 'a map';
  if (value.kind === 'list') return 'a list';
  if (isSecret(path, schema) || holdsSubstitution(value)) return '***';
  const text = JSON.stringify(value.value).replace(userOfUrl, '://***@');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
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
