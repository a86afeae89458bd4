import { describe, expect, it } from 'vitest';
import { busTimes, clockMs, seenLimits } from '../../../src/adapters/bus/bus-limits.ts';
import { type NotedMessage, SeenIds } from '../../../src/adapters/bus/messages/seen-ids.ts';

/** A memory of few ids, and a clock that the test sets, for it and for the senders. */
function small(most = 64 * 4) {
  const time = { now: 0 };
  const seen = new SeenIds({ lifeMs: 80_000, most, againMs: 2_000 }, () => time.now);
  const note = (id: string, { from = 'a', at = time.now }: Partial<NotedMessage> = {}): string =>
    seen.note({ from, id, at });
  return { time, note };
}

describe('the memory of what was seen (contract/replicas.md#secrecy)', () => {
  // proves configuration-5-94
  it('knows a message for its time, and forgets it later', () => {
    const { time, note } = small();
    expect([note('one'), note('one'), note('two'), note('one', { from: 'b' })]).toEqual(['new', 'seen', 'new', 'new']);
    time.now = 79_999;
    expect([note('one', { at: 0 }), note('three')]).toEqual(['seen', 'new']);
    time.now = 200_000;
    // Its time is over, and so is that of a message that was sent as long ago (`clockMs`).
    expect([note('one'), note('three')]).toEqual(['new', 'new']);
    expect(seenLimits.lifeMs).toBeGreaterThanOrEqual(2 * clockMs);
    expect(seenLimits.againMs).toBeGreaterThan(busTimes.answerMs);
  });

  // proves configuration-5-94
  it('takes a message for seen that was sent before what it had to forget of the same sender', () => {
    const { time, note } = small();
    for (let id = 0; id < 300; id += 1) {
      time.now = 10_000 + id * 100;
      expect(note(String(id))).toBe('new');
    }
    const sentAt = (id: number): number => 10_000 + id * 100;
    for (let id = 0; id < 300; id += 1) expect(note(String(id), { at: sentAt(id) })).toBe('seen');
    // Neither does the second attempt of a call count whose first one was forgotten.
    expect(note('0', { at: sentAt(0) + busTimes.answerMs })).toBe('seen');
    expect(note('300', { at: 0 })).toBe('seen');
    expect(note('301')).toBe('new');
  });

  // proves configuration-5-94
  it('has room for every sender, however much another one sends', () => {
    const { time, note } = small();
    expect(note('first', { from: 'quiet', at: -30_000 })).toBe('new');
    for (let id = 0; id < 10_000; id += 1) {
      time.now += 100;
      expect(note(String(id), { from: 'loud', at: time.now + 100_000 })).toBe('new');
      if (id % 100 === 0) expect(note(`quiet ${String(id)}`, { from: 'quiet', at: time.now - 30_000 })).toBe('new');
    }
    expect(note('quiet 9900', { from: 'quiet' })).toBe('seen');
    expect(note('first', { from: 'quiet', at: -30_000 })).toBe('seen');
  });

  // proves configuration-5-94
  it('takes no more senders than it has places', () => {
    const { time, note } = small(100);
    const from = (index: number): string => note('one', { from: String(index) });
    expect(Array.from({ length: 100 }, (_one, index) => from(index))).toEqual(Array.from({ length: 100 }, () => 'new'));
    expect(from(100)).toBe('full');
    expect(from(50)).toBe('seen');
    time.now = 100_000;
    expect(from(100)).toBe('new');
  });
});

describe('a replica that is asked very often (contract/replicas.md#secrecy)', () => {
  // proves configuration-5-94
  it('hears further calls, and none of them twice', () => {
    let passed = 0;
    const seen = new SeenIds(seenLimits, () => passed);
    const count = 2 * seenLimits.most;
    /** All of them come within two minutes. */
    const sentAt = (id: number): number => Math.floor((id / count) * clockMs);
    const note = (id: number): string => seen.note({ from: 'asking', id: `call ${String(id)}`, at: sentAt(id) });
    const heard = new Map<string, number>();
    const tally = (result: string): unknown => heard.set(result, (heard.get(result) ?? 0) + 1);
    for (let id = 0; id < count; id += 1) {
      passed = sentAt(id);
      tally(note(id));
    }
    expect(heard).toEqual(new Map([['new', count]]));
    for (let id = 0; id < count; id += 100) tally(note(id));
    expect(heard.get('seen')).toBe(count / 100);
  });
});
