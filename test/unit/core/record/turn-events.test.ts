import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../../src/core/events/turn-event.ts';
import { EventLog } from '../../../../src/core/record/event-log.ts';
import { openTurn } from '../../../../src/core/record/opened-turn.ts';
import { Tape } from '../../../../src/core/record/tape.ts';
import { TurnEvents } from '../../../../src/core/record/turn-events.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const sealer = testRecordSealer();
const started = { type: 'turn-started', conversationId: 'c', model: 'm' } as const;
const progress = (text: string) => ({ type: 'action-progress', callId: 'c', text }) as const;
const requested = (actionId: string) =>
  ({
    type: 'confirmation-requested',
    actionId,
    callId: 'c',
    action: 'a',
    title: 'A',
    description: '',
    arguments: [],
    agent: 'coordinator',
    reason: 'write',
    expiresAt: null,
    canRemember: false,
    editable: false,
  }) as unknown as Parameters<TurnEvents['once']>[1]; // as much of it as events are kept by
const resolved = (actionId: string) =>
  ({ type: 'confirmation-resolved', actionId, outcome: 'approved', by: 'user' }) as const;

/** The events of one process. With `claimed` the process takes the turn up. */
function process(stores = memoryStores(), claimed?: Awaited<ReturnType<typeof stores.turns.claim>>) {
  const clock = { now: () => 1000, elapsed: () => 0 };
  const log = recordingLogger();
  const markOf = (userKey: string): string => userKey;
  const services = {
    store: stores.turns,
    sealer,
    markOf,
    policy: 'question',
    clock,
    log,
    resumeWindowMs: 500,
  } as const;
  const kept = claimed === undefined ? undefined : openTurn(claimed, sealer);
  const tape = new Tape('t', services, kept && { epoch: kept.epoch, lines: kept.lines.length });
  const eventLog = new EventLog({ turnId: 't', agent: 'coordinator', maxLength: 100_000 });
  const events = new TurnEvents({ log: eventLog, tape, flushIntervalMs: 0, elapsed: () => 0 });
  if (kept !== undefined) events.takeUp(kept.lines);
  const keep = (): void => {
    tape.keep(() => ({ header: '{}', userKey: 'id:ann', lines: events.lines() }));
  };
  const shown: string[] = [];
  const listener = {
    onEvent: ({ seq, type, json }: RecordedEvent) => {
      const { text } = JSON.parse(json) as { readonly text?: string }; // written by the log
      shown.push(`${String(seq)} ${type}${text === undefined ? '' : ` ${text}`}`);
    },
    onEnd: () => undefined,
  };
  events.shown.setListener(listener, 0);
  return { ...stores, tape, keep, events, shown, listener };
}

/** The next process, after this one has died. */
async function next({ turns, journal }: ReturnType<typeof process>) {
  return process({ turns, journal }, await turns.claim('t'));
}

/** Holds the writes to the store until the test releases them. */
function held({ turns }: ReturnType<typeof process>) {
  const append = turns.append.bind(turns);
  let release = Promise.withResolvers<undefined>();
  turns.append = (...given) => release.promise.then(() => append(...given));
  return () => {
    release.resolve(undefined);
    release = Promise.withResolvers();
  };
}

async function settle(): Promise<void> {
  for (let loop = 0; loop < 4; loop += 1) await nextLoop();
}

describe('the events of a turn that is not kept', () => {
  it('are shown at once, each under its key once', () => {
    const { events, shown } = process();
    events.once('started', started);
    events.once('started', started);
    events.speak('c/0/model')('Hi');
    events.flush();
    events.once('p', progress('one'));
    expect(shown).toEqual(['1 turn-started', '2 text-delta Hi', '3 action-progress one']);
  });
});

