import { describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../../src/core/sessions/snapshot/shown-messages.ts';
import { decidingModel, desks, payingAgents, routingModel } from '../../../support/agents/paying-agents.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

/** The answer of a restored conversation, part by part. */
function partsOf(messages: readonly ShownMessage[]): readonly string[] {
  return messages.flatMap(({ answer = [] }) =>
    answer.map((part) => {
      if (part.type === 'text') return `${part.agent ?? 'coordinator'}: ${part.text.trim()}`;
      return 'action' in part ? `${part.type} ${part.action}` : part.type;
    }),
  );
}

async function restored(options: TestAssistantOptions, whileWaiting = false) {
  const { assistant, snapshots } = testAssistant(options);
  const session = assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'Go' });
  const reader = readTurn(turn);
  const asked = options.toolList === undefined ? undefined : await reader.next('confirmation-requested');
  if (!whileWaiting) {
    const actionId = String(asked?.fields['actionId']);
    if (asked !== undefined) await assistant.answerConfirmation({ actionId, approved: true }, turn.principal);
    await turn.result;
  }
  const saved = await snapshots.save(session);
  if (whileWaiting) await turn.stop('user');
  await turn.result;
  const { messages } = await snapshots.restore(assistant.openSession({ channel: 'hub' }), saved);
  return messages;
}

describe('a restored conversation in which agents have answered (contract/agents.md#who-speaks)', () => {
  // proves extending-4-74
  it.each(desks)('shows what the agents behind %s have said and done, with their names', async (desk) => {
    const agents = agentsOf(payingAgents(desk));
    const messages = await restored({ model: routingModel, agents, toolList: [fakeTool({ name: 'pay' })] });
    const who = desk === 'specialist' ? 'Desk' : 'Cash';
    const parts = partsOf(messages);
    expect(parts.at(-2)).toBe(`${desk === 'magentic' ? 'Desk' : who}: ${who}: succeeded.`);
    expect(parts.filter((part) => part.startsWith('confirmation-requested'))).toEqual(['confirmation-requested pay']);
    const { status, text } = { status: messages.at(-1)?.receipts?.[0]?.status, text: messages.at(-1)?.text };
    expect(status).toBe('succeeded');
    expect(text).toContain(`${who}: succeeded.`);
  });

  // proves extending-4-74
  it('shows the half that an agent had said when the turn was stopped, and never what was taken back', async () => {
    const route = call('route_to_specialist', { name: 'Billing', request: 'Look' });
    const held = Promise.withResolvers<undefined>();
    const agents = agentsOf([specialist({ name: 'Billing' }, fakeModel({ text: 'Two are', until: held.promise }))]);
    const { assistant, snapshots } = testAssistant({ model: fakeModel({ toolCalls: [route] }), agents });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'Go' });
    await readTurn(turn).next('text-delta');
    await turn.stop('user');
    await turn.result;
    const saved = await snapshots.save(session);
    const { messages } = await snapshots.restore(assistant.openSession({ channel: 'hub' }), saved);
    expect(partsOf(messages)).toEqual(['Billing: Two are', 'turn-completed']);
  });

  // proves extending-4-74
  it('shows what was said before the question that waits', async () => {
    const asking = decidingModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { text: 'Paid.' } : { text: 'I pay.', toolCalls: [call('pay', {})] },
    );
    const agents = agentsOf([
      specialist({ name: 'Clerk' }, fakeModel({ text: 'Noted.' })),
      specialist({ name: 'Cash', tools: ['pay'] }, asking),
      team(
        'groupChat',
        { name: 'Desk', members: ['Clerk', 'Cash'], options: { maxRounds: 2 } },
        fakeModel({ text: '' }),
      ),
    ]);
    const options = { model: routingModel, agents, toolList: [fakeTool({ name: 'pay' })], hitlMode: 'Native' as const };
    expect(partsOf(await restored(options, true))).toEqual(['Clerk: Noted.', 'Cash: I pay.']);
  });
});
