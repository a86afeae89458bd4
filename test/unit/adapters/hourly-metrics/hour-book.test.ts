import { describe, expect, it } from 'vitest';
import { HourBook, hourMs, stepMs } from '../../../../src/adapters/hourly-metrics/hour-book.ts';
import { InMemoryMetricsStore } from '../../../../src/adapters/stores/in-memory/in-memory-metrics-store.ts';
import type { StoredHour } from '../../../../src/core/ports/metrics-store.ts';

const start = Date.parse('2026-11-22T10:00:00Z');

/** A store whose next saves fail, either before or after the store has made them. */
class FailingStore extends InMemoryMetricsStore {
  fails: 'no' | 'before' | 'after' = 'no';
  saves = 0;

  override async save(hour: StoredHour): Promise<void> {
    this.saves += 1;
    if (this.fails === 'before') throw new Error('the disk is full');
    await super.save(hour);
    if (this.fails === 'after') throw new Error('the disk is slow');
  }
}

function bookAt(store = new FailingStore()): { book: HourBook; store: FailingStore; clock: { now: number } } {
  const clock = { now: start };
  return { book: new HourBook(store, () => clock.now), store, clock };
}

const read = async (book: HourBook, hour = start): Promise<Record<string, number>> =>
  Object.fromEntries((await book.read(hour, hour + hourMs)).get(hour) ?? []);

describe('a book of hours (contract/operations.md#dashboard)', () => {
  it('shows what is counted at once, stored or not', async () => {
    const { book } = bookAt();
    book.add('turns|sse', 1);
    expect(await read(book)).toEqual({ 'turns|sse': 1 });
    await book.save();
    book.add('turns|sse', 2);
    expect(await read(book)).toEqual({ 'turns|sse': 3 });
  });

  // proves service-2.15-39
  it('goes on with the hour that an earlier process has left', async () => {
    const { book, store } = bookAt();
    book.add('turns|sse', 5);
    book.raise('peak|hub', 3);
    await book.save();
    const next = bookAt(store);
    next.book.add('turns|sse', 1);
    next.book.raise('peak|hub', 2);
    expect(await read(next.book)).toEqual({ 'turns|sse': 6, 'peak|hub': 3 });
    await next.book.save();
    expect(await read(next.book)).toEqual({ 'turns|sse': 6, 'peak|hub': 3 });
  });

  it('writes nothing when nothing was counted', async () => {
    const { book, store } = bookAt();
    expect(await book.save()).toBe(false);
    book.add('turns|sse', 1);
    expect(await book.save()).toBe(true);
    expect(await book.save()).toBe(false);
    expect(store.saves).toBe(1);
  });

  it.each(['before', 'after'] as const)(
    'counts nothing twice and loses nothing when a save fails %s it was made',
    async (when) => {
      const { book, store } = bookAt();
      book.add('turns|sse', 1);
      store.fails = when;
      await expect(book.save()).rejects.toThrow('the disk');
      book.add('turns|sse', 1);
      expect(await read(book)).toEqual({ 'turns|sse': 2 });
      store.fails = 'no';
      await book.save();
      expect(await read(bookAt(store).book)).toEqual({ 'turns|sse': 2 });
    },
  );

  it('keeps what is counted while a save is under way', async () => {
    const { book, store } = bookAt();
    book.add('turns|sse', 1);
    const saving = book.save();
    book.add('turns|sse', 1);
    await saving;
    await book.save();
    expect(await read(bookAt(store).book)).toEqual({ 'turns|sse': 2 });
  });

  it('reads many hours in steps, so that others get their turn', async () => {
    const { book, clock } = bookAt();
    for (let hour = 0; hour < 40; hour += 1) {
      book.add('turns|sse', hour + 1);
      await book.save();
      clock.now += hourMs;
    }
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const hours = await book.read(start, clock.now);
    clearImmediate(counting);
    expect([...hours.values()].map((values) => values.get('turns|sse'))).toEqual(
      Array.from({ length: 40 }, (_, hour) => hour + 1),
    );
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('adds to the hour that the clock was set back to', async () => {
    const { book, clock } = bookAt();
    book.add('turns|sse', 1);
    clock.now += hourMs;
    book.add('turns|sse', 10);
    await book.save();
    clock.now -= hourMs;
    book.add('turns|sse', 1);
    await book.save();
    expect(await read(book)).toEqual({ 'turns|sse': 2 });
    expect(await read(book, start + hourMs)).toEqual({ 'turns|sse': 10 });
  });

  const steps = async (book: HourBook, from: number, to: number): Promise<readonly (readonly [number, object])[]> =>
    [...(await book.readSteps(from, to))].map(([at, values]) => [(at - start) / stepMs, Object.fromEntries(values)]);

  // proves service-2.15-43
  it('knows the latest hours by steps of five minutes too, over a restart', async () => {
    const { book, store, clock } = bookAt();
    book.add('turns|sse', 1);
    clock.now += 2 * stepMs;
    book.add('turns|sse', 2);
    book.raise('peak|hub', 3);
    await book.save();
    const next = bookAt(store);
    next.clock.now = clock.now + 1000;
    next.book.add('turns|sse', 4);
    next.book.raise('peak|hub', 2);
    const expected = [
      [0, { 'turns|sse': 1 }],
      [2, { 'turns|sse': 6, 'peak|hub': 3 }],
    ];
    expect((await steps(next.book, start, start + hourMs)).toSorted()).toEqual(expected);
    await next.book.save();
    expect((await steps(next.book, start, start + hourMs)).toSorted()).toEqual(expected);
    expect((await steps(bookAt(store).book, start + stepMs, start + 3 * stepMs)).toSorted()).toEqual([expected[1]]);
    expect(await read(next.book)).toEqual({ 'turns|sse': 7, 'peak|hub': 3 });
  });

  it('stores no steps of an hour that is long over', async () => {
    const { book, store, clock } = bookAt();
    book.add('turns|sse', 1);
    await book.save();
    clock.now += 3 * hourMs;
    await book.save();
    expect(await store.read(start, start + 1)).toEqual([{ hour: start, figures: '{"turns|sse":1}' }]);
    expect(await steps(book, start, start + hourMs)).toEqual([]);
    expect(await read(book)).toEqual({ 'turns|sse': 1 });
  });

  // proves service-2.15-48
  it('keeps series that it does not know, such as those of a later version', async () => {
    const { book, store } = bookAt();
    await store.save({ hour: start, figures: '{"turns|sse":1,"searches|handbook|hit":4}' });
    book.add('turns|sse', 1);
    await book.save();
    expect(await read(bookAt(store).book)).toEqual({ 'turns|sse': 2, 'searches|handbook|hit': 4 });
  });

  it('keeps a day of hours at most while the store fails', async () => {
    const { book, store, clock } = bookAt();
    store.fails = 'before';
    for (let hour = 0; hour < 30; hour += 1) {
      book.add('turns|sse', 1);
      clock.now += hourMs;
    }
    const hours = await book.read(start, clock.now);
    expect(hours.size).toBe(24);
    expect(Math.min(...hours.keys())).toBe(start + 6 * hourMs);
  });
});
