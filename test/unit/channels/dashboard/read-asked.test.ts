import { describe, expect, it } from 'vitest';
import { readAsked } from '../../../../src/channels/dashboard/read-asked.ts';

const now = Date.parse('2026-11-22T10:20:00Z');
const spanned = (query: object): readonly string[] => {
  const { from, to } = readAsked(query, now);
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
};

describe('what is asked of the figures (contract/operations.md#dashboard)', () => {
  // proves service-2.15-35
  it('is the last 24 hours in JSON, the one that runs included, when the query says nothing', () => {
    expect(spanned({})).toEqual(['2026-11-21T11:00', '2026-11-22T11:00']);
    expect(readAsked({}, now).table).toBeNull();
    // At the full hour the new hour has already begun.
    expect(readAsked({}, Date.parse('2026-11-22T10:00:00Z')).to).toBe(Date.parse('2026-11-22T11:00:00Z'));
  });

  // proves service-2.15-35
  it('grows to whole hours', () => {
    expect(spanned({ from: '2026-11-20T10:59:59Z', to: '2026-11-20T12:00:01.5+00:00' })).toEqual([
      '2026-11-20T10:00',
      '2026-11-20T13:00',
    ]);
    expect(spanned({ from: '2026-11-20T12:30:00+05:30', to: '2026-11-20T13:00:00+05:30' })).toEqual([
      '2026-11-20T07:00',
      '2026-11-20T08:00',
    ]);
  });

  // proves service-2.15-43
  it('is the last hour by steps of five minutes with step=5m, and grows to whole ones', () => {
    expect(spanned({ step: '5m' })).toEqual(['2026-11-22T09:25', '2026-11-22T10:25']);
    expect(spanned({ step: '5m', from: '2026-11-22T08:26:00Z', to: '2026-11-22T09:01:00Z' })).toEqual([
      '2026-11-22T08:25',
      '2026-11-22T09:05',
    ]);
    expect([readAsked({ step: '5m' }, now).stepMs, readAsked({ step: '1h' }, now).stepMs]).toEqual([
      300_000, 3_600_000,
    ]);
  });

  it('reaches one step further than two hours back, because a step may end while a page asks', () => {
    expect(spanned({ step: '5m', from: '2026-11-22T08:20:00Z', to: '2026-11-22T09:20:00Z' })).toEqual([
      '2026-11-22T08:20',
      '2026-11-22T09:20',
    ]);
  });

  it.each([
    ['an unknown step', { step: '1m' }],
    ['steps of more than two hours ago', { step: '5m', from: '2026-11-22T08:19:00Z' }],
    ['a time without a zone', { from: '2026-11-20T10:00:00' }],
    ['a date alone', { from: '2026-11-20' }],
    ['a day that there is not', { to: '2026-13-20T10:00:00Z' }],
    ['two times', { from: ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'] }],
    ['a time before 1970', { from: '1969-12-31T10:00:00Z' }],
    ['a range that ends before it begins', { from: '2026-11-22T10:00:00Z', to: '2026-11-21T10:00:00Z' }],
    ['more than 400 days', { from: '2025-10-01T00:00:00Z', to: '2026-11-22T10:00:00Z' }],
    ['a table without CSV', { table: 'models' }],
    ['CSV without a table', { format: 'csv' }],
    ['an unknown table', { format: 'csv', table: 'users' }],
    ['an unknown format', { format: 'xml' }],
  ])('is refused with %s', (_what, query) => {
    expect(() => readAsked(query, now)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('may be one table as CSV', () => {
    expect(readAsked({ format: 'csv', table: 'models' }, now).table).toBe('models');
  });
});
