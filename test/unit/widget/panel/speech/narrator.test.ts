import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TurnHubEvent } from '../../../../../src/widget/conversation/apply-event.ts';
import { spokenOutcome, spokenReceipts } from '../../../../../src/widget/beside/spoken-outcome.ts';
import { spokenQuestion } from '../../../../../src/widget/beside/spoken-question.ts';
import { applyEvent } from '../../../../../src/widget/conversation/apply-event.ts';
import {
  type ConversationState,
  emptyConversation,
} from '../../../../../src/widget/conversation/conversation-state.ts';
import { closed } from '../../../../../src/widget/conversation/sent-message.ts';
import { Narrator, type WithBeside } from '../../../../../src/widget/panel/speech/narrator.ts';
import type { Speech } from '../../../../../src/widget/panel/speech/speech.ts';
import { texts } from '../../../../../src/widget/texts/english.ts';

const started: ConversationState = {
  ...emptyConversation(false),
  turn: { turnId: 't1', lastSeq: 1, isSent: true, isStopping: false, message: { text: 'Hello' } },
};

const asked = 'Confirmation needed: Cancel. Press F6 to go to it.';

const atOnce: WithBeside = (use) => use({ spokenQuestion, spokenOutcome, spokenReceipts });

interface Narration {
  readonly said: string[];
  readonly event: (name: TurnHubEvent['name'], fields: object) => void;
}

/** A narrator that follows the given events, and a record of what it says. Without `speaker`, delayed texts are said at once. */
function narration(speaker?: Speech, withBeside: WithBeside = atOnce): Narration {
  const said: string[] = [];
  const speech: Speech = speaker ?? {
    say(text) {
      if (text !== '') said.push(text);
    },
    sayLater: (delay, text) => void setTimeout(() => speech.say(text()), delay),
    think: (text) => void said.push(`after a while: ${text}`),
    doneThinking: () => undefined,
    sayAction: (text) => void said.push(text),
  };
  const narrator = new Narrator(speech, withBeside);
  let state = started;
  return {
    said,
    event(name, fields) {
      const seq = (state.turn?.lastSeq ?? 0) + 1;
      const event = { name, fields: { turnId: 't1', seq, ...fields } } as TurnHubEvent; // fields that matter here
      const next = applyEvent(state, event);
      narrator.follow(state, next, { texts, botName: 'Ada' });
      narrator.event(event, next, texts);
      state = next;
    },
  };
}

function question(expiresInMs: number): object {
  const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
  return { actionId: 'a1', callId: 'c1', title: 'Cancel', arguments: [], agent: 'coordinator', expiresAt };
}

describe('the time left to answer a question (contract/confirmations.md#what-is-shown, `expiresAt`)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is said once, a minute before it ends', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    vi.advanceTimersByTime(839_999);
    expect(said).toEqual([asked]);
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([asked, 'One minute left to answer: Cancel']);
  });

  it('is not said of a question that was answered', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', { actionId: 'a1', outcome: 'approved', by: 'user' });
    vi.advanceTimersByTime(900_000);
    expect(said).toEqual([asked]);
  });

  it.each([
    ['shorter than a minute', 30_000],
    ['over already', -5000],
    ['longer than timers can count', 4_000_000_000],
  ])('is not said when it is %s', (_title, expiresInMs) => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(expiresInMs));
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([asked]);
  });
});

describe('an action that did not work (contract/events.md)', () => {
  it.each([
    ['once, by the reply that says it', 'No paper.', ['Running: Print', 'No paper.']],
    ['once, beside a reply that does not say it', 'Sorry.', ['Running: Print', 'Sorry.', 'No paper.']],
  ])('is told %s', (_title, text, expected) => {
    const { said, event } = narration();
    event('ActionExecuting', { callId: 'c1', title: 'Print' });
    event('ErrorOccurred', { code: 'action_failed', message: 'No paper.', retryable: false });
    event('ActionCompleted', { callId: 'c1', action: 'print', status: 'failed' });
    event('TurnCompleted', { status: 'completed', text });
    expect(said).toEqual(expected);
  });
});

