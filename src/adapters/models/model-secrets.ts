import { withoutQueries } from '../../core/errors/hidden-query.ts';
import { objectOf } from './json-values.ts';
import type { ModelSettings } from './model-settings.ts';

/** The least length of a secret that is removed. Shorter texts occur in too many other texts. */
const leastLength = 8;

/** Removes the secrets of an entry of `models` from a text of its provider: keys, headers, and the queries of addresses. */
export function secretCleaner(
  settings: Pick<ModelSettings, 'apiKey' | 'headers' | 'options' | 'baseUrl' | 'endpoint'>,
): (text: string) => string {
  const { apiKey, headers = {}, options = {}, baseUrl, endpoint } = settings;
  const candidates = [apiKey, options['apiKey'], ...secretsIn(headers), ...queriesIn([baseUrl, endpoint, options])];
  const secrets = candidates.filter((value): value is string => typeof value === 'string');
  return (text) => without(secrets, withoutQueries(text));
}

/** The text without these secrets. Short secrets stay: they occur in too many other texts. */
export function without(secrets: readonly string[], text: string): string {
  return secrets
    .filter(({ length }) => length >= leastLength)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text);
}

/** The values of headers, and each value without its scheme: a provider may repeat the token of `Bearer TOKEN` alone. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]);
}

/** The queries of all addresses in a value, and the values of their parameters. */
function queriesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(queriesIn);
  if (typeof value === 'string') return URL.canParse(value) ? queriesOf(new URL(value)) : [];
  return Object.values(objectOf(value) ?? {}).flatMap(queriesIn);
}

function queriesOf({ search, searchParams, password }: URL): readonly string[] {
  return [search, password, ...searchParams.values()];
}
