import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { desks, payingAgents, routingModel } from '../../../support/agents/paying-agents.ts';
import { agentsOf } from '../../../support/agents/roster.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { storesWith } from '../../../support/stored-turn.ts';
import { type ReadEvent, readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

type Desk = (typeof desks)[number];
type HitlMode = 'Native' | 'Blocking';

function server(desk: Desk, hitlMode: HitlMode, options: Partial<TestAssistantOptions> = {}) {
  const pay = fakeTool({ name: 'pay', title: 'Pay' });
  const stores = memoryStores();
  const agents = agentsOf(payingAgents(desk));
  const test = testAssistant({ model: routingModel, agents, toolList: [pay], hitlMode, ...stores, ...options });
  return { ...test, pay, stores };
}

/** A turn that waits with the question of its agent. */
async function waiting(desk: Desk, hitlMode: HitlMode, options: Partial<TestAssistantOptions> = {}) {
  const test = server(desk, hitlMode, options);
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'Pay' });
  const reader = readTurn(turn);
  const question = await reader.next('confirmation-requested');
  const answer = (approved: boolean, asked: ReadEvent = question) =>
    test.assistant.answerConfirmation({ actionId: String(asked.fields['actionId']), approved }, turn.principal);
  return { ...test, session, turn, reader, question, answer };
}

const who = (desk: Desk): string => (desk === 'specialist' ? 'Desk' : 'Cash');

/** What the user has read at the end, when the payment came to this. */
function replyAfter(desk: Desk, status: string): string {
  const paid = `${who(desk)}: ${status}.`;
  return ['concurrent', 'groupChat'].includes(desk) ? `Noted.\n\n${paid}` : paid;
}

const resolved = (events: readonly ReadEvent[]): readonly unknown[] =>
  events.flatMap(({ type, fields }) => (type === 'confirmation-resolved' ? [fields['outcome']] : []));

const cases = desks.flatMap((desk) => (['Native', 'Blocking'] as const).map((mode) => [desk, mode] as const));

describe.each(cases)(
  'a question of an agent behind %s, with hitlMode %s (contract/agents.md#confirmations)',
  (desk, mode) => {
    // proves extending-4-92
    it('names the agent, and runs the action once when it is approved', async () => {
      const { question, answer, turn, pay, reader } = await waiting(desk, mode);
      expect(question.fields).toMatchObject({ agent: who(desk), action: 'pay', canRemember: false });
      await answer(true);
      expect(await turn.result).toMatchObject({ status: 'completed', text: replyAfter(desk, 'succeeded') });
      expect(pay.runs).toEqual([{ by: who(desk) }]);
      expect(resolved(reader.events)).toEqual(['approved']);
    });

    // proves extending-4-92
    it('runs nothing when it is declined, and the agent says so', async () => {
      const { answer, turn, pay, reader } = await waiting(desk, mode);
      await answer(false);
      expect(await turn.result).toMatchObject({ status: 'completed', text: replyAfter(desk, 'declined') });
      expect(pay.runs).toEqual([]);
      expect(resolved(reader.events)).toEqual(['declined']);
    });

    // proves wire-11-70
    it('is not put while the store does not answer: user and agent are told, and the reply comes', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const { assistant, stores, pay } = server(desk, mode);
      stores.turns.create = () => new Promise(() => undefined);
      stores.journal.requested = () => new Promise(() => undefined);
      const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Pay' });
      const { events } = readTurn(turn);
      await vi.advanceTimersByTimeAsync(4_500);
      expect(await turn.result).toMatchObject({ status: 'completed', text: replyAfter(desk, 'failed') });
      expect(events.filter(({ fields }) => fields['code'] === 'question_not_stored')).toHaveLength(1);
      expect(events.map(({ type }) => type)).not.toContain('confirmation-requested');
      expect(pay.runs).toEqual([]);
    });

    // proves extending-4-92
    it('runs nothing when the turn is stopped', async () => {
      const { turn, pay, reader, answer, journal } = await waiting(desk, mode);
      await turn.stop('user');
      expect(await turn.result).toMatchObject({ status: 'stopped' });
      expect(resolved(reader.events)).toEqual(['cancelled']);
      await expect(answer(true)).rejects.toThrow();
      expect(pay.runs).toEqual([]);
      expect(await journal.unfinished()).toEqual([]);
    });

    // proves extending-4-92
    it('runs nothing when nobody answers in time', async () => {
      const { turn, pay, reader } = await waiting(desk, mode, { confirmationTimeoutMs: 20 });
      expect(await turn.result).toMatchObject({ status: 'completed', text: replyAfter(desk, 'cancelled') });
      expect(resolved(reader.events)).toEqual(['expired']);
      expect(pay.runs).toEqual([]);
    });

    // proves extending-4-93
    it('outlives its process with Native, where the next process goes on with the same agent; else its turn ends', async () => {
      const { turn, stores, pay: first, question } = await waiting(desk, mode);
      // The stores are in memory, so a few rounds of the event loop suffice for all pending writes.
      for (let loop = 0; loop < 4; loop += 1) await nextLoop();
      const kept = await stores.turns.read(turn.id);
      if (kept === undefined) throw new Error('the turn is not kept');
      const next = await storesWith({ kept, rows: await stores.journal.ofTurn(turn.id) });
      const { assistant, pay, journal } = server(desk, mode, next);
      await assistant.takeUpTurns();
      const taken = await assistant.findTurn(turn.id, turn.principal);
      if (taken === undefined) throw new Error('the turn was not taken up');
      const reader = readTurn(taken);
      if (mode === 'Native') {
        const again = await reader.next('confirmation-requested');
        expect(again.fields).toEqual(question.fields);
        await assistant.answerConfirmation(
          { actionId: String(again.fields['actionId']), approved: true },
          turn.principal,
        );
        expect(await taken.result).toMatchObject({ status: 'completed', text: replyAfter(desk, 'succeeded') });
        expect(pay.runs).toEqual([{ by: who(desk) }]);
      } else {
        expect(await taken.result).toMatchObject({ status: 'failed', code: 'interrupted' });
        expect(pay.runs).toEqual([]);
      }
      await reader.ended;
      expect(resolved(reader.events)).toEqual([mode === 'Native' ? 'approved' : 'cancelled']);
      expect(first.runs).toEqual([]);
      expect(await unended(next)).toEqual([]);
      expect(await journal.unfinished()).toEqual([]);
    });

    // proves extending-4-94
    it('is asked again by a restored snapshot with Native; else nothing is asked and nothing runs', async () => {
      const { session, snapshots, assistant, turn, pay } = await waiting(desk, mode);
      const saved = await snapshots.save(session);
      await turn.stop('user');
      await turn.result;
      const copies: ReturnType<typeof readTurn>[] = [];
      const ends: Promise<unknown>[] = [];
      const other = assistant.openSession({
        channel: 'hub',
        onCopy: (copy) => {
          copies.push(readTurn(copy));
          ends.push(copy.result);
        },
      });
      await snapshots.restore(other, saved);
      const [copy] = copies;
      if (mode === 'Blocking') {
        expect(copy).toBeUndefined();
        expect(pay.runs).toEqual([]);
        return;
      }
      const asked = await copy?.next('confirmation-requested');
      expect(asked?.fields).toMatchObject({ agent: who(desk), action: 'pay' });
      await assistant.answerConfirmation(
        { actionId: String(asked?.fields['actionId']), approved: true },
        turn.principal,
      );
      expect(await ends[0]).toMatchObject({ status: 'completed' });
      expect(pay.runs).toEqual([{ by: who(desk) }]);
    });
  },
);
