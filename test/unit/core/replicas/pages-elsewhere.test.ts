import { describe, expect, it } from 'vitest';
import type { CarriedBus } from '../../../../src/adapters/bus/carried-bus.ts';
import { InProcessExchange } from '../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { pageElsewhere, PagesOfReaders } from '../../../../src/core/replicas/pages-of-readers.ts';
import type { UiAction } from '../../../../src/core/request/ui-actions.ts';
import { at, joinedBuses, quickTimes } from '../../../support/bus/opened-buses.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { type FakePage, fakePage, showOrder } from '../../../support/fake-page.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');
const deleteOrder: UiAction = { ...showOrder, name: 'delete_order', description: 'Deletes it.', readOnly: false };
const never = (): Promise<never> => new Promise(() => undefined);

/** What may happen to the replica of a page, and to the bus. */
interface World {
  readonly exchange: InProcessExchange;
  readonly bus: CarriedBus;
  /** The page answers now. */
  readonly answer: () => void;
}

/** A turn of one replica that has its user's approval to ask the page of another replica, which reads the turn. */
async function asked(page: FakePage, action = deleteOrder, answer: () => void = () => undefined) {
  const exchange = new InProcessExchange();
  const buses = await joinedBuses(exchange, 2, { times: quickTimes });
  const [here, there] = [at(buses, 0), at(buses, 1)];
  const model = fakeModel({ toolCalls: [call(`page_${action.name}`, { id: 7 })] }, { text: 'Done.' });
  const { assistant, journal } = testAssistant({ model });
  const turn = assistant.openSession({ channel: 'hub', uiActions: page }).startNow({ text: 'delete order 7' });
  const pages = new PagesOfReaders();
  pages.add(turn.id, page);
  pages.offerOn(there);
  const reader = readTurn(turn, 0, pageElsewhere(here, there.replica, page.offered));
  const approved = async (): Promise<string> => {
    const { fields } = await reader.next('confirmation-requested');
    const actionId = String(fields['actionId']);
    await assistant.answerConfirmation({ actionId, approved: true }, anyone);
    return actionId;
  };
  /** What the model was told of the call. */
  const told = async (): Promise<string> => {
    await turn.result;
    return model.requests[1]?.messages.at(-1)?.text ?? '';
  };
  const world: World = { exchange, bus: there, answer };
  return { approved, told, journal, reader, turn, world };
}

describe('the page of another replica (contract/replicas.md#turns)', () => {
  // proves configuration-5-92
  it.each<[string, (world: World) => void | Promise<void>]>([
    ['its replica ends', ({ bus }) => void bus.close()],
    ['the bus goes', ({ exchange }) => exchange.cut()],
    [
      'the bus was away while the page answered',
      async ({ exchange, answer }) => {
        exchange.cut();
        answer();
        await new Promise(setImmediate);
        exchange.mend();
      },
    ],
  ])('may have done what it was asked when %s: the outcome is unknown', async (_title, happen) => {
    const answer = Promise.withResolvers<unknown>();
    const page = fakePage(() => answer.promise, [deleteOrder]);
    const { approved, told, journal, reader, world } = await asked(page, deleteOrder, () => answer.resolve('deleted'));
    const actionId = await approved();
    await expect.poll(() => page.asked.length).toBe(1);
    await happen(world);
    expect(await told()).toContain('[unknown] The connection to the page ended before it answered.');
    expect(await told()).toContain('do not call it again by yourself');
    expect((await journal.find(actionId))?.outcome).toBe('unknown');
    const [completed] = reader.events.filter(({ type }) => type === 'action-completed');
    expect(completed?.fields).toMatchObject({ status: 'unknown' });
    expect(page.asked).toHaveLength(1);
  });

  // proves configuration-5-92
  it('may have done it when its replica fails at it', async () => {
    const page = fakePage(() => Promise.reject(new TypeError('not foreseen')), [deleteOrder]);
    const { approved, told, journal } = await asked(page);
    const actionId = await approved();
    expect(await told()).toContain('[unknown]');
    expect((await journal.find(actionId))?.outcome).toBe('unknown');
  });

  // proves configuration-5-92
  it('has done it when it answers with more than fits between replicas, or with what is no JSON', async () => {
    for (const answer of ['x'.repeat(2 * 1024 * 1024), 1n]) {
      const { approved, told, journal } = await asked(fakePage(() => answer, [deleteOrder]));
      const actionId = await approved();
      expect(await told()).toContain('[succeeded] The page has done it, but its answer was left out');
      expect((await journal.find(actionId))?.outcome).toBe('succeeded');
    }
  });

  // proves configuration-5-92
  it('that only reads is told to the model as gone, and a Stop as a Stop', async () => {
    const gone = await asked(fakePage(never), showOrder);
    await gone.reader.next('action-executing');
    await gone.world.bus.close();
    expect(await gone.told()).toBe('[failed] The connection to the page ended before it answered.');
    const stopped = await asked(fakePage(never), showOrder);
    await stopped.reader.next('action-executing');
    await stopped.turn.stop('user');
    await expect(stopped.turn.result).resolves.toMatchObject({ status: 'stopped' });
  });
});
