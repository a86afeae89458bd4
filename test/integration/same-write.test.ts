import { describe, expect, it } from 'vitest';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';

/** Actions that keep what they ran with where the tests see it. */
const plugin = `
const ran = (globalThis.sameWriteRan ??= []);
const parameters = { type: 'object', properties: { order: { type: 'integer' }, amount: { type: 'number' } } };
const execute = (name) => ({ amount }) => {
  ran.push(name + ' ' + amount);
  if (amount === 13) throw new Error('the bank is closed');
  return 'done';
};
export default {
  name: 'bank',
  actions: [
    { name: 'refund', description: 'Refunds.', trusted: true, editable: true, parameters, execute: execute('refund') },
    { name: 'credit', description: 'Credits.', trusted: true, parameters, execute: execute('credit') },
  ],
};`;
const ran = ((globalThis as { sameWriteRan?: string[] }).sameWriteRan ??= []);

const refund = (amount: number, name = 'refund') => ({ name, arguments: { amount, order: 1 } });
const [first, second] = [refund(49), { name: 'refund', arguments: '{ "order": 1, "amount": 4.9e1 }' }];

/** Rules approve what is below 50. */
async function bank(
  scripts: readonly ModelScript[],
): Promise<{ readonly url: string; readonly stream: SseConversation }> {
  ran.length = 0;
  const autoApprovalRules = [{ tool: '*', when: { amount: { lessThan: 50 } } }];
  const settings = { hitlMode: 'Native', autoApprovalRules };
  const { url } = await scriptedServer({ scripts: [...scripts, saying('Done.')], plugin, settings });
  return { url, stream: await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'Refund it' } }) };
}

async function answer(url: string, actionId: unknown, given: object): Promise<void> {
  const body = JSON.stringify({ actionId, ...given });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  expect((await fetch(`${url}/helper/approve`, init)).status).toBe(200);
}

describe('the same write again in one turn (contract/confirmations.md#rules-in-place-of-the-user)', () => {
  it.each<[string, readonly ModelScript[]]>([
    // proves service-2.6-50
    ['in one reply', [calling(first, second)]],
    // proves service-2.6-50
    ['in the next one', [calling(first), calling(second)]],
  ])('is approved by no rule, and its box says that it was done or asked for: %s', async (_when, scripts) => {
    const { url, stream } = await bank(scripts);
    const { data } = await stream.next('confirmation');
    expect(data?.['repeats']).toEqual({
      state: expect.stringMatching(/^(done|open)$/) as unknown,
      at: expect.stringMatching(/^\d{4}-.*Z$/u) as unknown,
    });
    await answer(url, data?.['actionId'], { approved: false });
    await stream.closed;
    expect(ran).toEqual(['refund 49']);
  });

  // proves service-2.6-50
  it('is asked about after one that failed, and after one whose user has changed it to this', async () => {
    const { url, stream } = await bank([calling(refund(13)), calling(refund(13)), calling(refund(99)), calling(first)]);
    const failed = (await stream.next('confirmation')).data;
    expect(failed).toMatchObject({ repeats: { state: 'tried' } });
    await answer(url, failed?.['actionId'], { approved: false });
    const large = (await stream.next('confirmation')).data;
    expect(large).not.toHaveProperty('repeats');
    await answer(url, large?.['actionId'], { approved: true, arguments: { amount: 49, order: 1 } });
    const same = (await stream.next('confirmation')).data;
    expect(same).toMatchObject({ repeats: { state: 'done' } });
    await answer(url, same?.['actionId'], { approved: true });
    await stream.closed;
    expect(ran).toEqual(['refund 13', 'refund 49', 'refund 49']);
  });

  // proves service-2.6-51
  it('is none with other arguments, with another action, or after one that was declined', async () => {
    const others = calling(first, refund(48), refund(49, 'credit'));
    const { url, stream } = await bank([others, calling(refund(99)), calling(refund(99))]);
    for (let times = 0; times < 2; times += 1) {
      const { data } = await stream.next('confirmation');
      expect(data).not.toHaveProperty('repeats');
      await answer(url, data?.['actionId'], { approved: false });
    }
    await stream.closed;
    expect(ran.toSorted()).toEqual(['credit 49', 'refund 48', 'refund 49']);
  });
});
