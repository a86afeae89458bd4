import { describe, expect, it } from 'vitest';
import { retryAfter, statusFault } from '../../../../src/adapters/models/status-fault.ts';

describe('statusFault (contract/models.md)', () => {
  it.each([
    [302, 'model_misconfigured', false],
    [400, 'model_misconfigured', false],
    [401, 'model_unavailable', false],
    [403, 'model_unavailable', false],
    [410, 'model_misconfigured', false],
    [422, 'model_misconfigured', false],
    [408, 'model_unavailable', true],
    [429, 'model_unavailable', true],
    [500, 'model_unavailable', true],
    [529, 'model_unavailable', true],
  ])('%i is %s, and worth another attempt: %s', (status, code, transient) => {
    expect(statusFault({ status, detail: 'why' })).toMatchObject({ code, transient });
  });

  it('knows an empty account and a content filter by the provider’s code', () => {
    expect(statusFault({ status: 429, detail: '', reason: 'insufficient_quota' }).transient).toBe(false);
    expect(statusFault({ status: 400, detail: '', reason: 'content_filter' }).code).toBe('model_refused');
  });

  it('cuts what the provider wrote', () => {
    expect(statusFault({ status: 500, detail: 'x'.repeat(10_000) }).message.length).toBeLessThan(600);
  });
});

describe('retryAfter (contract/models.md)', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  // proves configuration-3-95
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '7s' }, 7_000],
    [{ 'retry-after': '1m30s' }, 90_000],
    [{ 'retry-after': '250ms' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers: Readonly<Record<string, string>>, expected) => {
    expect(retryAfter((name) => headers[name], now)).toBe(expected);
  });
});