describe('the events of a turn that is kept (contract/restarts.md: nothing is told that is not durable)', () => {
  it('that are not text are shown once they are stored, in their order, what came before at once', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    await one.tape.flush();
    const release = held(one);
    one.events.once('p/0', progress('one'));
    one.events.once('p/1', progress('two'));
    await settle();
    expect(one.shown).toEqual(['1 turn-started']);
    expect(one.events.lastSeq).toBe(1);
    expect(one.events.after(0)).toHaveLength(1);
    release();
    await one.tape.flush();
    expect(one.shown).toEqual(['1 turn-started', '2 action-progress one', '3 action-progress two']);
  });

  it('name who says a text, also for those who read them from the next process', async () => {
    const one = process();
    one.events.once('started', started);
    one.events.speak('coordinator/0/model')('I ask.');
    one.keep();
    one.events.speak('coordinator/0/call/c/Billing/0/model', 'Billing')('It is paid.');
    one.events.settle();
    one.events.speak('coordinator/1/model')('Done.');
    one.events.settle();
    await one.tape.flush();
    const two = await next(one);
    const told = (two.events.after(1) ?? []).map(({ json }) => JSON.parse(json) as object); // text events
    expect(told).toMatchObject([
      { text: 'I ask.', agent: 'coordinator' },
      { text: '\n\nIt is paid.', agent: 'Billing' },
      { text: '\n\nDone.', agent: 'coordinator' },
    ]);
    expect(two.events.after(1)).toEqual(one.events.after(1));
  });

  it('that are text are shown at once when their numbers are set aside, and never before', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    await one.tape.flush();
    const release = held(one);
    const say = one.events.speak('c/0/model');
    say('Hello');
    one.events.flush();
    await settle();
    expect(one.shown).toEqual(['1 turn-started']);
    release();
    await settle();
    expect(one.shown).toEqual(['1 turn-started', '2 text-delta Hello']);
    say(' you');
    one.events.flush();
    expect(one.shown.at(-1)).toBe('3 text-delta  you');
  });

  it('that are text of a further reply wait for numbers of their own: a crash would give the earlier ones to other events', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    one.events.speak('c/0/model')('Let me look.');
    one.events.settle();
    one.events.once('p', progress('one'));
    await one.tape.flush();
    const release = held(one);
    one.events.speak('c/1/model')('Found');
    one.events.flush();
    await settle();
    expect(one.shown.at(-1)).toBe('3 action-progress one');
    release();
    await settle();
    expect(one.shown.at(-1)).toBe('4 text-delta \n\nFound');
  });

  it('that are text wait for what comes before them', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    const say = one.events.speak('c/0/model');
    await one.tape.flush();
    const release = held(one);
    one.events.once('p', progress('one'));
    say('Hi');
    one.events.flush();
    await settle();
    expect(one.shown).toEqual(['1 turn-started']);
    release();
    await settle();
    expect(one.shown).toEqual(['1 turn-started', '2 action-progress one', '3 text-delta Hi']);
  });

  it('are sent to a new reader from where it was, none twice, what is not stored later', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    await one.tape.flush();
    const release = held(one);
    one.events.once('p', progress('one'));
    one.shown.length = 0;
    one.events.shown.setListener(one.listener, 2);
    await settle();
    release();
    await one.tape.flush();
    expect(one.shown).toEqual([]);
    expect(one.events.after(1)).toHaveLength(1);
  });

  it('name the questions that were shown and not ended', async () => {
    const one = process();
    one.keep();
    one.events.once('asked/q', requested('q'));
    one.events.once('asked/r', requested('r'));
    expect(one.events.openQuestions).toEqual([]);
    await one.tape.flush();
    one.events.once('resolved/q', resolved('q'));
    expect(one.events.openQuestions).toHaveLength(2);
    await one.tape.flush();
    expect(one.events.openQuestions.map(({ seq }) => seq)).toEqual([2]);
    expect((await next(one)).events.openQuestions.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('the events of a turn in the next process', () => {
  it('go on where they were: what was told is not told again, in whatever process', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    one.events.once('p', progress('one'));
    await one.tape.flush();
    const two = await next(one);
    two.events.takeBack(false);
    two.events.once('started', started);
    two.events.once('p', progress('again'));
    two.events.once('q', progress('two'));
    await two.tape.flush();
    expect(two.shown).toEqual(['3 action-progress two']);
    expect(two.events.after(0)?.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  // proves wire-2-71
  it('take a reply back that was not read to its end: its numbers are filled, its text is replaced', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    one.events.speak('c/0/model')('Done. ');
    one.events.settle();
    const say = one.events.speak('c/1/model');
    await one.tape.flush();
    say('Half a re');
    one.events.flush();
    expect(one.shown.at(-1)).toBe('3 text-delta \n\nHalf a re');
    const two = await next(one);
    two.events.takeBack(false);
    await two.tape.flush();
    expect(two.shown.slice(0, -1).every((event) => event.endsWith(' text-delta '))).toBe(true);
    const last = two.events.after(0)?.at(-1);
    expect(last).toMatchObject({ type: 'text-replaced' });
    // A reader has seen the half reply under the numbers 3 and 4. No other event may have these numbers.
    expect(last?.seq).toBeGreaterThan(4);
    expect(two.events.shownText()).toBe('Done. ');
    const numbers = two.events.after(0)?.map(({ seq }) => seq) ?? [];
    expect(numbers).toEqual(numbers.map((_seq, index) => index + 1));
    two.events.speak('c/1/model')('Whole.');
    expect(two.events.shownText()).toBe('Done. \n\nWhole.');
    const three = await next(two);
    expect(three.events.shownText()).toBe('Done. ');
  });

  it('hold the half reply with which the turn had ended as soon as its end is kept', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    const say = one.events.speak('c/0/model');
    await one.tape.flush();
    say('Half');
    one.events.keepText();
    one.tape.write(['step', 'end', { status: 'stopped' }]);
    await one.tape.flush();
    expect(one.shown.at(-1)).toBe('2 text-delta Half');
    const two = await next(one);
    two.events.takeBack(true);
    two.events.once('completed', progress('end'));
    expect(two.events.shownText()).toBe('Half');
    expect(two.events.log.lastSeq).toBe(3);
  });

  // proves wire-2-71
  it('begin anew without a blank line where all of the text was taken back', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    const say = one.events.speak('c/0/model');
    await one.tape.flush();
    say('Half a re');
    one.events.flush();
    const two = await next(one);
    two.events.takeBack(false);
    expect(two.events.hasText).toBe(false);
    two.events.speak('c/0/model')('Whole.');
    expect(two.events.shownText()).toBe('Whole.');
    two.events.settle();
    await two.tape.flush();
    const three = await next(two);
    expect(three.events.hasText).toBe(true);
    expect(three.events.shownText()).toBe('Whole.');
  });

  it('let half a reply stand with which the turn had ended', async () => {
    const one = process();
    one.keep();
    const say = one.events.speak('c/0/model');
    say('Half');
    one.events.flush();
    one.events.once('error', { type: 'error-occurred', code: 'internal', message: 'x', retryable: true });
    await one.tape.flush();
    const two = await next(one);
    two.events.takeBack(true);
    expect(two.events.shownText()).toBe('Half');
  });

  it('have nothing to fill where the process before left in order', async () => {
    const one = process();
    one.events.once('started', started);
    one.keep();
    one.events.speak('c/0/model')('Hi.');
    one.events.settle();
    one.events.once('p', progress('one'));
    one.events.suspend();
    await one.tape.suspend();
    const two = await next(one);
    two.events.takeBack(false);
    two.events.once('q', progress('two'));
    await two.tape.flush();
    expect(two.events.after(0)?.map(({ type }) => type)).toEqual([
      'turn-started',
      'text-delta',
      'action-progress',
      'action-progress',
    ]);
  });

  it('of a copy count as told where the turn that was saved had told them', () => {
    const { events, shown } = process();
    events.inherit(['c/0/call/x/completed']);
    events.once('c/0/call/x/completed', progress('again'));
    expect(events.wasTold('c/0/call/x/completed')).toBe(true);
    expect(shown).toEqual([]);
  });
});
