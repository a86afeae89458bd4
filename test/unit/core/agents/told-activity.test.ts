import { describe, expect, it } from 'vitest';
import { hubEventNames } from '../../../../src/channels/shared/hub-event-names.ts';
import { ModelError } from '../../../../src/core/ports/chat-model.ts';
import { namesAtWork } from '../../../../src/widget/conversation/agents-at-work.ts';
import { applyEvent, type TurnHubEvent } from '../../../../src/widget/conversation/apply-event.ts';
import { type ConversationState, emptyConversation } from '../../../../src/widget/conversation/conversation-state.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

function begin(options: TestAssistantOptions) {
  const { assistant } = testAssistant(options);
  const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
  return { turn, reader: readTurn(turn) };
}

type Events = ReturnType<typeof readTurn>['events'];

/** The activities, such as `team Desk started` and `specialist Ann started 1`, where the number is the round. */
function activities(events: Events): string[] {
  return events.flatMap(({ type, fields }) =>
    type === 'agent-activity'
      ? [[fields['kind'], fields['agent'], fields['phase'], fields['round'] ?? ''].join(' ').trim()]
      : [],
  );
}

/** Whom the widget names after each activity. */
function namedByWidget(events: Events): string[] {
  const message = { text: 'Go' };
  let state: ConversationState = {
    ...emptyConversation(false),
    turn: { turnId: null, lastSeq: 0, isSent: true, isStopping: false, message },
  };
  return events.flatMap(({ type, fields }) => {
    const event: unknown = { name: hubEventNames[type], fields };
    state = applyEvent(state, event as TurnHubEvent); // the hub sends the event in this form
    return type === 'agent-activity' ? [namesAtWork(state.turn).join(' and ')] : [];
  });
}

const route = (name: string) => call('route_to_specialist', { name, request: 'Do it' }, `to_${name}`);

describe('the activity of agents (contract/events.md#members, AgentActivity)', () => {
  // proves wire-2-88
  it('stands between that of the team, with the round of each member, and the widget names the innermost', async () => {
    const agents = agentsOf([
      specialist({ name: 'Ann' }, fakeModel({ text: 'A draft.' })),
      specialist({ name: 'Bob' }, fakeModel({ text: 'Checked.' })),
      team('sequential', { name: 'Back', members: ['Bob'] }, fakeModel({ text: '' })),
      team('sequential', { name: 'Desk', members: ['Ann', 'Back'] }, fakeModel({ text: '' })),
    ]);
    const { turn, reader } = begin({ model: fakeModel({ toolCalls: [route('Desk')] }, { text: 'Done.' }), agents });
    await turn.result;
    const named = namedByWidget(reader.events);
    expect(activities(reader.events).map((each, index) => `${each} → ${named[index] ?? ''}`)).toEqual([
      'team Desk started → Desk',
      'specialist Ann started 1 → Ann',
      'specialist Ann finished 1 → Desk',
      'team Back started 2 → Back',
      'specialist Bob started 1 → Bob',
      'specialist Bob speaking 1 → Bob',
      'specialist Bob finished 1 → Back',
      'team Back finished 2 → Desk',
      'team Desk finished → ',
    ]);
  });

  // proves extending-4-71
  it('ends as failed where the agent could not answer', async () => {
    const fails = new ModelError('model_unavailable', 'no line to the model', { transient: false });
    const agents = agentsOf([specialist({ name: 'Billing' }, fakeModel({ text: 'Half', fails }))]);
    const { turn, reader } = begin({ model: fakeModel({ toolCalls: [route('Billing')] }, { text: 'Sorry.' }), agents });
    await turn.result;
    expect(activities(reader.events)).toEqual([
      'specialist Billing started',
      'specialist Billing speaking',
      'specialist Billing failed',
    ]);
    expect(namedByWidget(reader.events)).toEqual(['Billing', 'Billing', '']);
  });

  // proves extending-4-71
  it('has no end after a Stop: the end of the turn is the end of all', async () => {
    const held = Promise.withResolvers<undefined>();
    const agents = agentsOf([specialist({ name: 'Billing' }, fakeModel({ text: 'Noted, and', until: held.promise }))]);
    const { turn, reader } = begin({ model: fakeModel({ toolCalls: [route('Billing')] }), agents });
    await reader.next('text-delta');
    await turn.stop('user');
    await turn.result;
    expect(activities(reader.events)).toEqual(['specialist Billing started', 'specialist Billing speaking']);
    expect(reader.events.at(-1)?.type).toBe('turn-completed');
  });
});
