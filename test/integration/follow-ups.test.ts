import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { asUser, bearer, connectAs } from '../support/kept-conversations.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub })));

/** The settings that docs/guides/widget.md shows. */
const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/widget.md'), 'utf8');
const shown = parse(guide.split('```yaml file=follow-ups.yaml\n')[1]?.split('```', 1)[0] ?? '') as object;

const plugin = `export default { name: 'desk', actions: [
  { name: 'list_orders', title: 'List orders', description: 'Lists.', readOnly: true,
    parameters: { type: 'object', properties: {} }, execute: () => [] },
  { name: 'audit', title: 'Audit', description: 'Audits.', readOnly: true, requiredRoles: ['Auditor'],
    parameters: { type: 'object', properties: {} }, execute: () => [] }] }`;

interface Place {
  /** What the model for small questions does; left out, there is none. */
  readonly small?: ModelScript;
  readonly scripts?: readonly ModelScript[];
  readonly settings?: object;
}

/** A server that suggests follow-ups, a connection of ann, and a request for what she could say next. */
async function place({ small: answer, scripts = [], settings = {} }: Place) {
  const small = await startScriptedModel(answer === undefined ? {} : { otherwise: answer });
  onTestFinished(() => small.close());
  const models = { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } };
  const chosen = answer === undefined ? {} : { classifierChatClient: 'small' };
  const { url, model } = await scriptedServer({
    scripts,
    plugin,
    models,
    settings: { auth: { jwt: { secret: tokenSecret } }, ...shown, ...chosen, ...settings },
  });
  const hub = await connectAs(url, ann);
  const path = `${url}/helper/follow-ups?connectionId=${String(hub.connectionId)}`;
  return { url, model, hub, path, small, next: () => asUser(path, ann) };
}

/** The number of tokens that a scripted reply reports. */
const ofReply = 17;

/** Tokens that are left to ann, as the server tells a connection. */
async function budgetOf(url: string): Promise<number> {
  const hub = await RawHubClient.connect(`${url}/helper-hub?access_token=${ann}`, { events: false });
  onTestFinished(() => hub.socket.terminate());
  const { settings } = (await hub.event('Connected')) as {
    readonly settings: { readonly budget: { remaining: number } };
  };
  return settings.budget.remaining;
}

describe('what a user could say next (contract/sessions.md#follow-ups)', () => {
  // proves wire-25-01, service-14-03
  it('is nothing before the first answer and while a turn runs, and then examples', async () => {
    const held = Promise.withResolvers<undefined>();
    const { hub, next, model } = await place({
      scripts: [
        async (exchange) => {
          await held.promise;
          await saying('Hello.')(exchange);
        },
      ],
    });
    expect(await next()).toEqual({ status: 200, body: { messages: [], pages: [] } });
    const answered = hub.invoke('SendMessage', 'Hi');
    await model.request(0);
    expect(await next()).toEqual({ status: 200, body: { messages: [], pages: [] } });
    held.resolve(undefined);
    await answered;
    expect(await next()).toEqual({ status: 200, body: { messages: ['List orders'], pages: [] } });
  });

  // proves service-14-01
  it('is asked of classifierChatClient, once for an answer, and paid from the budget of the user', async () => {
    const { url, hub, next, small } = await place({
      small: saying('{"messages": ["When will it come?", "<b>Cancel it</b>"]}'),
      settings: { budgets: [{ per: 'user', tokens: 1_000, then: 'refuse' }] },
    });
    await hub.invoke('SendMessage', 'Where is my order?');
    expect(small.requests).toHaveLength(0);
    const before = await budgetOf(url);
    const found = { status: 200, body: { messages: ['When will it come?', '<b>Cancel it</b>'], pages: [] } };
    expect(await next()).toEqual(found);
    expect(await next()).toEqual(found);
    expect(small.requests).toHaveLength(1);
    expect(JSON.stringify(small.requests[0]?.body)).toContain('Where is my order?');
    expect(await budgetOf(url)).toBe(before - ofReply);
  });

  // proves service-14-02
  it('is no longer asked of a model once the request is closed', async () => {
    const { hub, path, small } = await place({ small: () => new Promise(() => undefined) });
    await hub.invoke('SendMessage', 'Where is my order?');
    const closing = new AbortController();
    const asked = fetch(path, { headers: bearer(ann), signal: closing.signal });
    const { closed } = await small.request(0);
    closing.abort();
    await expect(asked).rejects.toThrow();
    expect((await closed).early).toBe(true);
  });

  // proves wire-25-02
  it('is told to the user of the connection alone, thirty times in a minute', async () => {
    const { url, path, next } = await place({});
    expect(await asUser(path, bob)).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect(await asUser(path, undefined)).toMatchObject({ status: 401 });
    const unknown = await asUser(`${url}/helper/follow-ups?connectionId=none`, ann);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown_connection' } });
    const answers = [];
    for (let count = 0; count < 30; count += 1) answers.push((await next()).status);
    expect([answers.filter((status) => status === 200).length, answers.at(-1)]).toEqual([29, 429]);
  });

  // proves configuration-9-01
  it.each([
    [{ enableFollowUps: false }, 404, false],
    [{ client: { enableFollowUps: false } }, 200, false],
    [{ enableFollowUps: false, client: { enableFollowUps: true } }, 200, true],
  ])('is there as %j says', async (settings, status, isOnPage) => {
    const { url, next } = await place({ settings });
    expect((await next()).status).toBe(status);
    const script = await (await fetch(`${url}/helper/widget.js`)).text();
    expect(/followUps["']?:\s*(true|!0)/.test(script)).toBe(isOnPage);
  });
});
