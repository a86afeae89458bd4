import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHelper, type HelperUser, StartupFaults } from '../../src/index.ts';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import { calling, chattering, hangingAfter, saying } from '../support/scripted-model.ts';

const cancel = calling({ name: 'cancel', arguments: { order: 7 } });
const key = 'A'.repeat(43);

function keptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-in-process-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

describe('a turn inside this process (contract/in-process.md)', () => {
  // proves wire-9-04
  it('tells the events of the hub, with their names, fields and numbers', async () => {
    const { helper } = await inProcessHelper({ scripts: [saying('Good ', 'morning.')] });
    const session = await helper.session();
    const events = await allOf(session.send('hello'));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events[0]).toMatchObject({ event: 'TurnStarted', conversationId: session.conversationId });
    expect(events.at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'completed', text: 'Good morning.' });
    expect(events.map((event) => (event.event === 'TextDelta' ? event.text : '')).join('')).toBe('Good morning.');
  });

  it('runs whether its events are read or not, and one message after the other', async () => {
    const { helper, model } = await inProcessHelper({ scripts: [saying('one'), saying('two')] });
    const session = await helper.session();
    session.send('first');
    const second = await allOf(session.send('second'));
    expect(second.at(-1)).toMatchObject({ text: 'two' });
    expect(model.requests[1]?.body['messages']).toMatchObject([{}, { content: 'first' }, { content: 'one' }, {}]);
  });

  // proves wire-9-04
  it('asks first; approved, the action runs once, as the user of the session', async () => {
    const { helper, done } = await inProcessHelper({ scripts: [cancel, saying('Done.')] });
    const session = await helper.session({ user: { id: 'ann', name: 'Ann' } });
    const turn = session.send('cancel order 7', { page: { name: 'orders' } });
    const { actionId, title, reason } = await nextOf(turn, 'ConfirmationRequested');
    expect({ title, reason }).toEqual({ title: 'Cancel an order', reason: 'write' });
    expect(done).toEqual([]);
    expect(await session.approve(actionId, true)).toEqual({ actionId, outcome: 'approved' });
    const rest = await allOf(turn);
    expect(rest.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['ConfirmationResolved', 'ActionExecuting', 'ActionCompleted', 'TurnCompleted']),
    );
    expect(done).toEqual([
      { action: 'cancel', args: { order: 7 }, user: 'ann', channel: 'in-process', page: { name: 'orders' } },
    ]);
    await expect(session.approve(actionId, true)).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });

  // proves wire-9-04
  it('takes changed arguments with the approval of an editable action (contract/confirmations.md#answering)', async () => {
    const { helper, done } = await inProcessHelper({ scripts: [cancel, saying('Done.')] });
    const session = await helper.session();
    const turn = session.send('cancel order 7');
    const { actionId } = await nextOf(turn, 'ConfirmationRequested');
    await expect(session.approve(actionId, true, { arguments: { order: 'x' } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await session.approve(actionId, true, { arguments: { order: 8 } });
    await allOf(turn);
    expect(done).toMatchObject([{ args: { order: 8 } }]);
  });

  // proves wire-9-04
  it('asks first; declined, nothing runs and the model is told so', async () => {
    const { helper, done, model } = await inProcessHelper({ scripts: [cancel, saying('Nothing was changed.')] });
    const session = await helper.session();
    const turn = session.send('cancel order 7');
    const { actionId } = await nextOf(turn, 'ConfirmationRequested');
    expect(await session.approve(actionId, false)).toEqual({ actionId, outcome: 'declined' });
    expect(await nextOf(turn, 'ActionCompleted')).toMatchObject({ action: 'cancel', status: 'declined' });
    expect(await nextOf(turn, 'TurnCompleted')).toMatchObject({ status: 'completed' });
    expect(done).toEqual([]);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('The user declined this action.');
  });

  // proves wire-9-05
  it('refuses actions with a role until the host supplies a user who has it', async () => {
    const refund = calling({ name: 'refund', arguments: { order: 7 } });
    const { helper, done } = await inProcessHelper({
      scripts: [refund, saying('No.'), refund, saying('No.'), refund, saying('Done.')],
    });
    const refused = async (user?: HelperUser) => {
      const turn = (await helper.session(user && { user })).send('refund order 7');
      expect(await nextOf(turn, 'ActionCompleted')).toMatchObject({ action: 'refund', status: 'refused' });
      await allOf(turn);
    };
    await refused();
    await refused({ id: 'bob', roles: ['Clerk'] });
    expect(done).toEqual([]);
    const session = await helper.session({ user: { id: 'ann', roles: ['Supervisor'] } });
    const turn = session.send('refund order 7');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    expect(await nextOf(turn, 'ActionCompleted')).toMatchObject({ status: 'succeeded' });
    expect(done).toMatchObject([{ action: 'refund', user: 'ann' }]);
  });

  // proves wire-9-04
  it('keeps sessions apart: conversations, users, confirmations and Stop (contract/identity.md#whose-it-is)', async () => {
    const { helper, log } = await inProcessHelper({
      scripts: [cancel, hangingAfter('Wait'), saying('Declined.')],
    });
    const ann = await helper.session({ user: { id: 'ann' } });
    const bob = await helper.session({ user: { id: 'bob' } });
    expect(ann.conversationId).not.toBe(bob.conversationId);
    const asked = ann.send('cancel order 7');
    const { actionId } = await nextOf(asked, 'ConfirmationRequested');
    const other = bob.send('hello');
    await nextOf(other, 'TextDelta');
    await expect(bob.approve(actionId, true)).rejects.toMatchObject({ code: 'not_owner' });
    await expect((await helper.session()).approve(actionId, true)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(log.lines.map(({ fields }) => fields)).toContainEqual({
      security: true,
      what: 'approve_refused',
      reason: 'not_owner',
      who: 'id:bob',
      actionId,
    });
    expect(await bob.stop()).toBe(true);
    expect(await nextOf(other, 'TurnCompleted')).toMatchObject({ status: 'stopped' });
    await ann.approve(actionId, false);
    expect(await nextOf(asked, 'TurnCompleted')).toMatchObject({ status: 'completed', text: 'Declined.' });
    expect(await ann.stop()).toBe(false);
  });
});

describe('Stop inside this process (contract/in-process.md)', () => {
  it('is what leaving the loop means: the model’s request ends', async () => {
    const { helper, model } = await inProcessHelper({ scripts: [chattering, saying('Again.')] });
    const session = await helper.session();
    for await (const { event } of session.send('hello')) if (event === 'TextDelta') break;
    expect(await model.requests[0]?.closed).toMatchObject({ early: true });
    expect((await allOf(session.send('again'))).at(-1)).toMatchObject({ text: 'Again.' });
  });

  // proves wire-9-04
  it('comes by a signal as well, also to a message that still waits', async () => {
    const { helper, model } = await inProcessHelper({ scripts: [hangingAfter('Wait')] });
    const session = await helper.session();
    const first = new AbortController();
    const running = session.send('first', { signal: first.signal });
    await nextOf(running, 'TextDelta');
    const second = new AbortController();
    const waiting = session.send('second', { signal: second.signal });
    second.abort();
    expect((await allOf(waiting)).at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'stopped' });
    first.abort();
    expect((await allOf(running)).at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'stopped' });
    expect((await allOf(session.send('third', { signal: first.signal }))).at(-1)).toMatchObject({ status: 'stopped' });
    expect(model.requests).toHaveLength(1);
  });

  // proves wire-9-04
  it('is what closing a session means for the turn that runs', async () => {
    const { helper } = await inProcessHelper({ scripts: [hangingAfter('Wait')] });
    const session = await helper.session();
    const turn = session.send('hello');
    await nextOf(turn, 'TextDelta');
    await session.close();
    expect((await allOf(turn)).at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'stopped' });
  });
});

