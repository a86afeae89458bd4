import { describe, expect, it } from 'vitest';
import type { PlannedCall } from '../support/faults/fault-plan.ts';
import { foundFaults } from '../support/faults/oracle/found-faults.ts';
import type { Fields, Reading, Told, ToldAnswer, ToldEvent } from '../support/faults/told.ts';

const call: PlannedCall = {
  id: '0.0.0.0',
  name: 'change',
  first: 'approve',
  later: 'leave',
  last: 'approve',
  afterMs: 0,
};
const ids = { actionId: 'action', callId: 'call', turnId: 'turn' };

/** One event each millisecond. */
function events(from: number, list: readonly (readonly [string, Fields])[]): ToldEvent[] {
  return list.map(([name, fields], index) => {
    const seq = index + 1;
    return { name, seq, fields: { turnId: 'turn', seq, ...fields }, at: from + index * 1000 };
  });
}

const asked = [
  ['TurnStarted', {}],
  ['TextDelta', { text: 'Round.' }],
  ['ConfirmationRequested', { actionId: 'action', callId: 'call' }],
] as const;
const resolved = ['ConfirmationResolved', { actionId: 'action', outcome: 'approved' }] as const;
const completed = ['ActionCompleted', { callId: 'call', status: 'succeeded' }] as const;
const ended = ['TurnCompleted', { status: 'completed', text: 'Round.' }] as const;

function answer(given: Partial<ToldAnswer> & Pick<ToldAnswer, 'what'>): ToldAnswer {
  return { of: 'action', life: 0, disk: 'works', sentAt: 3500, answeredAt: 3600, status: 200, ...given };
}

/** A record without faults. An action is approved and runs in a process that is then killed. The next process tells the end of the turn. */
function truthful(): Told & { readonly whole: Reading } {
  const live: Reading = { turnId: 'turn', channel: 'hub', life: 0, afterSeq: 0, events: events(1000, asked) };
  const whole: Reading = {
    ...{ turnId: 'turn', channel: 'hub', life: 1, afterSeq: 0 },
    events: events(20_000, [...asked, resolved, completed, ended]),
  };
  const line = { action: 'change', id: call.id, callId: 'call', turnId: 'turn', userId: '' } as const;
  const action = { status: 'succeeded', at: '2026-01-01T00:00:00Z' };
  return {
    plan: { hitlMode: 'Native', confirmationTimeout: '15m', catchesUp: true, lives: [] },
    turns: [{ turnId: 'turn', channel: 'hub', user: 'ann', life: 0 }],
    questions: [{ ...ids, call, life: 0, at: 3000 }],
    readings: [live, whole],
    answers: [
      answer({ what: 'approve', body: { outcome: 'approved' } }),
      answer({ what: 'look', life: 1, sentAt: 30_000, answeredAt: 30_100, body: { outcome: 'approved', action } }),
      answer({
        what: 'approve',
        life: 1,
        sentAt: 31_000,
        answeredAt: 31_100,
        status: 404,
        body: { outcome: 'approved' },
      }),
    ],
    models: [{ id: call.id, status: 'succeeded', at: 15_000 }],
    lives: [
      { startedAt: 0, endedAt: 10_000, disturbance: 'killed' },
      { startedAt: 11_000, endedAt: Infinity, disturbance: 'ended' },
    ],
    troubles: [],
    ledger: [
      { what: 'began', ...line, at: 5000 },
      { what: 'ended', ...line, at: 5100 },
    ],
    whole,
  };
}

type Change = (told: ReturnType<typeof truthful>) => void;

function setField(told: ReturnType<typeof truthful>, event: string, fields: Fields): void {
  const found = told.whole.events.findIndex(({ name }) => name === event);
  const before = told.whole.events[found];
  if (before !== undefined) told.whole.events[found] = { ...before, fields: { ...before.fields, ...fields } };
}

function remove(told: ReturnType<typeof truthful>, event: string): void {
  told.whole.events.splice(
    told.whole.events.findIndex(({ name }) => name === event),
    1,
  );
}

