import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { hubMethods } from '../../../../src/channels/hub/hub-methods.ts';
import { HubSession, type TurnShownBy } from '../../../../src/channels/hub/hub-session.ts';
import type { Ending } from '../../../../src/channels/hub/protocol/connection/ending.ts';
import { HubConnection } from '../../../../src/channels/hub/protocol/connection/hub-connection.ts';
import { defaultHubLimits, defaultHubTimings } from '../../../../src/channels/hub/protocol/hub-limits.ts';
import {
  InvocationDispatcher,
  methodLookup,
} from '../../../../src/channels/hub/protocol/connection/invocation-dispatcher.ts';
import { flushAfterReads } from '../../../../src/core/base/flush-round.ts';
import { fakeAssistant, type FakeAssistant, type FakeSession, fakeTurn } from '../../../support/hub-fake-assistant.ts';
import { fakeTransport } from '../../../support/hub-fake-transport.ts';
import { recordingLogger } from '../../../support/quiet.ts';

/** Waits a few rounds of the event loop, until all answers are sent. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurnOfTheLoop();
}

/** A hub over a fake assistant, without a network. */
function hubOf(assistant: FakeAssistant) {
  const shownBy: TurnShownBy = new WeakMap();
  const log = recordingLogger();
  const connect = (id: string) => {
    const transport = fakeTransport();
    const connection = new HubConnection({
      id,
      transport,
      limits: defaultHubLimits,
      timings: defaultHubTimings,
      settingNames: { maxMessageBytes: 'a', maxBufferedBytes: 'b' },
      log,
      schedule: flushAfterReads,
      now: () => 0,
      onClosed: () => undefined,
      onOpen: (open) => {
        const state = new HubSession({
          assistant,
          connection: open,
          principal: anonymousPrincipal(open.id),
          authorization: undefined,
          address: '192.0.2.1',
          shownBy,
          onForeignTurn: () => undefined,
          onTakenOver: () => undefined,
        });
        const methods = methodLookup(hubMethods);
        const dispatcher = new InvocationDispatcher({
          connection: open,
          state,
          methods,
          limits: defaultHubLimits,
          log,
        });
        return {
          receive: (message) => {
            dispatcher.receive(message);
          },
          ended: (ending: Ending) => {
            dispatcher.abandon();
            state.ended(ending);
          },
        };
      },
    });
    connection.receive(Buffer.from('{"protocol":"json","version":1}\u001e'));
    const call = (target: string, id_: string, ...given: readonly unknown[]): void => {
      const type = target === 'StreamMessage' ? 4 : 1;
      connection.receive(Buffer.from(`${JSON.stringify({ type, target, arguments: given, invocationId: id_ })}\u001e`));
    };
    const cancel = (invocationId: string): void => {
      connection.receive(Buffer.from(`${JSON.stringify({ type: 5, invocationId })}\u001e`));
    };
    return { connection, transport, call, cancel, records: () => transport.records().slice(1) };
  };
  const session = (id: string): FakeSession => {
    const found = assistant.sessions.get(id);
    if (found === undefined) throw new Error(`no session ${id}`);
    return found;
  };
  return { connect, session };
}

const event = (target: string, fields: object): object => ({ type: 1, target, arguments: [fields] });