describe('a conversation that is saved inside this process (contract/sessions.md#snapshots and contract/in-process.md)', () => {
  // proves wire-9-04
  it('goes on in another helper with the same key, for the same user alone', async () => {
    const settings = { dataProtection: { keys: [key] } };
    const first = await inProcessHelper({ scripts: [saying('It is open.')], settings });
    const before = await first.helper.session({ user: { id: 'ann' } });
    await allOf(before.send('How is order 7?'));
    const snapshot = await before.snapshot();

    const second = await inProcessHelper({ scripts: [saying('Still open.')], settings });
    const bob = await second.helper.session({ user: { id: 'bob' } });
    await expect(bob.restore(snapshot)).rejects.toMatchObject({ code: 'snapshot_refused' });
    const ann = await second.helper.session({ user: { id: 'ann' } });
    const { messages, openConfirmations, events, conversationId } = await ann.restore(snapshot);
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'How is order 7?'],
      ['assistant', 'It is open.'],
    ]);
    expect(conversationId).toBe(ann.conversationId);
    expect(openConfirmations).toEqual([]);
    expect(await allOf(events)).toEqual([]);
    await allOf(ann.send('And now?'));
    expect(second.model.requests[0]?.body['messages']).toMatchObject([{}, {}, { content: 'It is open.' }, {}]);
  });

  // proves wire-9-04
  it('asks again what was open, and tells what comes of the answer', async () => {
    const settings = { hitlMode: 'Native', storage: { type: 'memory' }, server: { shutdownGrace: '0s' } };
    const { helper, done } = await inProcessHelper({ scripts: [cancel, saying('Done.')], settings });
    const before = await helper.session();
    await nextOf(before.send('cancel order 7'), 'ConfirmationRequested');
    const snapshot = await before.snapshot();
    await before.close();

    const session = await helper.session();
    const { openConfirmations, events } = await session.restore(snapshot);
    expect(openConfirmations).toMatchObject([{ action: 'cancel', arguments: [{ name: 'order', value: 7 }] }]);
    await expect(session.restore(snapshot)).rejects.toMatchObject({ code: 'turn_in_progress' });
    await session.approve(openConfirmations[0]?.actionId ?? '', true);
    expect(await nextOf(events, 'TurnCompleted')).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(done).toMatchObject([{ action: 'cancel', args: { order: 7 } }]);
  });
});