const cases: readonly (readonly [string, string, Change])[] = [
  ['unapproved', 'ran without an approval', ({ answers }) => answers.splice(0, 1)],
  ['doubled', 'ran 2 times', (told) => (told.ledger = [...told.ledger, ...told.ledger])],
  ['untrue', 'did not run to its end', (told) => (told.ledger = told.ledger.slice(0, 1))],
  [
    'untrue',
    'was told as declined (ActionCompleted) and ran',
    (told) => setField(told, 'ActionCompleted', { status: 'declined' }),
  ],
  [
    'untrue',
    'was told as failed (ActionCompleted) and ran',
    (told) => setField(told, 'ActionCompleted', { status: 'failed' }),
  ],
  [
    'untrue',
    'was told as succeeded (what the model was told), then unknown',
    (told) => setField(told, 'ActionCompleted', { status: 'unknown' }),
  ],
  [
    'untrue',
    'was told as approved (the answer 200 to approve), then cancelled',
    (told) => setField(told, 'ConfirmationResolved', { outcome: 'cancelled' }),
  ],
  [
    'untrue',
    'was told as open once it had ended',
    ({ answers }) => answers.push(answer({ what: 'look', life: 1, sentAt: 29_000, body: { outcome: 'open' } })),
  ],
  [
    'untrue',
    'ran after its turn was told to be stopped',
    ({ answers }) =>
      answers.push(answer({ what: 'stop', of: 'turn', sentAt: 3700, answeredAt: 3800, body: { stopped: true } })),
  ],
  ['untold', 'is unknown to Resume', ({ whole }) => (whole.isUnknown = true)],
  ['untold', 'has no end for Resume', (told) => remove(told, 'TurnCompleted')],
  ['untold', 'does not tell how the question', (told) => remove(told, 'ConfirmationResolved')],
  ['untold', 'does not tell what became of', (told) => remove(told, 'ActionCompleted')],
  ['untold', 'GET /helper/approve answers 404', ({ answers }) => Object.assign(answers[1] ?? {}, { status: 404 })],
  ['untold', 'is still open', ({ answers }) => Object.assign(answers[1] ?? {}, { body: { outcome: 'open' } })],
  ['untold', 'without the outcome', ({ answers }) => Object.assign(answers[2] ?? {}, { body: {} })],
  ['disorder', 'the numbers have a gap', (told) => remove(told, 'TextDelta')],
  ['disorder', 'several ends', ({ readings, whole }) => readings.push(otherEnd(whole))],
  ['disorder', 'the text at the end', (told) => setField(told, 'TurnCompleted', { text: 'Other.' })],
  ['disorder', 'was TextDelta', (told) => setField(told, 'TextDelta', { text: 'Another.' })],
  ['unavailable', 'approve was answered 500', ({ answers }) => answers.push(answer({ what: 'approve', status: 500 }))],
  [
    'unavailable',
    'decline was answered 200 declined while the storage failed',
    ({ answers }) => answers.push(answer({ what: 'decline', disk: 'fails', body: { outcome: 'declined' } })),
  ],
  [
    'unavailable',
    'while the storage worked',
    ({ answers }) => answers.push(answer({ what: 'approve', status: 503, body: { code: 'storage_unavailable' } })),
  ],
];

function otherEnd(whole: Reading): Reading {
  const end = whole.events.map((event) =>
    event.name === 'TurnCompleted' ? { ...event, fields: { ...event.fields, status: 'failed' } } : event,
  );
  return { ...whole, life: 0, events: end };
}

describe('the oracle of the fault suite', () => {
  it('finds nothing in what is true', () => {
    expect(foundFaults(truthful())).toEqual([]);
  });

  it.each(cases)('finds what is %s: … %s …', (kind, says, change) => {
    const told = truthful();
    change(told);
    const found = foundFaults(told);
    expect(found.map((fault) => `${fault.kind}: ${fault.says}`).join('\n')).toContain(says);
    expect(found.map((fault) => fault.kind)).toContain(kind);
  });

  it('takes the empty delta that stands where a crash left a number unused', () => {
    const told = truthful();
    setField(told, 'TextDelta', { text: '' });
    setField(told, 'TurnCompleted', { text: '' });
    expect(foundFaults(told)).toEqual([]);
  });
});