describe('a question that comes (contract/confirmations.md#what-is-shown)', () => {
  it('is announced with its values and the way to it', () => {
    const { said, event } = narration();
    const values = [
      { name: 'orderNumber', label: 'Order number', value: 1002 },
      { name: 'note', label: 'Note', value: 'a\u202Eb' },
    ];
    event('ConfirmationRequested', { ...question(900_000), arguments: values });
    expect(said).toEqual(['Confirmation needed: Cancel. Order number: 1002. Note: a\\u{202E}b. Press F6 to go to it.']);
  });

  // proves wire-26-01
  it('is announced as late as it can be worded, unless it is decided by then', () => {
    const late: (() => void)[] = [];
    const { said, event } = narration(undefined, (use) => void late.push(() => atOnce(use)));
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationRequested', { ...question(900_000), actionId: 'a2', callId: 'c2', title: 'Refund' });
    event('ConfirmationResolved', { actionId: 'a1', outcome: 'declined', by: 'user' });
    expect(said).toEqual([]);
    for (const speak of late) speak();
    expect(said).toContain('Confirmation needed: Refund. Press F6 to go to it.');
    expect(said).not.toContain(asked);
  });

  // proves wire-9-99
  it('names the agent that asks, unless that is the coordinator', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', { ...question(900_000), agent: 'Bil\u202Eling' });
    event('ConfirmationRequested', { ...question(900_000), actionId: 'a2', agent: 'Sales', reason: 'mcp' });
    expect(said).toEqual([
      'Confirmation needed: Cancel. Bil\\u{202E}ling wants to do this. Press F6 to go to it.',
      'Confirmation needed: Cancel. Sales wants to do this. A connected tool server does this. Press F6 to go to it.',
    ]);
  });

  it('names what is long or many by its beginning', () => {
    const { said, event } = narration();
    const values = Array.from({ length: 9 }, (_, at) => ({
      name: `n${String(at)}`,
      label: `N${String(at)}`,
      value: 'x'.repeat(200),
    }));
    event('ConfirmationRequested', { ...question(900_000), arguments: values });
    expect(said[0]).toContain(`N0: ${'x'.repeat(80)}…. N1:`);
    expect(said[0]).toContain('N7:');
    expect(said[0]).not.toContain('N8:');
  });
});

describe('a question that is over (contract/events.md)', () => {
  const approved = { actionId: 'a1', outcome: 'approved', by: 'user' };
  const call = { callId: 'c1', action: 'cancel' };

  it('approved, is told once with what its action came to', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', approved);
    event('ActionExecuting', { ...call, title: 'Cancel' });
    event('ActionCompleted', { ...call, status: 'succeeded' });
    event('TurnCompleted', { status: 'completed', text: 'It is cancelled.' });
    expect(said).toEqual([asked, 'after a while: Running: Cancel', 'Done: Cancel', 'It is cancelled.']);
  });

  it('approved, says nothing of running once it is done', () => {
    const said: string[] = [];
    let thought = '';
    const { event } = narration({
      say(text) {
        if (text !== '') said.push(text);
      },
      sayLater: () => undefined,
      think: (text) => (thought = text),
      doneThinking: () => (thought = ''),
      sayAction: () => undefined,
    });
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', approved);
    event('ActionExecuting', { ...call, title: 'Cancel' });
    event('ActionProgress', { ...call, message: 'Half' });
    expect(thought).toBe('Running: Cancel');
    event('ActionCompleted', { ...call, status: 'succeeded' });
    expect(thought).toBe('');
    expect(said).toEqual([asked, 'Done: Cancel']);
  });

  it('approved in vain, is told once with its reason', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', approved);
    event('ActionExecuting', { ...call, title: 'Cancel' });
    event('ErrorOccurred', { code: 'action_failed', message: 'Too late.', retryable: false });
    event('ActionCompleted', { ...call, status: 'failed' });
    event('TurnCompleted', { status: 'completed', text: 'Sorry.' });
    expect(said.slice(2)).toEqual(['Failed: Cancel. Too late.', 'Sorry.']);
  });

  it.each([
    ['declined', 'user', 'Cancel. This was declined elsewhere. Nothing was changed.'],
    ['expired', 'system', 'Cancel. Nobody answered in time. Nothing was changed.'],
    ['cancelled', 'system', 'Cancel. The question was withdrawn. Nothing was changed.'],
  ])('%s by somebody or something else, is told once', (outcome, by, told) => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', { actionId: 'a1', outcome, by });
    event('ActionCompleted', { ...call, status: outcome === 'declined' ? 'declined' : 'cancelled' });
    expect(said).toEqual([asked, told]);
  });

  it('by Stop, is told by the end of the turn', () => {
    const { said, event } = narration();
    event('ConfirmationRequested', question(900_000));
    event('ConfirmationResolved', { actionId: 'a1', outcome: 'cancelled', by: 'user' });
    event('TurnCompleted', { status: 'stopped', text: '' });
    expect(said).toEqual([asked, 'Stopped']);
  });
});