describe('SendMessage (contract/hub.md#methods)', () => {
  it('shows the whole turn as hub events, then answers with its result', async () => {
    const turn = fakeTurn('t1');
    const { connect, session } = hubOf(fakeAssistant(turn));
    const client = connect('c1');
    turn.emit('turn-started', { model: 'm' });
    client.call('SendMessage', '1', 'hello');
    await settled();
    turn.emit('text-delta', { text: 'hi' });
    turn.emit('turn-completed', { status: 'completed' });
    turn.end({ text: 'hi' });
    await settled();
    expect(session('c1').sent).toEqual([{ message: { text: 'hello' }, options: {}, now: false }]);
    expect(client.records()).toEqual([
      event('TurnStarted', { turnId: 't1', seq: 1, model: 'm' }),
      event('TextDelta', { turnId: 't1', seq: 2, text: 'hi' }),
      event('TurnCompleted', { turnId: 't1', seq: 3, status: 'completed' }),
      { type: 3, invocationId: '1', result: { turnId: 't1', status: 'completed', text: 'hi' } },
    ]);
  });

  it('sends 200 deltas of one read in one frame (docs/architecture.md)', async () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('SendMessage', '1', 'hello');
    await settled();
    const before = client.transport.sent.length;
    for (let count = 0; count < 200; count += 1) turn.emit('text-delta', { text: 'x' });
    await settled();
    expect(client.transport.sent.length - before).toBe(1);
    expect(client.records()).toHaveLength(200);
  });

  it('stops the turn when the call is cancelled, and still answers', async () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('SendMessage', '1', 'hello');
    client.cancel('1');
    await settled();
    expect(turn.stops).toEqual(['user']);
    turn.end({ status: 'stopped' });
    await settled();
    expect(client.records()).toMatchObject([{ type: 3, invocationId: '1', result: { status: 'stopped' } }]);
  });

  it('does not wait for a stream: that is refused at once by the core', async () => {
    const { connect, session } = hubOf(fakeAssistant(fakeTurn('stream'), fakeTurn('refused')));
    const client = connect('c1');
    client.call('StreamMessage', '1', 'first');
    client.call('SendMessage', '2', 'second');
    await settled();
    expect(session('c1').sent.map(({ now }) => now)).toEqual([true, true]);
  });

  // proves wire-3-26
  it('refuses wrong argument types with the words of SignalR, and runs nothing', async () => {
    const { connect, session } = hubOf(fakeAssistant());
    const client = connect('c1');
    client.call('SendMessage', '1', 5);
    await settled();
    expect(client.records()).toEqual([
      { type: 3, invocationId: '1', error: "Failed to invoke 'SendMessage' due to an error on the server." },
    ]);
    expect(session('c1').sent).toEqual([]);
  });
});

describe('StreamMessage (contract/hub.md#methods)', () => {
  it('puts the events into the stream only', async () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('StreamMessage', '4', 'hello');
    turn.emit('text-delta', { text: 'hi' });
    turn.end();
    await settled();
    expect(client.records()).toEqual([
      { type: 2, invocationId: '4', item: { event: 'TextDelta', turnId: 't1', seq: 1, text: 'hi' } },
      { type: 3, invocationId: '4' },
    ]);
  });

  it('takes the cancellation of the stream for Stop', () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('StreamMessage', '4', 'hello');
    client.cancel('4');
    expect(turn.stops).toEqual(['user']);
  });
});

describe('NewConversation, SetPage, GetConnectionId (contract/hub.md#methods)', () => {
  // proves wire-3-15, wire-3-23
  it('run beside the turn', async () => {
    const { connect, session } = hubOf(fakeAssistant(fakeTurn('t1')));
    const client = connect('c1');
    client.call('SendMessage', '1', 'hello');
    client.call('GetConnectionId', '2');
    client.call('SetPage', '3', { name: 'orders' });
    client.call('NewConversation', '4');
    await settled();
    expect(client.records()).toEqual([
      { type: 3, invocationId: '2', result: 'c1' },
      { type: 3, invocationId: '3', result: null },
      { type: 3, invocationId: '4', result: { conversationId: 'another' } },
    ]);
    expect(session('c1').pages).toEqual([{ name: 'orders' }]);
  });
});

