import { afterEach, describe, expect, it, vi } from 'vitest';
import { HubUiActions } from '../../../../src/channels/hub/hub-ui-actions.ts';
import { ClientInvocations } from '../../../../src/channels/hub/protocol/connection/client-invocations.ts';
import { UiActionFault } from '../../../../src/core/ui-actions/ui-action-fault.ts';

const request = { turnId: 't1', callId: 'c1', name: 'show_order', arguments: { id: 7 } };

/** A page whose client says nothing by itself. */
function silentPage() {
  const invocations = new ClientInvocations(32);
  const sent: { readonly id: string; readonly target: string; readonly argument: object }[] = [];
  const page = new HubUiActions({
    open: true,
    invokeClient: (target, argument, options) =>
      invocations.ask((id) => {
        sent.push({ id, target, argument });
      }, options),
  });
  return { page, sent, invocations };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('UiActionRequested (contract/events.md and contract/ui-actions.md)', () => {
  // proves wire-2-70
  it('is an invocation with one argument, whose result is the answer', async () => {
    const { page, sent, invocations } = silentPage();
    const answer = page.run(request, AbortSignal.any([]));
    invocations.settle({ kind: 'completion', invocationId: 's1', error: undefined, result: { shown: true } });
    await expect(answer).resolves.toEqual({ shown: true });
    expect(sent).toEqual([{ id: 's1', target: 'UiActionRequested', argument: request }]);
  });

  // proves wire-3-76
  it('waits 30 s for the page, and a result that comes later goes nowhere', async () => {
    vi.useFakeTimers();
    const { page, sent, invocations } = silentPage();
    let ended: unknown;
    page.run(request, AbortSignal.any([])).catch((error: unknown) => (ended = error));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toMatchObject({ name: 'UiActionFault', kind: 'timed-out' });
    const next = page.run({ ...request, callId: 'c2' }, AbortSignal.any([]));
    invocations.settle({ kind: 'completion', invocationId: 's1', error: undefined, result: 'late' });
    invocations.settle({ kind: 'completion', invocationId: 's2', error: undefined, result: 'of the second' });
    await expect(next).resolves.toBe('of the second');
    expect(sent).toHaveLength(2);
  });

  it('says why there is no answer', async () => {
    const { page, invocations } = silentPage();
    const failed = page.run(request, AbortSignal.any([]));
    invocations.settle({ kind: 'completion', invocationId: 's1', error: 'Error: no', result: undefined });
    await expect(failed).rejects.toEqual(new UiActionFault('failed', 'Error: no'));
    const lost = page.run(request, AbortSignal.any([]));
    invocations.abandon();
    await expect(lost).rejects.toMatchObject({ kind: 'disconnected' });
    const waiting = Array.from({ length: 32 }, () => page.run(request, AbortSignal.any([])));
    await expect(page.run(request, AbortSignal.any([]))).rejects.toMatchObject({ kind: 'overloaded' });
    invocations.abandon();
    await Promise.allSettled(waiting);
  });

  it('is not sent on a connection that has ended: then nothing was asked', async () => {
    const invokeClient = vi.fn();
    const page = new HubUiActions({ open: false, invokeClient });
    await expect(page.run(request, AbortSignal.any([]))).rejects.toMatchObject({ kind: 'absent' });
    expect(invokeClient).not.toHaveBeenCalled();
  });

  it('is given up with the turn, for the reason it was stopped', async () => {
    const stop = new AbortController();
    const { page } = silentPage();
    const answer = page.run(request, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
  });
});

describe('what a page offers (contract/ui-actions.md)', () => {
  it('is kept as text: each look at it reads it anew, and nothing of what was given or read stays', () => {
    const { page } = silentPage();
    const given = { name: 'show_order', description: 'Shows one.', parameters: { type: 'object' }, readOnly: true };
    const before = structuredClone(given);
    expect(page.offered).toEqual([]);
    page.offered = [given];
    given.parameters.type = 'string';
    expect(page.offered).toEqual([before]);
    expect(page.offered[0]).not.toBe(page.offered[0]);
    page.offered = [];
    expect(page.offered).toEqual([]);
  });
});
