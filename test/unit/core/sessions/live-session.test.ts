import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { CallerRoom } from '../../../../src/core/limits/caller-room.ts';
import { TurnPlaces } from '../../../../src/core/limits/turn-places.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { signedIn } from '../../../support/principals.ts';
import { recordingMetrics } from '../../../support/quiet.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

function held() {
  const release = Promise.withResolvers<undefined>();
  const model = fakeModel({ text: 'one', until: release.promise }, { text: 'two' });
  const test = testAssistant({ model });
  return { ...test, model, release, session: test.assistant.openSession({ channel: 'hub' }) };
}

describe('one turn at a time (contract/hub.md#side-by-side)', () => {
  // proves wire-3-20
  it('lets a second message wait for the first', async () => {
    const { session, release, model } = held();
    const first = await session.send({ text: 'a' });
    const waiting = session.send({ text: 'b' });
    await expect.poll(() => model.requests).toHaveLength(1);
    release.resolve(undefined);
    const second = await waiting;
    expect(await second.result).toMatchObject({ status: 'completed', text: 'two' });
    expect(await first.result).toMatchObject({ status: 'completed', text: 'one' });
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['a', 'one', 'b']);
  });

  it('Stop drops the waiting ones too: each ends as stopped without the model', async () => {
    const { session, model } = held();
    const first = await session.send({ text: 'a' });
    await expect.poll(() => model.requests).toHaveLength(1);
    const waiting = [session.send({ text: 'b' }), session.send({ text: 'c' })];
    expect(await session.stop('user')).toBe(true);
    for (const turn of [first, ...(await Promise.all(waiting))]) {
      expect(await turn.result).toMatchObject({ status: 'stopped' });
      expect(readTurn(turn).events[0]).toMatchObject({ type: 'turn-started', seq: 1 });
    }
    expect(model.requests).toHaveLength(1);
    expect(await session.stop('user')).toBe(false);
  });

  it('refuses startNow during a turn as turn_in_progress, and the turn goes on', async () => {
    const { session, release } = held();
    const first = await session.send({ text: 'a' });
    const refused = session.startNow({ text: 'b' });
    expect(await refused.result).toMatchObject({ status: 'refused', code: 'turn_in_progress' });
    expect(first.running).toBe(true);
    release.resolve(undefined);
    await first.result;
  });

  it('refuses the message after 20 that wait', async () => {
    const { session } = held();
    await session.send({ text: 'a' });
    const waiting = Array.from({ length: 20 }, () => session.send({ text: 'b' }));
    expect(await (await session.send({ text: 'c' })).result).toMatchObject({ status: 'refused' });
    await session.stop('user');
    await Promise.all(waiting);
  });

  it('takes back a message that waits when its signal is aborted; the others stay', async () => {
    const { session, model, release } = held();
    const first = await session.send({ text: 'a' });
    await expect.poll(() => model.requests).toHaveLength(1);
    const takenBack = new AbortController();
    const second = session.send({ text: 'b' }, { signal: takenBack.signal });
    const third = session.send({ text: 'c' });
    takenBack.abort();
    expect(await (await second).result).toMatchObject({ status: 'stopped' });
    expect(first.running).toBe(true);
    release.resolve(undefined);
    expect(await (await third).result).toMatchObject({ status: 'completed', text: 'two' });
    const late = await session.send({ text: 'd' }, { signal: takenBack.signal });
    expect(await late.result).toMatchObject({ status: 'stopped' });
    expect(model.requests).toHaveLength(2);
  });

  it('NewConversation stops the running turn first', async () => {
    const { session, model } = held();
    const first = await session.send({ text: 'a' });
    await expect.poll(() => model.requests).toHaveLength(1);
    const { conversationId } = session.newConversation();
    expect(conversationId).toBe(session.conversationId);
    expect(await first.result).toMatchObject({ status: 'stopped' });
    await (
      await session.send({ text: 'b' })
    ).result;
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['b']);
  });
});