describe('close (contract/in-process.md and contract/restarts.md#stopping)', () => {
  it('ends what runs after server.shutdownGrace as server_draining, and lets nothing begin', async () => {
    const { helper, model } = await inProcessHelper({ scripts: [hangingAfter('Wait')] });
    const session = await helper.session();
    const turn = session.send('hello');
    await nextOf(turn, 'TextDelta');
    await helper.close();
    expect(await allOf(turn)).toMatchObject([
      { event: 'ErrorOccurred', code: 'server_draining' },
      { event: 'TurnCompleted', status: 'failed', code: 'server_draining' },
    ]);
    await expect(helper.session()).rejects.toMatchObject({ code: 'server_draining' });
    expect((await allOf(session.send('again'))).at(-1)).toMatchObject({ event: 'TurnCompleted' });
    expect(model.requests).toHaveLength(1);
    await helper.close();
  });

  it('lets what runs finish within server.shutdownGrace', async () => {
    const release = Promise.withResolvers<undefined>();
    const { helper } = await inProcessHelper({
      scripts: [
        async (exchange) => {
          await release.promise;
          await saying('Finished.')(exchange);
        },
      ],
      settings: { server: { shutdownGrace: '30s' } },
    });
    const turn = (await helper.session()).send('hello');
    await nextOf(turn, 'TurnStarted');
    const closed = helper.close();
    release.resolve(undefined);
    await closed;
    expect((await allOf(turn)).at(-1)).toMatchObject({ status: 'completed', text: 'Finished.' });
  });

  it('leaves a Native question to the next process over the same storage, where its user answers it', async () => {
    const settings = { hitlMode: 'Native', storage: { type: 'embedded', path: keptFolder() } };
    const first = await inProcessHelper({ scripts: [cancel], settings });
    const turn = (await first.helper.session({ user: { id: 'ann' } })).send('cancel order 7');
    const { actionId } = await nextOf(turn, 'ConfirmationRequested');
    await first.helper.close();
    expect(await allOf(turn)).toEqual([]);

    const second = await inProcessHelper({ scripts: [saying('Done.')], settings });
    const ann = await second.helper.session({ user: { id: 'ann' } });
    expect(await ann.approve(actionId, true)).toEqual({ actionId, outcome: 'approved' });
    await expect.poll(() => second.done).toMatchObject([{ action: 'cancel', user: 'ann' }]);
    expect(first.done).toEqual([]);
  });
});