describe('Resume and the end of a connection (contract/hub.md#when-the-line-breaks)', () => {
  // proves wire-3-18
  it('answers first, then sends what was missed, then what comes', async () => {
    const turn = fakeTurn('t1');
    const { connect, session } = hubOf(fakeAssistant(turn));
    const lost = connect('c1');
    lost.call('SendMessage', '1', 'hello');
    await settled();
    turn.emit('text-delta', { text: 'a' });
    lost.connection.transportClosed('dropped');
    expect(turn.readers).toBe(0);
    turn.emit('text-delta', { text: 'b' });
    const client = connect('c2');
    client.call('Resume', '1', { turnId: 't1', afterSeq: 1 });
    turn.emit('text-delta', { text: 'c' });
    await settled();
    turn.emit('text-delta', { text: 'd' });
    await settled();
    expect(client.records()).toEqual([
      { type: 3, invocationId: '1', result: { turnId: 't1', lastSeq: 3, running: true } },
      event('TextDelta', { turnId: 't1', seq: 2, text: 'b' }),
      event('TextDelta', { turnId: 't1', seq: 3, text: 'c' }),
      event('TextDelta', { turnId: 't1', seq: 4, text: 'd' }),
    ]);
    expect(session('c2').adopted).toEqual([turn]);
  });

  // proves wire-3-19
  it('answers null for a turn that is unknown or no longer all there', async () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('Resume', '1', { turnId: 'other', afterSeq: 0 });
    client.call('Resume', '2', { turnId: 't1', afterSeq: 7 });
    await settled();
    expect(client.records()).toEqual([
      { type: 3, invocationId: '1', result: null },
      { type: 3, invocationId: '2', result: null },
    ]);
  });

  it('replays a turn that has ended, and goes on with its conversation', async () => {
    const turn = fakeTurn('t1');
    const { connect, session } = hubOf(fakeAssistant(turn));
    turn.emit('turn-completed');
    turn.end();
    const client = connect('c1');
    client.call('Resume', '1', { turnId: 't1', afterSeq: 0 });
    await settled();
    expect(client.records()).toEqual([
      { type: 3, invocationId: '1', result: { turnId: 't1', lastSeq: 1, running: false } },
      event('TurnCompleted', { turnId: 't1', seq: 1 }),
    ]);
    expect(session('c1').adopted).toEqual([turn]);
  });

  it('ends at once with a graceful end, whichever connection it began on', async () => {
    const turn = fakeTurn('t1');
    const { connect } = hubOf(fakeAssistant(turn, fakeTurn('t2')));
    connect('c1').call('SendMessage', '1', 'hello');
    await settled();
    const client = connect('c2');
    client.call('SendMessage', '1', 'hello');
    client.call('Resume', '2', { turnId: 't1', afterSeq: 0 });
    await settled();
    client.connection.transportClosed('graceful');
    expect(turn.stops).toEqual(['connection-closed']);
  });

  it('answers one Resume after the other, so that a client that does not read cannot pile up replays', async () => {
    const turn = fakeTurn('t1');
    const { connect } = hubOf(fakeAssistant(turn));
    turn.emit('text-delta', { text: 'x'.repeat(1_000_000) });
    turn.end();
    const { connection, transport } = connect('c1');
    const send = transport.send.bind(transport);
    transport.send = (records) => {
      transport.bufferedBytes += records.length;
      send(records);
    };
    const resume = JSON.stringify({ type: 1, target: 'Resume', arguments: [{ turnId: 't1', afterSeq: 0 }] });
    connection.receive(Buffer.from(`${resume}\u001e`.repeat(1000)));
    await settled();
    expect(transport.records().at(-1)).toMatchObject({ type: 7, allowReconnect: true });
    expect(transport.bufferedBytes).toBeLessThan(5_000_000);
  });

  // proves wire-3-32
  it('closes the session at once after a graceful end', () => {
    const { connect, session } = hubOf(fakeAssistant(fakeTurn('t1')));
    const client = connect('c1');
    client.call('StreamMessage', '1', 'hello');
    client.connection.transportClosed('graceful');
    expect(session('c1').closed).toEqual(['connection-closed']);
  });

  // proves wire-3-34
  it('keeps the session after a drop until its turn is over', async () => {
    const turn = fakeTurn('t1');
    const { connect, session } = hubOf(fakeAssistant(turn));
    const client = connect('c1');
    client.call('StreamMessage', '1', 'hello');
    client.connection.transportClosed('dropped');
    await settled();
    expect(session('c1').closed).toEqual([]);
    turn.end({ status: 'stopped' });
    await settled();
    expect(session('c1').closed).toEqual(['connection-closed']);
  });

  it('stops its turn at once when the client had its time to come back', async () => {
    const turn = fakeTurn('t1');
    const { connect, session } = hubOf(fakeAssistant(turn));
    const client = connect('c1');
    client.call('StreamMessage', '1', 'hello');
    client.connection.transportClosed('lost');
    await settled();
    expect(turn.stops).toEqual(['grace-over']);
    expect(session('c1').closed).toEqual(['connection-closed']);
  });

  it('leaves a turn that another connection took over to that when the client never came back', async () => {
    const turn = fakeTurn('t1');
    const { connect } = hubOf(fakeAssistant(turn));
    const client = connect('c1');
    client.call('StreamMessage', '1', 'hello');
    connect('c2').call('Resume', '1', { turnId: 't1', afterSeq: 0 });
    await settled();
    client.connection.transportClosed('lost');
    expect(turn.stops).toEqual([]);
  });

  it('stops a turn that starts when its connection is gone and nobody took its place', async () => {
    const turn = fakeTurn('t1');
    const client = hubOf(fakeAssistant(turn)).connect('c1');
    client.call('SendMessage', '1', 'hello');
    client.connection.transportClosed('dropped');
    await settled();
    expect(turn.stops).toEqual(['connection-closed']);
  });
});
