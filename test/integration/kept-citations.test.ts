import type { HubConnection } from '@microsoft/signalr';
import { describe, expect, it } from 'vitest';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [boss, guest] = await Promise.all(['boss', 'guest'].map((role) => makeToken({ sub: 'ann', role })));

const prices = { content: 'A chair costs 40.', title: 'Prices', sourceUrl: '/prices', score: 9 };
const margin = { content: 'We earn 30 on each.', title: 'Secret margin', sourceUrl: '/margin', score: 8 };

/** The two ways in which the guest is kept out: by the document's roles, or by the source's roles. */
const guarded = [
  ['a document', { document: { requiredRoles: ['boss'] }, source: {} }],
  ['a source', { document: {}, source: { requiredRoles: ['boss'] } }],
] as const;

async function start({
  document = {},
  source = {},
  scripts = [saying('It costs 40 [1], of which we earn 30 [2].')],
  isSecretFirst = false,
  settings = {},
}: {
  readonly document?: object;
  readonly source?: object;
  readonly scripts?: readonly ModelScript[];
  readonly isSecretFirst?: boolean;
  readonly settings?: object;
}): Promise<ScriptedServer> {
  const [open, secret] = await Promise.all([startCallback({}), startCallback({})]);
  open.answer = json({ documents: [prices] });
  secret.answer = json({ documents: [{ ...margin, ...document }] });
  const entry = { type: 'http', secret: callbackSecret };
  const sources = [
    { ...entry, name: 'open', url: open.url },
    { ...entry, name: 'secret', url: secret.url, ...source },
  ];
  return scriptedServer({
    scripts,
    settings: {
      auth: { jwt: { secret: tokenSecret } },
      chatHistoryProvider: 'storage',
      useRag: true,
      showRagSources: true,
      ragSources: isSecretFirst ? sources.reverse() : sources,
      ...settings,
    },
  });
}

/** The hub events of documents that a connection is sent. */
function citationsOf(hub: HubConnection): readonly unknown[] {
  const told: unknown[] = [];
  hub.on('RagSourcesReady', (fields) => told.push(fields));
  return told;
}

const sessionOf = (url: string, hub: HubConnection): string =>
  `${url}/helper/session?connectionId=${String(hub.connectionId)}`;

