import { describe, expect, it } from 'vitest';
import { renewedSecrets, withSecretsOf } from '../../../../src/app/reload/live-secrets.ts';
import { settingsWith } from '../../config/load-from-text.ts';

const settings = (...secrets: readonly string[]) =>
  settingsWith(
    `auth: { jwt: [{ issuer: "https://id.example", audience: desk }, ${secrets.map((secret) => `{ secret: "${secret.repeat(32)}", audience: desk, sharedUsers: true }`).join(', ')}] }\n`,
  );

describe('a secret in a list of issuers (contract/operations.md#secrets)', () => {
  it('is renewed in its entry, and nothing else is', () => {
    const [before, after] = [settings('a'), settings('b')];
    const taken = withSecretsOf(after, before);
    expect(taken.auth).toEqual(after.auth);
    expect(renewedSecrets(before, taken)).toEqual(['auth.jwt.secret']);
    expect(renewedSecrets(before, withSecretsOf(settings('a'), before))).toEqual([]);
  });

  it('never comes to the rules of another entry, when entries change places', () => {
    const entry = (name: string) =>
      `{ secret: "${name.repeat(32)}", issuer: "https://${name}.example", audience: desk }`;
    const [before, after] = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((names) => settingsWith(`auth: { jwt: [${names.map(entry).join(', ')}] }\n`));
    if (before === undefined || after === undefined) throw new Error('there are two');
    expect(withSecretsOf(after, before).auth).toEqual(before.auth);
    expect(renewedSecrets(before, withSecretsOf(after, before))).toEqual([]);
  });

  it('waits for a restart with an issuer that comes or goes', () => {
    const before = settings('a');
    expect(withSecretsOf(settings('a', 'b'), before).auth).toBe(before.auth);
  });
});
