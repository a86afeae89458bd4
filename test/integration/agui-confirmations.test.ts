import { describe, expect, it } from 'vitest';
import { AgUiAgent, customIn, eventsOf, posting, type Ran, typesIn } from '../support/agui-agent.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `
export const paid = (globalThis.agUiPaid ??= []);
export default {
  name: 'bank',
  actions: [
    { name: 'pay', title: 'Pay an amount', description: 'Pays an amount.', editable: true,
      parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
      execute: ({ amount }, { user }) => { paid.push(amount + ' by ' + (user?.id || 'nobody')); return { amount }; } },
    { name: 'block', title: 'Block a card', description: 'Blocks a card.', parameters: { type: 'object', properties: {} },
      execute: () => { paid.push('blocked'); } },
  ],
};`;

/** What was paid in this process. The plugin is loaded into it. */
const paid = ((globalThis as { agUiPaid?: string[] }).agUiPaid ??= []);

const pay = (amount: number): ModelScript => calling({ name: 'pay', arguments: { amount } });

async function bank(scripts: readonly ModelScript[], settings: object = {}) {
  paid.length = 0;
  const { url, model } = await scriptedServer({
    scripts,
    plugin,
    settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } }, ...settings },
  });
  const token = await makeToken({ sub: 'ann' });
  return { url, model, token, agent: new AgUiAgent(url, { token }) };
}

const onlyId = (ran: Ran): string => ran.interrupts[0]?.id ?? '';

describe.each(['Native', 'Blocking'])('a call that asks (%s) (contract/ag-ui.md#confirmations)', (hitlMode) => {
  // proves configuration-6-96, wire-6-75
  it('ends the run with an interrupt, and the approval goes on in the next run', async () => {
    const { agent } = await bank([pay(5), saying('Paid.')], { hitlMode });
    const asked = await agent.ask('Pay 5');
    expect(asked.error).toBeUndefined();
    expect(asked.outcome).toMatchObject({
      type: 'interrupt',
      interrupts: [
        {
          reason: 'confirmation',
          message: 'Pay an amount: Pays an amount.',
          expiresAt: expect.stringMatching(/^\d{4}-.*Z$/u) as unknown,
          responseSchema: { properties: { approved: { type: 'boolean' }, arguments: { type: 'object' } } },
          metadata: {
            kind: 'approval',
            toolName: 'pay',
            input: { amount: 5 },
            action: 'pay',
            canRemember: false,
            arguments: [{ name: 'amount', value: 5 }],
          },
        },
      ],
    });
    expect(asked.interrupts[0]?.toolCallId).toBe(
      asked.events.find(({ type }) => type === 'TOOL_CALL_START')?.['toolCallId'],
    );
    expect(paid).toEqual([]);
    const ran = await agent.answer({ approved: true });
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('Paid.');
    expect(customIn(ran.events, 'ConfirmationResolved')).toMatchObject({ outcome: 'approved' });
    expect(typesIn(ran.events)).toContain('TOOL_CALL_RESULT');
    expect(typesIn(ran.events)).not.toContain('TOOL_CALL_START');
    expect(ran.events.at(-1)).toMatchObject({
      outcome: { type: 'success' },
      result: { receipts: [{ action: 'pay' }] },
    });
    expect(paid).toEqual(['5 by ann']);
  });

  // proves configuration-6-96
  it('runs with the arguments that its user has changed', async () => {
    const { agent } = await bank([pay(5), saying('Paid.')], { hitlMode });
    await agent.ask('Pay 5');
    const ran = await agent.answer({ approved: true, arguments: { amount: 3 } });
    expect(ran.text).toBe('Paid.');
    expect(paid).toEqual(['3 by ann']);
  });

  // proves wire-6-76
  it('does not run when it is declined, or left without an answer', async () => {
    const { agent } = await bank([pay(5), saying('Then not.'), pay(6), saying('Not either.')], { hitlMode });
    await agent.ask('Pay 5');
    expect((await agent.answer({ approved: false })).text).toBe('Then not.');
    await agent.ask('Pay 6');
    expect((await agent.answer('cancelled')).text).toBe('Not either.');
    expect(paid).toEqual([]);
  });

  // proves configuration-6-96
  it('takes changed arguments that do not fit as no answer, and asks on', async () => {
    const { url, agent, token } = await bank([pay(5), saying('Paid.')], { hitlMode });
    const id = onlyId(await agent.ask('Pay 5'));
    const refused = await posting(
      url,
      {
        ...ids,
        resume: [{ interruptId: id, status: 'resolved', payload: { approved: true, arguments: { amount: 'x' } } }],
      },
      { authorization: `Bearer ${token}` },
    );
    expect(refused.status).toBe(400);
    expect((await agent.answer({ approved: true })).text).toBe('Paid.');
    expect(paid).toEqual(['5 by ann']);
  });

  // proves wire-6-75
  it('asks for all calls of a round at once', async () => {
    const both = calling({ name: 'pay', arguments: { amount: 5 } }, { name: 'block', arguments: {} });
    const { agent } = await bank([both, saying('Both.')], { hitlMode });
    const asked = await agent.ask('Pay 5 and block');
    expect(asked.interrupts.map(({ metadata }) => (metadata as { action: string }).action).sort()).toEqual([
      'block',
      'pay',
    ]);
    const ran = await agent.answer({ approved: true });
    expect(ran.text).toBe('Both.');
    expect([...paid].sort()).toEqual(['5 by ann', 'blocked']);
  });

  // proves wire-6-78
  it("is nobody else's to answer", async () => {
    const { url, agent } = await bank([pay(5), saying('Paid.')], { hitlMode });
    const id = onlyId(await agent.ask('Pay 5'));
    const body = { ...ids, resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] };
    const bob = { authorization: `Bearer ${await makeToken({ sub: 'bob' })}` };
    expect((await posting(url, body, bob)).status).toBe(403);
    expect((await posting(url, { ...body, resume: [{ interruptId: id, status: 'cancelled' }] }, bob)).status).toBe(403);
    expect((await posting(url, body)).status).toBe(401);
    expect(paid).toEqual([]);
    expect((await agent.answer({ approved: true })).text).toBe('Paid.');
  });

  // proves wire-6-77
  it('runs once, whoever sends the approval how often at the same time', async () => {
    const { url, agent, token } = await bank([pay(5), saying('Paid.')], { hitlMode });
    const id = onlyId(await agent.ask('Pay 5'));
    const body = { ...ids, resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] };
    const send = (): Promise<Response> => posting(url, body, { authorization: `Bearer ${token}` });
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(11);
    await eventsOf(taken[0] as Response); // the length says that there is one
    expect(paid).toEqual(['5 by ann']);
    expect((await send()).status).toBe(404);
    expect(paid).toEqual(['5 by ann']);
  });

  // proves wire-6-77
  it('has one outcome, whatever is sent at the same time', async () => {
    const rounds = 25;
    const scripts = Array.from({ length: rounds }, (_, index) => [pay(index), saying('Done.')]).flat();
    const { url, agent, token } = await bank(scripts, { hitlMode, rateLimitPerUser: 0 });
    for (let round = 0; round < rounds; round += 1) {
      paid.length = 0;
      const id = onlyId(await agent.ask('Pay'));
      agent.pendingInterrupts = [];
      const sent = [
        { status: 'resolved', payload: { approved: true } },
        { status: 'resolved', payload: { approved: false } },
        { status: 'cancelled' },
        { status: 'resolved', payload: { approved: true, arguments: { amount: 1_000 } } },
      ];
      const order = round % sent.length;
      const answers = await Promise.all(
        [...sent.slice(order), ...sent.slice(0, order)].map(async (entry) => {
          const body = { ...ids, resume: [{ interruptId: id, ...entry }] };
          const response = await posting(url, body, { authorization: `Bearer ${token}` });
          const text = await response.text();
          return { entry, status: response.status, text };
        }),
      );
      const outcomes = new Set(
        answers.flatMap(({ text }) => /"outcome":"(approved|declined|cancelled)"/u.exec(text)?.[1] ?? []),
      );
      expect(outcomes.size).toBe(1);
      expect(paid).toHaveLength(outcomes.has('approved') ? 1 : 0);
    }
  });

  // proves wire-6-76, wire-6-79
  it('is over when its time is, and the user goes on', async () => {
    const { agent, url } = await bank([pay(5), saying('Too late.'), saying('Hello.')], {
      hitlMode,
      confirmationTimeout: '1s',
    });
    const asked = await agent.ask('Pay 5');
    expect(asked.interrupts).toHaveLength(1);
    const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
    await expect.poll(metrics).toMatch(/helperagent_confirmations_total\{[^}]*"expired"[^}]*\} 1/u);
    const ran = await agent.answer('cancelled');
    expect(ran.error).toBeUndefined();
    expect(customIn(ran.events, 'ConfirmationResolved')).toMatchObject({ outcome: 'expired' });
    expect(ran.text).toBe('Too late.');
    expect((await agent.ask('Hello?')).text).toBe('Hello.');
    expect(paid).toEqual([]);
  });

  // proves wire-6-76
  it('ends when its user leaves it and says something else', async () => {
    const { agent } = await bank([pay(5), saying('Hello.')], { hitlMode });
    await agent.ask('Pay 5');
    agent.addMessage({ id: 'other', role: 'user', content: 'Forget it. Hello?' });
    const ran = await agent.answer('cancelled');
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('Hello.');
    expect(paid).toEqual([]);
  });
});

describe('the questions of a run (contract/ag-ui.md#confirmations)', () => {
  // proves wire-6-78
  it('are answered by anonymous callers who know their ids', async () => {
    const { url } = await bank([pay(5), saying('Paid.')], {
      auth: {},
      endpoints: { agui: { enabled: true, requireAuthorization: false } },
    });
    const agent = new AgUiAgent(url);
    const asked = await agent.ask('Pay 5');
    expect(onlyId(asked)).toMatch(/^[\w-]{22}$/u);
    expect((await agent.answer({ approved: true })).text).toBe('Paid.');
    expect(paid).toEqual(['5 by nobody']);
  });

  // proves wire-6-77
  it('that are answered beside a faulty answer are taken, and the other is asked again', async () => {
    const both = calling({ name: 'pay', arguments: { amount: 5 } }, { name: 'block', arguments: {} });
    const { agent } = await bank([both, saying('Both.')]);
    const { interrupts } = await agent.ask('Pay 5 and block');
    const idOf = (name: string): string =>
      interrupts.find(({ metadata }) => (metadata as { action: string }).action === name)?.id ?? '';
    const ran = await agent.read({
      resume: [
        { interruptId: idOf('pay'), status: 'resolved', payload: { approved: true } },
        { interruptId: idOf('block'), status: 'resolved', payload: { approved: true, arguments: {} } },
      ],
    });
    expect(customIn(ran.events, 'AnswersRefused')).toMatchObject([
      { interruptId: idOf('block'), code: 'invalid_request' },
    ]);
    expect(ran.interrupts.map(({ id }) => id)).toEqual([idOf('block')]);
    expect((await agent.answer({ approved: true })).text).toBe('Both.');
    expect([...paid].sort()).toEqual(['5 by ann', 'blocked']);
  });

  // proves wire-6-77
  it('of two turns are answered one by one', async () => {
    const { url, agent, token } = await bank([pay(5), pay(6), saying('Paid.'), saying('Paid.')]);
    const other = new AgUiAgent(url, { token });
    const [one, two] = [onlyId(await agent.ask('Pay 5')), onlyId(await other.ask('Pay 6'))];
    const approved = { status: 'resolved', payload: { approved: true } };
    const body = { ...ids, resume: [one, two].map((interruptId) => ({ interruptId, ...approved })) };
    expect((await posting(url, body, { authorization: `Bearer ${token}` })).status).toBe(400);
    expect(paid).toEqual([]);
    await agent.answer({ approved: true });
    await other.answer({ approved: true });
    expect(paid).toEqual(['5 by ann', '6 by ann']);
  });

  // proves wire-6-78
  it('are known from unknown ids', async () => {
    const { url, token } = await bank([]);
    const entries = [
      { interruptId: 'unknown', status: 'resolved', payload: { approved: true } },
      { interruptId: 'unknown', status: 'resolved' },
      { interruptId: 'unknown', status: 'resolved', payload: { approved: true, remember: true } },
    ];
    const statuses = await Promise.all(
      entries.map(async (entry) => {
        const { status } = await posting(url, { ...ids, resume: [entry] }, { authorization: `Bearer ${token}` });
        return status;
      }),
    );
    expect(statuses).toEqual([404, 400, 400]);
  });
});

const ids = { threadId: 't', runId: 'r', messages: [] };