describe('the agents that work (contract/widget.md#agents)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const activity = (agent: string, phase: string, kind = 'specialist'): ['AgentActivity', object] => [
    'AgentActivity',
    { agent, kind, phase },
  ];

  // proves wire-9-96
  it('are announced once in a turn, together, and only if the work takes a while', () => {
    const { said, event } = narration();
    event(...activity('Sales', 'started'));
    event(...activity('Legal', 'started'));
    vi.advanceTimersByTime(1499);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['Sales and Legal are working…']);
    event(...activity('Sales', 'finished'));
    event(...activity('Sales', 'started'));
    vi.advanceTimersByTime(5000);
    expect(said).toEqual(['Sales and Legal are working…']);
  });

  // proves wire-9-96
  it.each([
    ['speaks', 'TextDelta', { text: 'Two are open.', agent: 'Billing' }],
    ['has failed', 'AgentActivity', { agent: 'Billing', kind: 'specialist', phase: 'failed' }],
    ['has finished', 'AgentActivity', { agent: 'Billing', kind: 'specialist', phase: 'finished' }],
  ] as const)('are not announced when the agent %s before', (_what, name, fields) => {
    const { said, event } = narration();
    event(...activity('Billing', 'started'));
    event(name, fields);
    vi.advanceTimersByTime(5000);
    expect(said).toEqual([]);
  });

  it('are not announced after the end of the turn', () => {
    const { said, event } = narration();
    event(...activity('Billing', 'started'));
    event('TurnCompleted', { status: 'stopped', text: '' });
    vi.advanceTimersByTime(5000);
    expect(said).toEqual(['Stopped']);
  });

  // proves wire-9-98
  it('are named before their words, when the reply is announced', () => {
    const { said, event } = narration();
    event('TextDelta', { text: 'One moment.', agent: 'coordinator' });
    event('TextDelta', { text: '\n\nTwo are open.', agent: 'Billing' });
    event('TextDelta', { text: '\n\nAnything else?', agent: 'coordinator' });
    event('TurnCompleted', { status: 'completed', text: 'One moment.\n\nTwo are open.\n\nAnything else?' });
    expect(said).toEqual(['One moment.\nBilling said:\nTwo are open.\nAda said:\nAnything else?']);
  });
});

describe('a user whom the server does not accept (contract/widget.md#who-is-signed-in)', () => {
  // proves wire-26-03
  it('is told so while nothing runs, and once where a turn ends with it', () => {
    const said: string[] = [];
    const speech: Speech = {
      say: (text) => void (text !== '' && said.push(text)),
      sayLater: () => undefined,
      think: () => undefined,
      doneThinking: () => undefined,
      sayAction: () => undefined,
    };
    const connected: ConversationState = { ...emptyConversation(false), connection: 'connected' };
    const idle = new Narrator(speech, atOnce);
    idle.follow(connected, closed(connected, 'signed-out'), { texts, botName: 'Ada' });
    expect(said.splice(0)).toEqual([texts.notice['signed-out']]);
    const running: ConversationState = { ...started, connection: 'connected' };
    const busy = new Narrator(speech, atOnce);
    busy.follow(connected, running, { texts, botName: 'Ada' });
    busy.follow(running, closed(running, 'signed-out'), { texts, botName: 'Ada' });
    expect(said).toEqual([texts.notice.interrupted, texts.notice['signed-out']]);
  });
});
