import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ownAddress,
  confirmingClient,
  confirmingSettings,
  linkIn,
  PageOfQuestion,
  sessionCookie,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { spellingsOf } from '../support/mcp/token-spellings.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

async function opened(settings: object) {
  const { url } = await scriptedServer({
    scripts: [],
    plugin: mcpPlugin,
    settings: { ...confirmingSettings, ...settings },
    overrides: await ownAddress(),
  });
  return { origin: url, address: `${url}/mcp` };
}

/** The runs of actions that the plugin has counted. */
function runs(name: string): number {
  const { ran = {} } = Reflect.get(globalThis, 'mcpPluginState') as { ran?: Record<string, number> }; // the plugin sets it
  return ran[name] ?? 0;
}

const cancel = { name: 'cancel_order', arguments: {} };

describe('a program that has tokens of its user (contract/mcp-server.md#the-page)', () => {
  // proves service-5-41
  it.each(['HS256', 'ES256'] as const)(
    'knows the token of the call in every spelling of its signature: %s',
    async (algorithm) => {
      const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const directory = mkdtempSync(join(tmpdir(), 'helper-key-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const publicKeyFile = join(directory, 'key.pem');
      writeFileSync(publicKeyFile, keys.publicKey.export({ type: 'spki', format: 'pem' }));
      const jwt = algorithm === 'HS256' ? { secret: tokenSecret } : { publicKeyFile };
      const signing = algorithm === 'HS256' ? {} : { key: keys.privateKey, algorithm };
      const { origin, address } = await opened({ auth: { jwt: { ...jwt, cookie: sessionCookie } } });
      const program = await makeToken({ sub: 'ann', jti: 'program' }, signing);
      const { client } = await confirmingClient(address, { token: program });
      const link = linkIn(await client.callTool(cancel));
      const form = (proof: string) => new URLSearchParams({ proof, answer: 'approve' });
      for (const token of spellingsOf(program)) {
        const page = new PageOfQuestion(origin, link, { token });
        const { status } = await page.open();
        // Some of the spellings are no valid token at all.
        expect([401, 403]).toContain(status);
        expect([401, 403]).toContain((await page.send(form('x'))).status);
        if (token === program) expect(status).toBe(403);
      }
      const browser = await makeToken({ sub: 'ann', jti: 'browser' }, signing);
      expect((await new PageOfQuestion(origin, link, { token: browser }).answer('approve')).status).toBe(200);
      expect(await client.callTool(cancel)).toMatchObject({ structuredContent: { done: 'cancel_order' } });
      expect(runs('cancel_order')).toBe(1);
    },
  );

  // proves service-5-42
  it('opens no page to the tokens of programs by their claims, and opens it to every other', async () => {
    const programs = [
      { claim: 'azp', equals: 'agent' },
      { claim: 'act.client', equals: 'robot' },
    ];
    const { origin, address } = await opened({
      auth: { jwt: { secret: tokenSecret, cookie: sessionCookie, programs } },
    });
    const { program } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const link = linkIn(await client.callTool(cancel));
    const statusOf = async (claims: object) => {
      const page = new PageOfQuestion(origin, link, { token: await makeToken({ sub: 'ann', ...claims }) });
      const { status } = await page.open();
      return [status, (await page.send(new URLSearchParams({ proof: 'x', answer: 'approve' }))).status];
    };
    expect(await statusOf({ azp: 'agent' })).toEqual([403, 403]);
    expect(await statusOf({ azp: ['shop', 'agent'] })).toEqual([403, 403]);
    expect(await statusOf({ act: { client: 'robot' } })).toEqual([403, 403]);
    expect(await statusOf({ azp: 'agents', client: 'robot' })).toEqual([200, 403]);
    // Another token of the same user is the user.
    const other = await makeToken({ sub: 'ann', azp: 'shop' });
    expect((await new PageOfQuestion(origin, link, { token: other }).answer('approve')).status).toBe(200);
    expect(await client.callTool(cancel)).toMatchObject({ structuredContent: { done: 'cancel_order' } });
  });

  // proves service-5-42
  it.each([
    ['of no user', { client_id: 'sync' }],
    ['of the client as its user', { sub: 'sync', client_id: 'sync' }],
    ['as Auth0 marks it', { sub: 'sync@clients', azp: 'sync', gty: 'client-credentials' }],
    ['as Auth0 names its user', { sub: 'sync@clients', azp: 'sync' }],
    ['as Entra marks it', { sub: '5f2e', oid: '5f2e', azp: 'sync', idtyp: 'app' }],
    ['of an application of Entra, without scopes', { sub: '5f2e', oid: '5f2e', appid: 'sync', roles: ['Manager'] }],
    ['of a service account of Keycloak', { sub: '0b1c', azp: 'Sync', preferred_username: 'service-account-sync' }],
    ['of a service account of ZITADEL', { iss: 'https://shop.zitadel.cloud', sub: '1666', client_id: 'sync' }],
    ['of ZITADEL that has roles', { sub: '1666', client_id: '9-sync', 'urn:zitadel:iam:org:project:roles': {} }],
    ['of a service account of authentik', { sub: '9a', azp: 'x', preferred_username: 'ak-sync-client_credentials' }],
  ])('lets no client answer its own question with another token that it got for itself, %s', async (_title, claims) => {
    const { origin, address } = await opened({ auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } } });
    const [asking, other] = await Promise.all(['one', 'two'].map((jti) => makeToken({ ...claims, jti })));
    const { client } = await confirmingClient(address, { token: asking ?? '' });
    const link = linkIn(await client.callTool(cancel));
    const page = new PageOfQuestion(origin, link, { token: other ?? '' });
    expect((await page.open()).status).toBe(403);
    expect((await page.send(new URLSearchParams({ proof: 'x', answer: 'approve' }))).status).toBe(403);
  });

  // proves service-5-42
  it("knows a ZITADEL of one's own by its preset, and lets the users of its applications answer", async () => {
    const issuer = 'https://login.example.com';
    const jwt = { secret: tokenSecret, cookie: sessionCookie, preset: 'zitadel', issuer };
    const { origin, address } = await opened({ auth: { jwt } });
    const tokenOf = (client_id: string, jti: string): Promise<string> =>
      makeToken({ iss: issuer, sub: '1666', client_id, jti });
    const { client } = await confirmingClient(address, { token: await tokenOf('sync', 'one') });
    const link = linkIn(await client.callTool(cancel));
    expect((await new PageOfQuestion(origin, link, { token: await tokenOf('sync', 'two') }).open()).status).toBe(403);
    for (const application of ['777@shop', '325049841834561538', 'https://app.example.com/client.json']) {
      const page = new PageOfQuestion(origin, link, { token: await tokenOf(application, 'three') });
      expect((await page.open()).status).toBe(200);
    }
  });

  // proves service-5-42
  it('lets a person answer whose id is that of the directory, with a token without scopes, as Azure AD B2C gives it', async () => {
    const { origin, address } = await opened({ auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } } });
    const person = { sub: '5f2e', oid: '5f2e', azp: 'shop', given_name: 'Ann', family_name: 'Berg' };
    const [asking = '', other = ''] = await Promise.all(['one', 'two'].map((jti) => makeToken({ ...person, jti })));
    const { client } = await confirmingClient(address, { token: asking });
    const link = linkIn(await client.callTool(cancel));
    expect((await new PageOfQuestion(origin, link, { token: other }).answer('approve')).status).toBe(200);
  });
});
