import type { HubConnection } from '@microsoft/signalr';
import { describe, expect, it } from 'vitest';
import type { TurnHubEvents } from '../../src/wire/hub-events.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const ann = await makeToken({ sub: 'ann' });

const plugin = `export default { name: 'desk', actions: [
  { name: 'cancel_order', description: 'Cancels it.', parameters: { type: 'object', properties: {} }, execute: () => 'cancelled' },
  { name: 'look', description: 'Looks.', readOnly: true, parameters: { type: 'object', properties: {} }, execute: () => 'three' }] }`;

const start = (scripts: readonly ModelScript[], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({
    scripts,
    plugin,
    settings: { auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage', ...settings },
  });

interface Sent {
  readonly turnId: string;
  readonly status: string;
  readonly code?: string;
}

const send = (hub: HubConnection, text: string, options: object = {}): Promise<Sent> =>
  hub.invoke('SendMessage', text, options);

/** What the model was sent last: the words of users and of the assistant. */
function lastSent({ model }: ScriptedServer): readonly string[] {
  const messages = model.requests.at(-1)?.body['messages'] as readonly { role: string; content: string }[]; // OpenAI's protocol
  return messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
}

const keptOf = async (url: string): Promise<readonly string[]> => {
  const id = String((await listOf(url, ann))[0]?.id);
  const { body } = await asUser(`${url}/helper/conversations/${id}`, ann);
  return (body['messages'] as readonly { text: string }[]).map(({ text }) => text);
};

/** Answers each question that comes. */
function answering(hub: HubConnection, url: string, approved: boolean): void {
  hub.on('ConfirmationRequested', ({ actionId }: TurnHubEvents['ConfirmationRequested']) => {
    void asUser(`${url}/helper/approve`, ann, { method: 'POST', body: { actionId, approved } });
  });
}

describe('a message that takes the place of the last exchange (contract/hub.md#sending-again)', () => {
  // proves wire-22-20, wire-22-21
  it('replaces it in the history, for the model and where the conversation is kept', async () => {
    const server = await start([
      saying('One.'),
      calling({ name: 'look', arguments: {} }),
      saying('Two.'),
      saying('Two again.'),
      saying('Three.'),
    ]);
    const hub = await connectAs(server.url, ann);
    await send(hub, 'first');
    const second = await send(hub, 'second');
    const again = await send(hub, 'second, in other words', { replaces: second.turnId });
    expect(again.status).toBe('completed');
    expect(lastSent(server).join('\n')).not.toContain('Two.');
    await send(hub, 'third');
    expect(lastSent(server)).toEqual(['first', 'One.', 'second, in other words', 'Two again.', 'third']);
    expect(await keptOf(server.url)).toEqual([
      'first',
      'One.',
      'second, in other words',
      'Two again.',
      'third',
      'Three.',
    ]);
  });

  // proves wire-22-22
  it('is refused where an action that changes something has run, and everything stays', async () => {
    const server = await start([
      calling({ name: 'cancel_order', arguments: {} }),
      saying('Cancelled.'),
      saying('Yes.'),
    ]);
    const hub = await connectAs(server.url, ann);
    answering(hub, server.url, true);
    const { turnId } = await send(hub, 'Cancel it');
    const asked = server.model.requests.length;
    const refused = await send(hub, 'Do not cancel it', { replaces: turnId });
    expect(refused).toMatchObject({ status: 'refused', code: 'resend_refused' });
    expect(server.model.requests).toHaveLength(asked);
    await send(hub, 'Was it cancelled?');
    expect(lastSent(server)[0]).toBe('Cancel it');
    expect(await keptOf(server.url)).toEqual(['Cancel it', 'Cancelled.', 'Was it cancelled?', 'Yes.']);
  });

  // proves wire-22-22
  it('is taken where the action was declined: nothing was changed', async () => {
    const server = await start([
      calling({ name: 'cancel_order', arguments: {} }),
      saying('Not done.'),
      saying('Fine.'),
    ]);
    const hub = await connectAs(server.url, ann);
    answering(hub, server.url, false);
    const { turnId } = await send(hub, 'Cancel it');
    expect(await send(hub, 'Leave it', { replaces: turnId })).toMatchObject({ status: 'completed' });
    expect(await keptOf(server.url)).toEqual(['Leave it', 'Fine.']);
  });

  // proves wire-22-23
  it('is refused where it names another turn than the last one, and waits while one runs', async () => {
    const { promise: isHeard, resolve: hear } = Promise.withResolvers<undefined>();
    const held: ModelScript = (exchange) => void isHeard.then(() => saying('Three.')(exchange));
    const server = await start([saying('One.'), saying('Two.'), held, saying('Four.')]);
    const hub = await connectAs(server.url, ann);
    const first = await send(hub, 'first');
    await send(hub, 'second');
    for (const replaces of [first.turnId, 'nothing']) {
      const refused = await send(hub, 'other', { replaces });
      expect(refused).toMatchObject({ status: 'refused', code: 'resend_refused' });
    }
    const begun = new Promise<Sent>((resolve) => hub.on('TurnStarted', resolve));
    const third = send(hub, 'third');
    const { turnId } = await begun;
    const waiting = send(hub, 'third, again', { replaces: turnId });
    // The methods of a connection are read in their order, so the message waits by then.
    await hub.invoke('GetConnectionId');
    hear(undefined);
    expect(await third).toMatchObject({ status: 'completed', text: 'Three.' });
    expect(await waiting).toMatchObject({ status: 'completed', text: 'Four.' });
    expect(await keptOf(server.url)).toEqual(['first', 'One.', 'second', 'Two.', 'third, again', 'Four.']);
  });

  // proves wire-22-24
  it('that comes to nothing leaves the exchange as it is', async () => {
    const fails: ModelScript = (exchange) => {
      exchange.head(401);
      exchange.end();
    };
    const server = await start([saying('One.'), fails, saying('Two.')]);
    const hub = await connectAs(server.url, ann);
    const { turnId } = await send(hub, 'first');
    expect(await send(hub, 'other', { replaces: turnId })).toMatchObject({ status: 'failed' });
    expect(await keptOf(server.url)).toEqual(['first', 'One.']);
    await send(hub, 'second');
    expect(lastSent(server)).toEqual(['first', 'One.', 'second']);
  });

  // proves wire-22-25
  it('is refused for a restored conversation in which something was done, too', async () => {
    const server = await start([calling({ name: 'cancel_order', arguments: {} }), saying('Cancelled.')]);
    const hub = await connectAs(server.url, ann);
    answering(hub, server.url, true);
    const { turnId } = await send(hub, 'Cancel it');
    const id = String((await listOf(server.url, ann))[0]?.id);
    await hub.stop();
    const next = await connectAs(server.url, ann);
    await next.invoke('OpenConversation', id);
    expect(await send(next, 'No', { replaces: turnId })).toMatchObject({ code: 'resend_refused' });
  });

  // proves wire-22-26
  it('that waits at a question takes the place of the exchange in a restored conversation, too', async () => {
    const server = await start(
      [
        saying('One.'),
        saying('Two.'),
        calling({ name: 'cancel_order', arguments: {} }),
        // The turn and its copy both go on once the question is answered.
        saying('Cancelled.'),
        saying('Cancelled.'),
        saying('Three.'),
      ],
      { hitlMode: 'Native' },
    );
    const { url } = server;
    const hub = await connectAs(url, ann);
    await send(hub, 'first');
    const { turnId } = await send(hub, 'second');
    const asked = new Promise((resolve) => hub.on('ConfirmationRequested', resolve));
    const waiting = send(hub, 'second, in other words', { replaces: turnId }).catch(() => undefined);
    await asked;
    const snapshotOf = (connection: HubConnection): string =>
      `${url}/helper/session?connectionId=${String(connection.connectionId)}`;
    const { body: saved } = await asUser(snapshotOf(hub), ann);
    const next = await connectAs(url, ann);
    const ended = new Promise((resolve) => next.on('TurnCompleted', resolve));
    const restored = await asUser(snapshotOf(next), ann, { method: 'POST', body: saved });
    expect(JSON.stringify(restored.body['messages'])).not.toContain('Two.');
    const [question] = restored.body['openConfirmations'] as readonly { readonly actionId: string }[]; // contract/sessions.md
    const answer = { actionId: question?.actionId, approved: true };
    expect(await asUser(`${url}/helper/approve`, ann, { method: 'POST', body: answer })).toMatchObject({ status: 200 });
    await Promise.all([ended, waiting]);
    expect(await keptOf(url)).toEqual(['first', 'One.', 'second, in other words', 'Cancelled.']);
    await send(next, 'third');
    expect(lastSent(server).join('\n')).not.toContain('Two.');
    expect(await keptOf(url)).toEqual(['first', 'One.', 'second, in other words', 'Cancelled.', 'third', 'Three.']);
  });
});
