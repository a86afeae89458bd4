import { isDeepStrictEqual } from 'node:util';
import type { HelperSettings } from '../../config/settings.ts';

/** Where there are secrets that a server takes while it runs, beside those of `models`. */
type SecretSections = Pick<HelperSettings, 'auth' | 'endpoints' | 'actions'>;

/** The sections that serve, with the secrets of the changed configuration wherever both have one. */
export function withSecretsOf(changed: HelperSettings, serving: HelperSettings): SecretSections {
  return {
    auth: authWith(changed.auth, serving.auth),
    endpoints: endpointsWith(changed.endpoints, serving.endpoints),
    actions: actionsWith(changed.actions, serving.actions),
  };
}

/** The keys of the secrets that differ. */
export function renewedSecrets(before: SecretSections, after: SecretSections): readonly string[] {
  return [
    ...(isDeepStrictEqual(before.auth, after.auth) ? [] : ['auth.jwt.secret']),
    ...(isDeepStrictEqual(before.endpoints, after.endpoints) ? [] : ['endpoints.metrics.token']),
    ...(isDeepStrictEqual(before.actions, after.actions) ? [] : ['actions.callbacks[].secret']),
  ];
}

function authWith(changed: HelperSettings['auth'], serving: HelperSettings['auth']): HelperSettings['auth'] {
  const { jwt } = serving;
  const secret = changed.jwt?.secret ?? null;
  return jwt === null || jwt.secret === null || secret === null ? serving : { ...serving, jwt: { ...jwt, secret } };
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
  return { ...serving, callbacks };
}