describe('a citation that is kept (contract/knowledge.md#access)', () => {
  // proves service-2.11-31, wire-22-43
  it.each(guarded)(
    'of %s comes back with a snapshot for whoever has the role, and for nobody else',
    async (_, access) => {
      const { url } = await start({ ...access, settings: { chatHistoryProvider: null } });
      const asked = await connectAs(url, boss);
      const told = citationsOf(asked);
      await asked.invoke('SendMessage', 'What do we earn?');
      expect(told).toMatchObject([{ sources: [{ title: 'Prices' }, { title: 'Secret margin' }] }]);
      expect(JSON.stringify(told)).not.toMatch(/requiredRoles|access/);
      const { body } = await asUser(sessionOf(url, asked), boss);
      const later = await connectAs(url, guest);
      const restored = JSON.stringify(await asUser(sessionOf(url, later), guest, { method: 'POST', body }));
      expect(restored).toContain('"event":"RagSourcesReady","sources":[{"number":1');
      expect(restored).toContain('A chair costs 40.');
      expect(restored).not.toMatch(/Secret margin|\/margin|We earn 30 on each/);
      // The text of the reply belongs to the conversation and stays.
      expect(restored).toContain('of which we earn 30 [2].');
      const again = JSON.stringify(await asUser(sessionOf(url, asked), boss, { method: 'POST', body }));
      expect(again).toContain('Secret margin');
      expect(again).toContain('We earn 30 on each.');
      expect(again).not.toMatch(/requiredRoles|access/);
    },
  );

  // proves service-2.11-31
  it('goes by the roles of the request that puts it back, not by those of its connection', async () => {
    const { url } = await start({ document: { requiredRoles: ['boss'] } });
    const hub = await connectAs(url, boss);
    await hub.invoke('SendMessage', 'What do we earn?');
    const { body } = await asUser(sessionOf(url, hub), boss);
    const restored = await asUser(sessionOf(url, hub), guest, { method: 'POST', body });
    expect(restored.status).toBe(200);
    expect(JSON.stringify(restored)).not.toContain('Secret margin');
  });

  // proves service-2.11-31
  it.each(guarded)(
    'of %s comes back with OpenConversation for whoever has the role, and for nobody else',
    async (_, access) => {
      const { url } = await start(access);
      await (await connectAs(url, boss)).invoke('SendMessage', 'What do we earn?');
      const id = String((await listOf(url, boss))[0]?.id);
      const openedBy = async (token: string | undefined): Promise<string> =>
        JSON.stringify(await (await connectAs(url, token)).invoke('OpenConversation', id));
      expect(await openedBy(boss)).toContain('Secret margin');
      const opened = await openedBy(guest);
      expect(opened).toContain('"event":"RagSourcesReady","sources":[{"number":1');
      expect(opened).not.toMatch(/Secret margin|\/margin|requiredRoles|access/);
      expect(JSON.stringify(await asUser(`${url}/helper/conversations/${id}`, guest))).not.toContain('Secret margin');
    },
  );

  // proves service-2.11-31
  it('is not told again of a reply that had no other', async () => {
    const { url } = await start({ document: { requiredRoles: ['boss'] }, scripts: [saying('We earn 30 [2].')] });
    await (await connectAs(url, boss)).invoke('SendMessage', 'What do we earn?');
    const id = String((await listOf(url, boss))[0]?.id);
    const opened = await (await connectAs(url, guest)).invoke<object>('OpenConversation', id);
    expect(JSON.stringify(opened)).not.toContain('RagSourcesReady');
  });

  // proves service-2.11-31
  it('is left out of the events that Resume tells to the same user without the role, under the same numbers', async () => {
    const { url } = await start({ document: { requiredRoles: ['boss'] } });
    const asked = await connectAs(url, boss);
    const told = citationsOf(asked);
    const { turnId } = await asked.invoke<{ turnId: string }>('SendMessage', 'What do we earn?');
    const later = await connectAs(url, guest);
    const again = citationsOf(later);
    const ended = new Promise((resolve) => {
      later.on('TurnCompleted', resolve);
    });
    expect(await later.invoke('Resume', { turnId, afterSeq: 0 })).toMatchObject({ running: false });
    await ended;
    const [first] = told as readonly { readonly seq: number; readonly sources: readonly unknown[] }[];
    expect(again).toEqual([{ ...first, sources: first?.sources.slice(0, 1) }]);
  });

  // proves service-2.11-32
  it('is kept from the model too, and numbers stand for what they stood for, when a waiting turn is put back', async () => {
    const { url, model } = await start({
      document: { requiredRoles: ['boss'] },
      isSecretFirst: true,
      scripts: [calling({ name: 'cancel_order', arguments: { orderNumber: 1002 } }), saying('Cancelled [1, 2].')],
      settings: { hitlMode: 'Native', chatHistoryProvider: null },
    });
    const asked = await connectAs(url, boss);
    const question = new Promise((resolve) => {
      asked.on('ConfirmationRequested', resolve);
    });
    void asked.invoke('SendMessage', 'Cancel the chair').catch(() => undefined);
    await question;
    const { body } = await asUser(sessionOf(url, asked), boss);
    await asked.stop();
    const later = await connectAs(url, guest);
    const told = citationsOf(later);
    const ended = new Promise((resolve) => {
      later.on('TurnCompleted', resolve);
    });
    const restored = await asUser(sessionOf(url, later), guest, { method: 'POST', body });
    const [open] = restored.body['openConfirmations'] as readonly { readonly actionId: string }[];
    await asUser(`${url}/helper/approve`, guest, {
      method: 'POST',
      body: { actionId: open?.actionId, approved: true },
    });
    await ended;
    const [first, second] = model.requests.map((request) => JSON.stringify(request.body['messages']));
    expect(first).toContain('We earn 30');
    expect(second).toContain('document 2');
    expect(second).not.toContain('We earn 30');
    expect(told).toMatchObject([{ sources: [{ number: 2, title: 'Prices' }] }]);
    expect(JSON.stringify(told)).not.toContain('Secret margin');
  });
});
