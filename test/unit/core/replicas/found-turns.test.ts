import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InProcessExchange } from '../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { hintedId } from '../../../../src/core/base/hinted-id.ts';
import { BusAway } from '../../../../src/core/ports/bus-away.ts';
import type { SharedTurns } from '../../../../src/core/ports/turn-store.ts';
import { AssistantOverReplicas } from '../../../../src/core/replicas/assistant-over-replicas.ts';
import { tellReleased } from '../../../../src/core/replicas/tell-released.ts';
import { readReleased, turnKinds } from '../../../../src/core/replicas/turn-messages.ts';
import { TurnPlaces, type TurnsHere } from '../../../../src/core/replicas/turn-places.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { at, joinedBuses } from '../../../support/bus/opened-buses.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { signedIn } from '../../../support/principals.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testAssistant } from '../../../support/test-assistant.ts';

/** What replicas share of their turns while none is kept. */
const noTurns: SharedTurns = {
  free: () => Promise.resolve([]),
  stateOf: () => Promise.resolve(undefined),
  others: () => Promise.resolve([]),
  release: () => Promise.resolve(),
  lost: () => Promise.resolve([]),
  onHeardAgain: () => undefined,
};

/** The assistants of two replicas, how often the second one is asked for a turn or an answer, and the looks into the journal. */
async function replicas() {
  const [here, there] = await joinedBuses(new InProcessExchange(), 2).then((buses) => [at(buses, 0), at(buses, 1)]);
  if (here === undefined || there === undefined) throw new Error('there are two buses');
  const asked: unknown[] = [];
  const answer = there.answer.bind(there);
  there.answer = (kind, handler) => {
    answer(kind, (body, replica) => {
      if (kind === turnKinds.find || kind === turnKinds.answer) asked.push(body);
      return handler(body, replica);
    });
  };
  const looks: string[] = [];
  const [assistant, other] = [here, there].map((bus) => {
    const { assistant: own, journal } = testAssistant({ model: fakeModel({ text: 'Hello.' }), replica: bus.replica });
    const find = journal.find.bind(journal);
    journal.find = (actionId) => {
      looks.push(actionId);
      return find(actionId);
    };
    return new AssistantOverReplicas(own, { bus, shared: noTurns, journal, log: recordingLogger() });
  });
  if (assistant === undefined || other === undefined) throw new Error('there are two assistants');
  return { assistant, other, replicas: [here.replica, there.replica], asked, looks };
}

describe('a turn that another replica lets go of (contract/replicas.md#turns)', () => {
  // proves wire-10-99
  it('is taken up here as soon as it is told to be free', async () => {
    const [bus, ending] = await joinedBuses(new InProcessExchange(), 2).then((buses) => [at(buses, 0), at(buses, 1)]);
    if (bus === undefined || ending === undefined) throw new Error('there are two buses');
    const looked: string[] = [];
    const here: TurnsHere = {
      draining: false,
      followTurn: () => Promise.resolve(looked.length > 0 ? ({ id: 't1', suspended: false } as Turn) : undefined), // no more of it is looked at
      lookForTurn: (turnId) => Promise.resolve(void looked.push(turnId)),
      handOut: () => undefined,
      transcriptOf: () => undefined,
    };
    const stateOf = vi.fn(() => Promise.resolve({ heldBy: 'the ending one', isOver: false }));
    const places = new TurnPlaces(here, bus, { ...noTurns, stateOf });
    bus.onTold(turnKinds.released, (body) => places.released(readReleased(body).turnIds));
    const found = places.find('t1');
    await vi.waitUntil(() => stateOf.mock.calls.length > 0);
    await tellReleased(ending)({ turnId: 't1', isRead: true });
    expect(await found).toMatchObject({ kind: 'here' });
    // Without the news it would not have been: the store says that another replica has it.
    expect(looked).toEqual(['t1']);
  });
});

describe('a turn that is looked for over replicas (contract/replicas.md#turns)', () => {
  // proves configuration-5-95
  it('costs another replica one call when nobody has it, and one when it is of somebody else', async () => {
    const { assistant, other, replicas: ids, asked } = await replicas();
    const replica = ids[1];
    const reasons: string[] = [];
    const onForeign = (reason: string): void => void reasons.push(reason);
    expect(await assistant.findTurn(hintedId(replica), signedIn('bob'), onForeign)).toBeUndefined();
    expect([asked.length, reasons]).toEqual([1, []]);
    const turn = other.openSession({ channel: 'sse', principal: signedIn('ann') }).startNow({ text: 'hi' });
    await turn.result;
    expect(await assistant.findTurn(turn.id, signedIn('bob'), onForeign)).toBeUndefined();
    expect([asked.length, reasons]).toEqual([2, ['not_owner']]);
    expect(await assistant.findTurn(turn.id, signedIn('ann'), onForeign)).toMatchObject({ id: turn.id });
    expect([asked.length, reasons]).toEqual([3, ['not_owner']]);
  });
});

describe('a turn whose replica cannot be reached (contract/replicas.md#turns)', () => {
  /** How often the store was asked for a turn in 20 seconds. `state`: what the store knows of it. */
  async function looksFor(state: Awaited<ReturnType<SharedTurns['stateOf']>>): Promise<number> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const here: TurnsHere = {
      draining: false,
      followTurn: () => Promise.resolve(undefined),
      lookForTurn: () => Promise.resolve(),
      handOut: () => undefined,
      transcriptOf: () => undefined,
    };
    const bus = { replica: 'bbbbbbbb', isUp: false, ask: () => Promise.reject(new BusAway('away')) };
    const stateOf = vi.fn(() => Promise.resolve(state));
    const found = new TurnPlaces(here, bus, { ...noTurns, stateOf }).find(hintedId('aaaaaaaa'));
    const refused = expect(found).rejects.toMatchObject({ code: 'cluster_unavailable' });
    await vi.advanceTimersByTimeAsync(22_000);
    await refused;
    return stateOf.mock.calls.length;
  }

  // proves wire-10-56
  it('is looked for each second while the store does not know it: a client may have made it up', async () => {
    const looks = await looksFor(undefined);
    expect(looks).toBeGreaterThanOrEqual(18);
    expect(looks).toBeLessThanOrEqual(22);
  });

  // proves wire-10-56
  it('is looked for more often where it exists', async () => {
    expect(await looksFor({ heldBy: 'cccccccc', isOver: false })).toBeGreaterThan(70);
  });
});

describe('a question that is looked for over replicas (contract/replicas.md#turns)', () => {
  // proves wire-10-51
  it('costs the replica that its id names one call, and a few looks into the journal, when nobody has asked it', async () => {
    const { assistant, replicas: ids, asked, looks } = await replicas();
    for (const maker of ids) {
      const actionId = hintedId(maker);
      const answered = assistant.answerConfirmation({ actionId, approved: true }, signedIn('bob'));
      await expect(answered).rejects.toMatchObject({ code: 'nothing_to_answer', details: {} });
      expect(looks.splice(0)).toEqual([actionId, actionId, actionId]);
    }
    expect(asked).toHaveLength(1);
  });
});
