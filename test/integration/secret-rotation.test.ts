import { describe, expect, it } from 'vitest';
import { callbackSecret, expectedSignature, json, startCallback } from '../support/callback-receiver.ts';
import { realServer } from '../support/real-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const newTokenSecret = `the next one: ${tokenSecret}`;
const newCallbackSecret = `whsec_${Buffer.from('the next key of thirty-two bytes!').toString('base64')}`;

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return response.status;
}

describe('a secret that is a list (contract/identity.md#tokens, contract/plugins.md#callbacks)', () => {
  // proves configuration-4-01
  it('auth.jwt.secret: tokens signed with any of them sign their user in, others are 401', async () => {
    const secrets = JSON.stringify([newTokenSecret, tokenSecret]);
    const { url } = await realServer({ HELPER__AUTH__JWT: `{ secret: ${secrets} }` });
    const chat = `${url}/helper/chat?message=hello`;
    expect(await statusOf(chat, await makeToken({ sub: 'ann' }, { key: newTokenSecret }))).toBe(200);
    expect(await statusOf(chat, await makeToken({ sub: 'ann' }))).toBe(200);
    expect(await statusOf(chat, await makeToken({ sub: 'ann' }, { key: `${tokenSecret}!` }))).toBe(401);
  });

  // proves configuration-4-02
  it('endpoints.metrics.token: a scraper with any of them is answered, others are 401', async () => {
    const { url } = await realServer({ HELPER__ENDPOINTS__METRICS__TOKEN: '[new-scraper, old-scraper]' });
    expect(await statusOf(`${url}/metrics`, 'new-scraper')).toBe(200);
    expect(await statusOf(`${url}/metrics`, 'old-scraper')).toBe(200);
    expect(await statusOf(`${url}/metrics`, '[new-scraper, old-scraper]')).toBe(401);
  });

  // proves extending-2-01
  it('actions.callbacks[].secret: every request has a signature of each, in the order of the list', async () => {
    const parameters = { type: 'object', properties: {} };
    const actions = [{ name: 'get_order', description: 'Looks up an order.', parameters, readOnly: true }];
    const receiver = await startCallback({ version: 1, actions });
    receiver.answer = json({ result: 'open' });
    const { url } = await scriptedServer({
      callbacks: [{ name: 'erp', url: receiver.url, secret: [newCallbackSecret, callbackSecret] }],
      scripts: [calling({ name: 'get_order', arguments: {} }), saying('It is open.')],
    });
    await (await openSse(`${url}/helper/chat`, { body: { message: 'go' } })).next('end');
    expect(receiver.calls.map(({ method }) => method)).toEqual(['GET', 'POST']);
    for (const call of receiver.calls) {
      const signatures = [expectedSignature(call, newCallbackSecret), expectedSignature(call)];
      expect(call.headers['webhook-signature']).toBe(signatures.join(' '));
    }
  });
});
