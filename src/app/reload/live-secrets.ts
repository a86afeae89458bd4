import { isDeepStrictEqual } from 'node:util';
import type { HelperSettings, TokenIssuerSettings } from '../../config/settings.ts';
import { tokenEntries } from '../../config/token-issuers.ts';

/** The sections with secrets that a running server can take over. The secrets of `models` are taken over elsewhere. */
type SecretSections = Pick<HelperSettings, 'auth' | 'endpoints' | 'actions' | 'ragSources'>;

/** The present sections. A secret that both configurations have comes from the changed one. */
export function withSecretsOf(changed: HelperSettings, serving: HelperSettings): SecretSections {
  return {
    auth: authWith(changed.auth, serving.auth),
    endpoints: endpointsWith(changed.endpoints, serving.endpoints),
    actions: actionsWith(changed.actions, serving.actions),
    ragSources: sourcesWith(changed.ragSources, serving.ragSources),
  };
}

/** The keys of the secrets that differ. Secrets in files of their own are compared by `renewedKeys`. */
export function renewedSecrets(before: SecretSections, after: SecretSections): readonly string[] {
  return [
    ...(isDeepStrictEqual(secretsIn(before.auth), secretsIn(after.auth)) ? [] : ['auth.jwt.secret']),
    ...(isDeepStrictEqual(before.endpoints, after.endpoints) ? [] : ['endpoints.metrics.token']),
    ...renewedInActions(before.actions, after.actions),
    ...(isDeepStrictEqual(before.ragSources, after.ragSources) ? [] : ['ragSources[].secret']),
  ];
}

function renewedInActions(before: HelperSettings['actions'], after: HelperSettings['actions']): readonly string[] {
  if (before === 'none' || after === 'none') return [];
  return [
    ...(isDeepStrictEqual(before.callbacks, after.callbacks) ? [] : ['actions.callbacks[].secret']),
    ...(isDeepStrictEqual(before.openapi, after.openapi) ? [] : ['actions.openapi[].headers']),
  ];
}

function authWith(changed: HelperSettings['auth'], serving: HelperSettings['auth']): HelperSettings['auth'] {
  const before = tokenEntries(serving);
  const after = tokenEntries(changed);
  // A change to other issuers waits for a restart.
  if (before.length === 0 || before.length !== after.length) return serving;
  const entries = before.map(({ settings }, index) => {
    const changedEntry = after[index]?.settings ?? settings;
    // Entries of a list may change places. The key of one issuer must not come to the rules of another.
    const isSame = before.length === 1 || isDeepStrictEqual(withoutKeys(changedEntry), withoutKeys(settings));
    return isSame ? entryWith(changedEntry, settings) : settings;
  });
  const [only] = entries;
  return { ...serving, jwt: Array.isArray(serving.jwt) || only === undefined ? entries : only };
}

function withoutKeys(entry: TokenIssuerSettings): TokenIssuerSettings {
  return { ...entry, secret: null, publicKeyFile: null };
}

function entryWith({ secret, publicKeyFile }: TokenIssuerSettings, serving: TokenIssuerSettings): TokenIssuerSettings {
  // A change to another kind of key waits for a restart.
  if (serving.secret !== null && secret !== null) return { ...serving, secret };
  if (serving.publicKeyFile !== null && publicKeyFile !== null) return { ...serving, publicKeyFile };
  return serving;
}

function secretsIn(auth: HelperSettings['auth']): readonly TokenIssuerSettings['secret'][] {
  return tokenEntries(auth).map(({ settings }) => settings.secret);
}

function endpointsWith(
  { metrics: { token } }: HelperSettings['endpoints'],
  serving: HelperSettings['endpoints'],
): HelperSettings['endpoints'] {
  const { metrics } = serving;
  return metrics.token === null || token === null ? serving : { ...serving, metrics: { ...metrics, token } };
}

function actionsWith(
  changed: HelperSettings['actions'],
  serving: HelperSettings['actions'],
): HelperSettings['actions'] {
  if (changed === 'none' || serving === 'none') return serving;
  const secretOf = new Map(changed.callbacks.map(({ name, secret }) => [name, secret]));
  const callbacks = serving.callbacks.map((callback) => ({
    ...callback,
    secret: secretOf.get(callback.name) ?? callback.secret,
  }));
  const headersOf = new Map(changed.openapi.map(({ name, headers }) => [name, headers]));
  const openapi = serving.openapi.map((api) => ({
    ...api,
    headers: headersWith(headersOf.get(api.name), api.headers),
  }));
  return { ...serving, callbacks, openapi };
}

/** Values that changed. Another set of names waits for a restart, because the arguments of actions depend on it. */
function headersWith(
  changed: Readonly<Record<string, string>> | undefined,
  serving: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const sorted = (headers: Readonly<Record<string, string>>): readonly string[] => Object.keys(headers).sort();
  return changed !== undefined && isDeepStrictEqual(sorted(changed), sorted(serving)) ? changed : serving;
}

function sourcesWith(
  changed: HelperSettings['ragSources'],
  serving: HelperSettings['ragSources'],
): HelperSettings['ragSources'] {
  const secretOf = new Map(changed.flatMap((source) => (source.type === 'http' ? [[source.name, source.secret]] : [])));
  return serving.map((source) =>
    source.type === 'http' ? { ...source, secret: secretOf.get(source.name) ?? source.secret } : source,
  );
}
