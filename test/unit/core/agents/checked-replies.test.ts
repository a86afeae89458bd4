import { describe, expect, it } from 'vitest';
import type { TextCheck } from '../../../../src/core/guardrails/text-check.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const route = (name: string, id = name) => call('route_to_specialist', { name, request: 'Look' }, id);

const finding = (isSafe: boolean): TextCheck => ({ name: 'test', isSafe: () => Promise.resolve(isSafe) });

/** Plays a turn whose reply is held until `check` has seen it. */
async function play(check: TextCheck, replies: Parameters<typeof fakeModel>) {
  const look = fakeTool({
    name: 'look',
    readOnly: true,
    execute: () => ({ value: 'seen', card: { type: 'AdaptiveCard', version: '1.5', body: [] } }),
  });
  const agents = agentsOf([
    specialist(
      { name: 'Billing', tools: ['look'] },
      fakeModel({ text: 'I look.', toolCalls: [call('look', {}, 'b1')] }, { text: 'Two are open.' }),
    ),
    specialist({ name: 'Sales' }, fakeModel({ text: 'It costs 5.' })),
    team('concurrent', { name: 'Both', members: ['Billing', 'Sales'] }, fakeModel({ text: '' })),
  ]);
  const guards = {
    input: () => undefined,
    output: () => ({ checks: [check], timeoutMs: 1000, onFailure: 'Block' as const }),
  };
  const { assistant } = testAssistant({ model: fakeModel(...replies), agents, toolList: [look], guards });
  const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Hello' });
  const reader = readTurn(turn);
  const result = await turn.result;
  const told = reader.events.flatMap(({ type, fields }) => {
    if (type === 'text-delta') return [`${String(fields['agent'])}: ${String(fields['text']).trim()}`];
    return type === 'card-ready' ? ['a card'] : [];
  });
  return { result, told };
}

describe('a reply that is held until it is checked, in which agents speak (contract/guardrails.md#replies)', () => {
  it('is checked as a whole, and then shown with its speakers and cards in their order', async () => {
    const seen: string[] = [];
    const check: TextCheck = {
      name: 'test',
      isSafe: ({ text }) => {
        seen.push(text);
        return Promise.resolve(true);
      },
    };
    const { told } = await play(check, [{ text: 'One moment.', toolCalls: [route('Billing')] }, { text: 'Done.' }]);
    expect(seen).toEqual(['One moment.\n\nI look.\n\nTwo are open.\n\nDone.']);
    expect(told).toEqual([
      'coordinator: One moment.',
      'Billing: I look.',
      'a card',
      'Billing: Two are open.',
      'coordinator: Done.',
    ]);
  });

  it('shows what agents said side by side once, in the order in which they were asked', async () => {
    const { told } = await play(finding(true), [{ toolCalls: [route('Both')] }, { text: '' }]);
    expect(told.filter((line) => line !== 'a card')).toEqual(['Billing: Two are open.', 'Sales: It costs 5.']);
    const twice = await play(finding(true), [
      { toolCalls: [route('Sales', 's'), route('Billing', 'b')] },
      { text: '' },
    ]);
    expect(twice.told.filter((line) => line !== 'a card')).toEqual(['Sales: It costs 5.', 'Billing: Two are open.']);
  });

  it('shows nothing of any agent when the check finds it unsafe', async () => {
    const { told, result } = await play(finding(false), [{ toolCalls: [route('Billing')] }, { text: 'Done.' }]);
    expect(told).toEqual([]);
    expect(result).toMatchObject({ status: 'refused', code: 'reply_withheld', text: '' });
  });
});
