import { OAuth2Server } from 'oauth2-mock-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTokenVerifier } from '../../src/adapters/identity/open-token-verifier.ts';
import type { TokenVerifier } from '../../src/core/ports/token-verifier.ts';
import { tokenIssuers } from '../../src/config/token-issuers.ts';
import { settingsWith } from '../unit/config/load-from-text.ts';
import { recordingLogger, recordingMetrics } from '../support/quiet.ts';

interface Issuer {
  readonly server: OAuth2Server;
  readonly url: string;
  readonly token: (claims?: object) => Promise<string>;
}

async function issuer(algorithm = 'RS256'): Promise<Issuer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate(algorithm);
  await server.start(0, '127.0.0.1');
  onTestFinished(() => server.stop());
  const token = (claims: object = {}): Promise<string> =>
    server.issuer.buildToken({
      scopesOrTransform: (_header, payload) => {
        Object.assign(payload, { sub: 'ann', aud: 'desk', ...claims });
      },
    });
  return { server, url: server.issuer.url ?? '', token };
}

function verifierOf(url: string): TokenVerifier {
  const { auth, tenancy } = settingsWith(`auth: { jwt: { issuer: '${url}', audience: desk, clockTolerance: 0 } }\n`);
  const services = { log: recordingLogger(), metrics: recordingMetrics(), now: Date.now };
  return openTokenVerifier(tokenIssuers({ auth, tenancy }), services);
}

describe('an OpenID Connect issuer (contract/identity.md#tokens, `auth.jwt.issuer`)', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'is found by discovery, and its %s tokens are believed',
    async (name) => {
      const { url, token } = await issuer(name);
      expect((await verifierOf(url).verify(await token())).claims).toMatchObject({ sub: 'ann' });
    },
  );

  it('may be written with a slash at its end', async () => {
    const { url, token } = await issuer();
    expect((await verifierOf(`${url}/`).verify(await token())).claims).toMatchObject({ sub: 'ann' });
  });

  it.each([
    ['for another audience', { aud: 'shop' }],
    ['that names another issuer', { iss: 'https://login.example.com' }],
    ['that has expired', { exp: 1_000_000 }],
  ])('has tokens refused %s', async (_title, claims) => {
    const { url, token } = await issuer();
    await expect(verifierOf(url).verify(await token(claims))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('of another is not believed, whatever its tokens say', async () => {
    const [ours, theirs] = [await issuer(), await issuer()];
    const forged = await theirs.token({ iss: ours.url });
    await expect(verifierOf(ours.url).verify(forged)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('whose discovery document is that of another is not used', async () => {
    const { server, url, token } = await issuer();
    const genuine = await token();
    server.issuer.url = 'https://login.example.com';
    await expect(verifierOf(url).verify(genuine)).rejects.toMatchObject({ code: 'overloaded' });
  });
});
