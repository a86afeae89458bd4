import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../src/core/identity/authenticator.ts';
import { identityOf, publish, publishedKeys } from '../support/identity-provider.ts';
import { rsaKeyPair } from '../support/tokens.ts';
import { settingsWith } from '../unit/config/load-from-text.ts';

/** An issuer that answers as the test says. */
async function issuer(answer: (url: string) => RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(url)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`; // it listens on TCP
  const { signIn, log } = await identityOf(settingsWith(`auth: { jwt: { issuer: '${url}', audience: desk } }\n`));
  return { url, asked, log, signIn: (claims = {}) => signIn({ iss: url, aud: 'desk', sub: 'ann', ...claims }) };
}

const reasons = (lines: readonly { readonly fields: object }[]): string =>
  lines
    .map(({ fields }) => ('error' in fields && fields.error instanceof Error ? fields.error.message : ''))
    .join('\n');

const json =
  (content: (path: string) => unknown): RequestListener =>
  (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(content(request.url ?? '')));
  };

const discovery = (url: string): object => ({ issuer: url, jwks_uri: `${url}/keys` });
const other = 'https://login.example.com';
const keysAt = (url: string, keys: unknown): RequestListener =>
  json((path) => (path === '/keys' ? { keys } : discovery(url)));

describe('an issuer that answers strangely (contract/identity.md#issuers)', () => {
  // proves service-5-56
  it.each<[string, (url: string) => RequestListener, RegExp, number]>([
    [
      'redirects',
      () => (_request, response) => void response.writeHead(302, { location: `${other}/there?secret=1` }).end(),
      /answered 302, a redirect to https:\/\/login\.example\.com\/there\b(?!.*secret=1)/,
      1,
    ],
    [
      'redirects to itself',
      () => (request, response) => void response.writeHead(301, { location: request.url ?? '' }).end(),
      /redirects are not followed/,
      1,
    ],
    [
      'answers 10 MB',
      () => (_request, response) => void response.end(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`),
      /answered more than 524288 bytes/,
      1,
    ],
    [
      'is another by name',
      () => json(() => discovery(other)),
      /another issuer, https:\/\/login\.example\.com: .*jwksUrl to/,
      1,
    ],
    [
      'is that of all tenants',
      () => json(() => discovery(`${other}/{tenantid}`)),
      /set issuer to that name, and tenants/,
      1,
    ],
    ['answers a page', () => (_request, response) => void response.end('<html>'), /holds no JSON/, 1],
    ['answers a list', () => json(() => []), /holds no JSON object/, 1],
    ['names no keys', (url) => json(() => ({ issuer: url })), /names no jwks_uri/, 1],
    ['has keys that are no list', (url) => keysAt(url, 'none'), /no key set/, 2],
  ])('and %s makes every token wait, and the log says why', async (_title, answer, reason, requests) => {
    const { signIn, asked, log } = await issuer(answer);
    await expect(signIn()).rejects.toMatchObject({ code: 'overloaded' });
    expect(reasons(log.lines)).toMatch(reason);
    expect(asked).toHaveLength(requests);
  });

  // proves service-5-56
  it('and publishes keys of other kinds signs its users in with the one that fits', async () => {
    const strange = [
      null,
      'key',
      {},
      { kty: 'oct', k: 'c2VjcmV0', kid: 'one' },
      { kty: 'EC', crv: 'secp256k1', x: 'a', y: 'b', kid: 'one' },
      { kty: 'OKP', crv: 'X25519', x: 'a', kid: 'one' },
      { ...rsaKeyPair('one').jwk, use: 'enc' },
      { ...rsaKeyPair('one').jwk, alg: 'RSA-OAEP' },
    ];
    const { signIn } = await issuer((url) => keysAt(url, [...strange, ...publishedKeys.keys]));
    expect((await signIn()).principal).toMatchObject({ id: 'ann' });
  });

  // proves service-5-56
  it('and publishes 1,000 keys signs its users in with the one that a token names', async () => {
    const { jwk } = rsaKeyPair('other');
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...jwk, kid: `k${String(index)}` }));
    const { signIn } = await issuer((url) => keysAt(url, [...many, ...publishedKeys.keys]));
    expect((await signIn()).principal).toMatchObject({ id: 'ann' });
    await expect(signIn({ aud: 'wiki' })).rejects.toMatchObject({ refusal: 'audience' });
  });

  // proves service-5-56
  it('and says of a key that it is another’s alone signs nobody in with it', async () => {
    const [key] = publishedKeys.keys;
    const foreign = await issuer((url) => keysAt(url, [{ ...key, issuer: other }]));
    await expect(foreign.signIn()).rejects.toMatchObject({ refusal: 'signature' });
    const own = await issuer((url) => keysAt(url, [{ ...key, issuer: url }]));
    expect((await own.signIn()).principal).toMatchObject({ id: 'ann' });
  });

  // proves service-5-56
  it('and says of a key of Entra for which tenants it is signs in users with tokens of version 1, too', async () => {
    const [key] = publishedKeys.keys;
    const tenant = '6f1d3c1a-8f4e-4a5b-9d57-1c2f3a4b5c6d';
    const keysAddress = 'https://login.microsoftonline.com/common/discovery/v2.0/keys';
    const jwt = `{ jwksUrl: "${keysAddress}", issuer: "https://sts.windows.net/{tenantid}/", audience: desk }`;
    const signInWith = async (issuerOfKey: string): Promise<Caller> => {
      publish({ [keysAddress]: { keys: [{ ...key, issuer: issuerOfKey }] } });
      const { signIn } = await identityOf(settingsWith(`auth: { jwt: ${jwt} }\n`));
      return signIn({ iss: `https://sts.windows.net/${tenant}/`, tid: tenant, aud: 'desk', sub: 'ann' });
    };
    const { principal } = await signInWith('https://login.microsoftonline.com/{tenantid}/v2.0');
    expect(principal).toMatchObject({ id: 'ann' });
    const others = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
    await expect(signInWith(others)).rejects.toMatchObject({ refusal: 'signature' });
  });

  // proves service-5-57
  it('and names another issuer of access tokens signs their users in, too', async () => {
    const { signIn } = await issuer((url) =>
      json((path) =>
        path === '/keys' ? publishedKeys : { ...discovery(url), access_token_issuer: 'http://adfs.example.com/trust' },
      ),
    );
    expect((await signIn()).principal).toMatchObject({ id: 'ann' });
    expect((await signIn({ iss: 'http://adfs.example.com/trust' })).principal).toMatchObject({ id: 'ann' });
    await expect(signIn({ iss: 'http://adfs.example.com' })).rejects.toMatchObject({ refusal: 'issuer' });
  });
});
