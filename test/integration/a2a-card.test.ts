import { request as httpRequest } from 'node:http';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { a2aClient, asking, replyOf, taskOf } from '../support/a2a-client.ts';
import { freePort } from '../support/free-port.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `
const parameters = { type: 'object', properties: {} };
const execute = () => 'done';
export default {
  name: 'desk',
  actions: [
    { name: 'get_order', title: 'Look up an order', description: 'Reads an order.', readOnly: true, parameters, execute },
    { name: 'read_report', description: 'Reads the report.', readOnly: true, requiredRoles: ['Boss'], parameters, execute },
    { name: 'export_orders', description: 'Exports orders.', readOnly: true, requiresConfirmation: true, parameters, execute },
    { name: 'cancel_order', description: 'Cancels an order.', parameters, execute },
  ],
};`;

const cardAt = '/.well-known/agent-card.json';

async function served(settings: object = {}, given = plugin, port = 0): Promise<string> {
  const { url } = await scriptedServer({
    overrides: { HELPER__SERVER__PORT: String(port) },
    scripts: [saying('Two orders.')],
    plugin: given,
    settings: { a2aServerEnabled: true, appDescription: 'Sells lamps.', ...settings },
  });
  return url;
}

async function cardOf(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + cardAt);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** The card as a client reads it that calls the server by another name. */
function cardAtHost(url: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + cardAt, { headers: { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        resolve(text);
      });
    });
    sent.on('error', reject).end();
  });
}

describe('the card of the agent (contract/a2a-server.md#the-card)', () => {
  // proves service-4.8-03
  it('lists what needs neither a role nor an answer of a user', async () => {
    const url = await served({ agentCard: { tags: ['lamps'] } });
    expect(await cardOf(url)).toEqual({
      name: 'Test',
      description: 'Sells lamps.',
      version: '1.0.0',
      supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'get_order', name: 'Look up an order', description: 'Reads an order.', tags: ['action'] }],
    });
  });

  it('has a list of skills even where there is none', async () => {
    const url = await served({}, `export default { name: 'none', actions: [] };`);
    expect((await cardOf(url))['skills']).toEqual([]);
  });

  // proves service-4.8-04
  it('says what agentCard says, and who provides the assistant at which address', async () => {
    const port = await freePort();
    await served(
      {
        agentCard: {
          version: '2.1.0',
          provider: 'Lamps & Co',
          iconUrl: 'https://lamps.example/icon.png',
          documentationUrl: 'https://lamps.example/docs',
        },
        enableImageInput: true,
        server: { publicUrl: 'https://help.lamps.example' },
      },
      plugin,
      port,
    );
    const card = await cardOf(`http://127.0.0.1:${String(port)}`);
    expect(card).toMatchObject({
      version: '2.1.0',
      iconUrl: 'https://lamps.example/icon.png',
      documentationUrl: 'https://lamps.example/docs',
      provider: { organization: 'Lamps & Co', url: 'https://help.lamps.example' },
      supportedInterfaces: [{ url: 'https://help.lamps.example/a2a' }],
    });
    expect(card['defaultInputModes']).toContain('image/png');
  });

  // proves service-4.8-05
  it('names the address by which its client has reached the server', async () => {
    const url = await served({ a2aServerPath: '/agents/desk', server: { hosts: ['desk.example'] } });
    const text = await cardAtHost(url, 'desk.example');
    expect(AgentCard.fromJSON(JSON.parse(text)).supportedInterfaces[0]?.url).toBe('http://desk.example/agents/desk');
    const client = await a2aClient(url);
    expect(replyOf(await taskOf(client.sendMessage(asking('Which?'))))).toBe('Two orders.');
  });

  // proves service-4.8-05
  it('is also below server.basePath, where a proxy may lead to nothing else', async () => {
    const url = await served({ server: { basePath: '/helper-api' } });
    const [root, below] = [await fetch(new URL(cardAt, url)), await fetch(url + cardAt)];
    expect(await below.text()).toBe(await root.text());
    expect(AgentCard.fromJSON(await (await fetch(url + cardAt)).json()).supportedInterfaces[0]?.url).toBe(`${url}/a2a`);
    const client = await a2aClient(url);
    expect(replyOf(await taskOf(client.sendMessage(asking('Which?'))))).toBe('Two orders.');
  });

  // proves service-4.8-06
  it('says that callers may sign in, and that they must where it is so', async () => {
    const bearer = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } };
    const jwt = { auth: { jwt: { secret: tokenSecret } } };
    const open = await cardOf(await served(jwt));
    expect(open).toMatchObject({ securitySchemes: bearer });
    expect(open).not.toHaveProperty('securityRequirements');
    const url = await served({ ...jwt, endpoints: { a2a: { requireAuthorization: true } } });
    expect((await fetch(url + cardAt)).status).toBe(401);
    const authorization = `Bearer ${await makeToken({ sub: 'ann' })}`;
    const closed = await fetch(url + cardAt, { headers: { authorization } });
    expect(closed.headers.get('cache-control')).toBe('private, max-age=60');
    expect(await closed.json()).toMatchObject({
      securitySchemes: bearer,
      securityRequirements: [{ schemes: { bearer: {} } }],
    });
  });

  // proves configuration-5-51
  it.each([false, true])('is signed, by a key that everybody can read, with legacy: %s', async (legacy) => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signingKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' });
    const port = await freePort();
    const origin = `http://localhost:${String(port)}`;
    const url = `${origin}/helper-api`;
    const jwt = { auth: { jwt: { secret: tokenSecret } } };
    const a2a = { signingKey, requireAuthorization: true, legacy };
    await served({ ...jwt, endpoints: { a2a }, server: { basePath: '/helper-api', publicUrl: origin } }, plugin, port);
    const headers = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
    const text = await (await fetch(url + cardAt, { headers })).text();
    expect(await (await fetch(url + cardAt, { headers })).text()).toBe(text);
    const card = AgentCard.fromJSON(JSON.parse(text));
    let used = '';
    const verify = verifyAgentCardSignature(async (kid, jku = '') => {
      used = jku;
      const { keys } = (await (await fetch(jku)).json()) as { keys: (JsonWebKey & { kid: string })[] };
      const key = keys.find((one) => one.kid === kid);
      if (key === undefined) throw new Error('the key is not there');
      expect(key).not.toHaveProperty('d');
      expect(await calculateJwkThumbprint(key as JWK)).toBe(kid);
      return key;
    });
    await verify(card);
    expect(used).toBe(`${url}/helper/agent-card-keys.json`);
    // The library prints what it finds.
    const printed = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    onTestFinished(() => {
      printed.mockRestore();
    });
    await expect(verify({ ...card, description: 'Sells your data.' })).rejects.toThrow();
  });

  // proves configuration-5-51
  it.each([
    ['no key', 'hello'],
    ['a key that is too small', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
    ['a public key', generateKeyPairSync('ed25519').publicKey],
  ])('is not signed by %s', async (_what, key) => {
    const pem =
      typeof key === 'string' ? key : key.export({ format: 'pem', type: key.type === 'public' ? 'spki' : 'pkcs8' });
    const server = { publicUrl: 'https://help.lamps.example' };
    const starting = served({ endpoints: { a2a: { signingKey: String(pem) } }, server });
    await expect(starting).rejects.toThrow('endpoints.a2a.signingKey: is no private key in PEM');
    await expect(starting).rejects.not.toThrow(String(pem).slice(0, 40) || 'x');
  });

  // proves configuration-5-51
  it('is not signed where no address of the server is known', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    await expect(served({ endpoints: { a2a: { signingKey: String(pem) } } })).rejects.toThrow(
      'endpoints.a2a.signingKey: needs server.publicUrl',
    );
  });

  it('says that it differs by the website, where CORS lets several in', async () => {
    const url = await served({ cors: { default: { origins: ['https://a.example', 'https://b.example'] } } });
    const answer = await fetch(url + cardAt, { headers: { origin: 'https://a.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://a.example');
    expect(answer.headers.get('vary')?.toLowerCase()).toBe('origin, host');
  });

  // proves service-4.8-07
  it('is kept by clients, which ask whether it is still the same', async () => {
    const url = await served();
    const first = await fetch(url + cardAt);
    const [etag, since] = [first.headers.get('etag'), first.headers.get('last-modified')];
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(first.headers.get('content-type')).toMatch(/^application\/json/u);
    expect(new Date(since ?? '').getTime()).toBeLessThanOrEqual(Date.now());
    const again = await fetch(url + cardAt, { headers: { 'if-none-match': etag ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const weak = await fetch(url + cardAt, { headers: { 'if-none-match': `"other", W/${etag ?? ''}` } });
    expect(weak.status).toBe(304);
    const head = await fetch(url + cardAt, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), head.headers.get('last-modified')]).toEqual([200, etag, since]);
  });
});
