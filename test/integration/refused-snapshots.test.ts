import { describe, expect, it } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [oneKey, otherKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

const bearer = async (sub: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await makeToken({ sub })}`,
});

/** A whole server that keeps its key over restarts unless the settings change that. */
function serve(settings: object = {}): Promise<ScriptedServer> {
  return scriptedServer({
    scripts: [saying('Yes.'), saying('Still yes.')],
    settings: { auth: { jwt: { secret: tokenSecret } }, dataProtection: { keys: [oneKey] }, ...settings },
  });
}

async function connect(url: string, sub: string) {
  const headers = await bearer(sub);
  const client = await RawHubClient.connect(`${url}/helper-hub`, { headers });
  client.call('GetConnectionId', 'id');
  const address = `${url}/helper/session?connectionId=${String(await client.result('id'))}`;
  const say = async (id: string, text: string): Promise<unknown> => {
    client.call('SendMessage', id, text);
    return client.result(id);
  };
  const restore = (snapshot: string): Promise<Response> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return fetch(address, { ...init, body: JSON.stringify({ snapshot }) });
  };
  return {
    say,
    restore,
    save: async () => (await fetch(address, { headers })).json(),
    close: () => client.socket.close(),
  };
}

/** What the test does to a snapshot of Ann, and the server that gets it back. */
interface Refusal {
  readonly edit?: (snapshot: string) => string;
  readonly user?: string;
  readonly settings?: object;
  readonly reason: RegExp;
}

function flipped(snapshot: string): string {
  const at = snapshot.length - 20;
  return `${snapshot.slice(0, at)}${snapshot[at] === 'A' ? 'B' : 'A'}${snapshot.slice(at + 1)}`;
}

describe('a snapshot that a whole server does not take back (contract/sessions.md#restoring)', () => {
  it.each<[string, Refusal]>([
    // proves service-7-21
    ['was edited', { edit: flipped, reason: /changed or is damaged/ }],
    // proves service-7-21
    ['is another user’s', { user: 'bob', reason: /user/i }],
    // proves service-7-21
    ['is of another application', { settings: { appName: 'Another' }, reason: /application/i }],
    // proves service-7-21
    ['is of another version', { edit: (text) => text.replace(/^hs1/, 'hs0'), reason: /another version/ }],
    // proves service-7-21
    ['is sealed with a key that is lost', { settings: { dataProtection: { keys: [otherKey] } }, reason: /key/ }],
    // proves service-7-21
    ['is too old', { settings: { dataProtection: { keys: [oneKey], maxAge: '1s' } }, reason: /old|expired|age/i }],
  ])('one that %s is 400 with the reason, and the conversation stays', async (title, refusal) => {
    const { edit = (text: string) => text, user = 'ann', settings = {}, reason } = refusal;
    const first = await serve();
    const ann = await connect(first.url, 'ann');
    await ann.say('1', 'the first question');
    const { snapshot } = (await ann.save()) as { readonly snapshot: string };
    ann.close();
    expect(snapshot).toMatch(/^hs1\./);

    const { url, model } = await serve(settings);
    const other = await connect(url, user);
    await other.say('1', 'another question');
    const restore = (): Promise<Response> => other.restore(edit(snapshot));
    if (title === 'is too old') await expect.poll(async () => (await restore()).status).toBe(400);
    const answer = await restore();
    const problem = (await answer.json()) as Readonly<Record<string, unknown>>;
    expect({ status: answer.status, code: problem['code'] }).toEqual({ status: 400, code: 'snapshot_refused' });
    expect(problem['detail']).toMatch(reason);
    if (title !== 'is too old') {
      await other.say('2', 'and then');
      const said = JSON.stringify(model.requests.at(-1)?.body['messages']);
      expect(said).toContain('another question');
      expect(said).not.toContain('the first question');
    }
    other.close();
  });

  // proves service-7-21
  it('is taken where nothing of this is so', async () => {
    const first = await serve();
    const ann = await connect(first.url, 'ann');
    await ann.say('1', 'the first question');
    const { snapshot } = (await ann.save()) as { readonly snapshot: string };
    ann.close();
    const { url, model } = await serve();
    const again = await connect(url, 'ann');
    expect((await again.restore(snapshot)).status).toBe(200);
    await again.say('1', 'and then');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('the first question');
    again.close();
  });
});