describe('createHelper (contract/in-process.md)', () => {
  // proves wire-9-03
  it('throws every fault of an object at once, by key (contract/configuration.md)', async () => {
    const faults = createHelper({ chatClient: 'main', models: { main: { provider: 'openai' } }, maxSesionMessages: 5 });
    const error: unknown = await faults.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupFaults);
    expect(error instanceof StartupFaults && error.faults.map(({ file, path }) => [file, path])).toEqual(
      expect.arrayContaining([
        ['(configuration)', 'appName'],
        ['(configuration)', 'maxSesionMessages'],
        ['(configuration)', 'models.main.model'],
      ]),
    );
  });

  // proves wire-9-03
  it('throws the faults of a file with their lines, and of a file that is missing', async () => {
    const file = join(keptFolder(), 'helper.yaml');
    writeFileSync(
      file,
      'appName: Test\nchatClient: demo\nmodels: { demo: { provider: demo } }\nactions: none\nmaxToolRound: 3\n',
    );
    await expect(createHelper(file)).rejects.toMatchObject({ faults: [{ file, line: 5, path: 'maxToolRound' }] });
    await expect(createHelper(`${file}.missing`)).rejects.toBeInstanceOf(StartupFaults);
  });

  // proves wire-9-03
  it('throws the faults of plugins', async () => {
    const broken = inProcessHelper({
      scripts: [],
      plugin: 'export default { name: "shop", actions: [{ name: "No" }] };',
    });
    await expect(broken).rejects.toBeInstanceOf(StartupFaults);
  });

  // proves wire-9-05
  it('opens no port and takes no signal', async () => {
    const signals = ['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name));
    const { helper, model } = await inProcessHelper({ scripts: [saying('Hello.')] });
    await allOf((await helper.session()).send('hello'));
    // The only server in this process is the scripted model.
    expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
    expect(['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name))).toEqual(signals);
  });

  it('names the keys that are about a server or a page, in the host’s log (HLP1030)', async () => {
    const settings = {
      server: { port: 9000, shutdownGrace: '0s' },
      theme: 'Dark',
      dashboardRole: 'Operations',
      cors: { default: { origins: ['https://a.example'] } },
    };
    const { log } = await inProcessHelper({ scripts: [], settings });
    const warning = log.lines.find(({ fields }) => 'code' in fields && fields.code === 'HLP1030');
    expect(warning?.message).toContain('server.port, theme, dashboardRole, cors have no effect');
    const { log: quiet } = await inProcessHelper({ scripts: [] });
    expect(quiet.lines.filter(({ fields }) => 'code' in fields && fields.code === 'HLP1030')).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['without an id', {}],
    ['with an empty id', { id: '' }],
    ['with an id that is a number', { id: 5 }],
    ['with roles that are no list', { id: 'ann', roles: 'Supervisor' }],
    ['with claims that JSON cannot say', { id: 'ann', claims: { big: 1n } }],
    ['that is a text', 'ann'],
  ])('refuses a user %s', async (_title, user) => {
    const { helper } = await inProcessHelper({ scripts: [] });
    // Plain JavaScript may pass such a value.
    await expect(helper.session({ user: user as HelperUser })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('refuses what is no message, no answer and no snapshot', async () => {
    const { helper } = await inProcessHelper({ scripts: [] });
    const session = await helper.session();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => session.send(5 as unknown as string)).toThrow('text is not a string');
    expect(() => session.send('hi', { page: { name: 'orders', data: circle } })).toThrow('cannot be written as JSON');
    expect(() => session.send('hi', { page: { name: 'x'.repeat(201) } })).toThrow('page.name is longer than 200');
    await expect(session.approve('no id!', true)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(session.approve('abc', 'yes' as unknown as boolean)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(session.restore('x'.repeat(13 * 1024 * 1024))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(session.restore('hs1.x.y')).rejects.toMatchObject({ code: 'snapshot_refused' });
  });

  it('bounds the open sessions of a user and of all; a closed one makes room', async () => {
    const settings = { server: { shutdownGrace: '0s', maxConnectionsPerUser: 1, maxConnections: 2 } };
    const { helper, log } = await inProcessHelper({ scripts: [], settings });
    const ann = await helper.session({ user: { id: 'ann' } });
    await expect(helper.session({ user: { id: 'ann' } })).rejects.toMatchObject({ code: 'rate_limited' });
    const refused = { security: true, what: 'rate_limited', reason: 'connections', who: 'id:ann' };
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 'info', fields: refused }));
    await helper.session();
    await expect(helper.session()).rejects.toMatchObject({ code: 'overloaded' });
    await ann.close();
    await ann.close();
    await helper.session({ user: { id: 'ann' } });
    await expect(helper.session()).rejects.toMatchObject({ code: 'overloaded' });
  });
});