describe('a session taken over after a drop (contract/hub.md#when-the-line-breaks, Resume)', () => {
  it('brings the conversation and the running turn along', async () => {
    const { assistant, session, release, model } = held();
    const turn = await session.send({ text: 'a' });
    const reader = readTurn(turn);
    await reader.next('text-delta');
    reader.leave();
    const again = assistant.openSession({ channel: 'hub' });
    again.adopt(turn);
    expect(again.conversationId).toBe(turn.conversationId);
    expect(again.activeTurn).toBe(turn);
    session.close('connection-closed');
    expect(turn.running).toBe(true);
    readTurn(turn, 2);
    release.resolve(undefined);
    await turn.result;
    await (
      await again.send({ text: 'b' })
    ).result;
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['a', 'one', 'b']);
  });

  it('brings the conversation along when the turn ended meanwhile', async () => {
    const { assistant, session, release, model } = held();
    const turn = await session.send({ text: 'a' });
    release.resolve(undefined);
    await turn.result;
    await expect.poll(() => assistant.runningTurns).toBe(0);
    const ended = await assistant.findTurn(turn.id, anonymousPrincipal('test'));
    const again = assistant.openSession({ channel: 'hub' });
    if (ended !== undefined) again.adopt(ended);
    await (
      await again.send({ text: 'b' })
    ).result;
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['a', 'one', 'b']);
  });

  it('changes nothing for a session that runs a turn of its own: it runs one at a time, and Stop reaches it', async () => {
    const { assistant } = testAssistant({ model: fakeModel({ text: 'one', until: new Promise(() => undefined) }) });
    const [session, again] = [assistant.openSession({ channel: 'hub' }), assistant.openSession({ channel: 'hub' })];
    const [lost, own] = [await session.send({ text: 'a' }), await again.send({ text: 'b' })];
    again.adopt(lost);
    expect(again.activeTurn).toBe(own);
    expect(session.activeTurn).toBe(lost);
    again.close('connection-closed');
    expect(await own.result).toMatchObject({ status: 'stopped' });
    expect(lost.running).toBe(true);
    await lost.stop('user');
  });

  it('changes nothing for a session that is closed: nobody could stop the turn any more', async () => {
    const { assistant, session } = held();
    const turn = await session.send({ text: 'a' });
    const closed = assistant.openSession({ channel: 'hub' });
    closed.close('connection-closed');
    closed.adopt(turn);
    expect(session.activeTurn).toBe(turn);
    await session.stop('user');
    expect(await turn.result).toMatchObject({ status: 'stopped' });
  });

  it('tells the earlier reader that nothing more comes', async () => {
    const { session, release } = held();
    const turn = await session.send({ text: 'a' });
    const first = readTurn(turn);
    await first.next('text-delta');
    const second = readTurn(turn, 0);
    await first.ended;
    expect(second.events).toEqual(first.events);
    release.resolve(undefined);
    await turn.result;
    expect(first.events.at(-1)?.type).toBe('text-delta');
  });
});

describe('a new credential (contract/hub.md#when-the-line-breaks)', () => {
  const anonymous = anonymousPrincipal('one');
  const ann = signedIn('ann');
  it.each([
    ['of the same user, with the roles it has now', ann, signedIn('ann', 'Admin'), true],
    ['of another user', ann, signedIn('bob'), false],
    ['of nobody', ann, anonymous, false],
    ['of a user, where there was none', anonymous, ann, false],
  ])('%s', (_title, principal, shown, isTaken) => {
    const session = testAssistant({ model: fakeModel() }).assistant.openSession({ channel: 'hub', principal });
    session.renew(shown, undefined);
    expect(session.principal).toBe(isTaken ? shown : principal);
  });

  it('of nobody leaves the key and takes the roles of an earlier token that named nobody', () => {
    const unnamed = { ...anonymous, roles: new Set(['Admin']), unnamed: true } as const;
    const session = testAssistant({ model: fakeModel() }).assistant.openSession({ channel: 'hub', principal: unnamed });
    session.renew(anonymousPrincipal('two'), undefined);
    expect(session.principal).toEqual(anonymous);
    session.renew({ ...unnamed, userKey: 'anon:three' }, undefined);
    expect(session.principal).toEqual(unnamed);
  });
});

describe('draining (contract/restarts.md#stopping)', () => {
  // proves wire-8-03, wire-10-07, wire-10-08
  it('lets running turns finish within the grace and refuses new ones', async () => {
    const { assistant, session, release } = held();
    const turn = await session.send({ text: 'a' });
    const drained = assistant.drain(10_000);
    expect(await assistant.openSession({ channel: 'hub' }).startNow({ text: 'b' }).result).toMatchObject({
      status: 'refused',
      code: 'server_draining',
    });
    release.resolve(undefined);
    await drained;
    expect(await turn.result).toMatchObject({ status: 'completed' });
  });

  // proves wire-10-09
  it('ends what is left as server_draining', async () => {
    const { assistant, session } = held();
    const turn = await session.send({ text: 'a' });
    await assistant.drain(10);
    expect(await turn.result).toMatchObject({ status: 'failed', code: 'server_draining' });
  });

  // proves wire-10-11
  it('is over at once when nothing runs', async () => {
    const { assistant } = held();
    await assistant.drain(1_000_000);
    expect(assistant.draining).toBe(true);
  });
});

describe('the running turns of one caller (contract/limits.md#callers)', () => {
  it('keep their place until they end, however they end', async () => {
    const release = Promise.withResolvers<undefined>();
    const model = fakeModel({ text: 'one', until: release.promise }, { text: 'two' });
    const turnRoom = new CallerRoom({ perUser: 1, perAddress: 1 });
    const { assistant, metrics } = testAssistant({ model, turnRoom });
    const open = () => assistant.openSession({ channel: 'hub', address: '192.0.2.1' });
    const first = open().startNow({ text: 'a' });
    const refused = await open().startNow({ text: 'b' }).result;
    expect(refused).toMatchObject({ status: 'refused', code: 'overloaded' });
    expect(metrics.counted).toContainEqual({ what: 'rateLimited', value: 'turn' });
    expect(
      await assistant.openSession({ channel: 'hub', address: '192.0.2.2' }).startNow({ text: ' ' }).result,
    ).toEqual(expect.objectContaining({ code: 'invalid_request' }));
    await first.stop('user');
    await first.result;
    expect(turnRoom.has({ kind: 'address', key: '192.0.2.1' })).toBe(true);
  });

  it('are not refused where nothing of them runs: messages that Stop drops', async () => {
    const turnRoom = new CallerRoom({ perUser: 1, perAddress: 1 });
    const model = fakeModel({ text: 'one', until: new Promise(() => undefined) });
    const { assistant } = testAssistant({ model, turnRoom });
    const session = assistant.openSession({ channel: 'hub', address: '192.0.2.1' });
    await session.send({ text: 'a' });
    const waiting = session.send({ text: 'b' });
    await session.stop('user');
    expect(await (await waiting).result).toMatchObject({ status: 'stopped' });
  });

  it('count when a restored conversation begins one, and are never refused then', async () => {
    const turnRoom = new CallerRoom({ perUser: 1, perAddress: 0 });
    const { assistant } = testAssistant({ model: fakeModel({ text: 'one' }), turnRoom });
    const session = assistant.openSession({ channel: 'hub', address: '192.0.2.1' });
    const places = new TurnPlaces(turnRoom, recordingMetrics());
    const caller = { kind: 'address', key: '192.0.2.1' } as const;
    expect(places.admit({ copyOf: {} }, caller).admitted).not.toHaveProperty('refusal');
    expect(places.admit({ kept: {} }, caller).admitted).not.toHaveProperty('refusal');
    expect(await session.startNow({ text: 'a' }).result).toMatchObject({ code: 'overloaded' });
  });
});
