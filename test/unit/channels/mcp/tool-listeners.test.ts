import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ListeningClient, ToolListeners } from '../../../../src/channels/mcp/tool-listeners.ts';
import type { DirectCaller } from '../../../../src/core/direct/direct-call.ts';
import { HelperError } from '../../../../src/core/errors/helper-error.ts';
import { anonymousPrincipal, type Principal } from '../../../../src/core/identity/principal.ts';
import { fakeAnswer } from '../../../support/fake-answer.ts';
import { signedIn } from '../../../support/principals.ts';

const callerOf = (principal: Principal): DirectCaller => ({
  channel: 'mcp',
  principal,
  counted: principal,
  canConfirm: false,
});
const nobody = callerOf(anonymousPrincipal('mcp:here'));

/** The listeners over lists that a test changes. */
function opened() {
  const listed: DirectCaller[] = [];
  const changes = new EventEmitter();
  const state = { list: (_caller: DirectCaller): Promise<unknown> => Promise.resolve(['first']) };
  const listeners = new ToolListeners({
    direct: {
      onOfferChange: (listener) => {
        changes.on('change', listener);
        return () => void changes.off('change', listener);
      },
    },
    listOf: (caller) => {
      listed.push(caller);
      return state.list(caller);
    },
  });
  const change = (list: unknown): void => {
    state.list = () => Promise.resolve(list);
    changes.emit('change');
  };
  return { listeners, listed, changes, change, state };
}

function clientOf({ listeners }: Pick<ReturnType<typeof opened>, 'listeners'>, more: Partial<ListeningClient> = {}) {
  const response = Object.assign(new EventEmitter(), { writableNeedDrain: false, destroy: vi.fn() });
  const seen = { told: 0, ended: 0 };
  listeners.add({
    caller: nobody,
    callerNow: () => Promise.resolve(more.caller ?? nobody),
    expiresAt: undefined,
    answer: fakeAnswer(response),
    tell: () => {
      seen.told += 1;
    },
    end: () => {
      seen.ended += 1;
    },
    ...more,
  });
  return { response, seen };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('who is told of changed lists of tools (contract/mcp-server.md#changed-lists)', () => {
  // proves service-4.3-61
  it('a client is told once of many changes at once, and nothing when its list stays the same', async () => {
    const { listeners, change } = opened();
    const { seen } = clientOf({ listeners });
    change(['second']);
    change(['third']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.told).toBe(1);
    change(['third']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.told).toBe(1);
  });

  // proves service-4.3-61
  it('a change while the clients are being told is told after that', async () => {
    const { listeners, change, changes, state } = opened();
    const { seen } = clientOf({ listeners });
    await vi.advanceTimersByTimeAsync(0);
    const slow = Promise.withResolvers<unknown>();
    state.list = () => slow.promise;
    changes.emit('change');
    await vi.advanceTimersByTimeAsync(1000);
    change(['third']);
    slow.resolve(['second']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.told).toBe(2);
  });

  // proves service-4.3-61
  it('one list is made for all callers with the same roles and the same tenant', async () => {
    const { listeners, listed, change } = opened();
    const [ann, bob] = [callerOf(signedIn('ann')), callerOf(signedIn('bob'))];
    for (const caller of [nobody, nobody, ann, bob]) clientOf({ listeners }, { caller });
    await vi.advanceTimersByTimeAsync(0);
    listed.length = 0;
    change(['second']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(listed.map(({ principal }) => principal.kind)).toEqual(['anonymous', 'signed-in']);
  });

  // proves service-4.3-63
  it('a caller who would be refused is told nothing, and its stream ends', async () => {
    const { listeners, change } = opened();
    const { seen } = clientOf(
      { listeners },
      { callerNow: () => Promise.reject(new HelperError('forbidden', 'no longer')) },
    );
    const other = clientOf({ listeners });
    change(['second']);
    await vi.advanceTimersByTimeAsync(1000);
    expect([seen, other.seen]).toEqual([
      { told: 0, ended: 1 },
      { told: 1, ended: 0 },
    ]);
  });

  // proves service-4.3-61
  it('a client is told where nobody can say whether its list has changed, and listens on', async () => {
    const { listeners, change } = opened();
    const { seen } = clientOf({ listeners }, { callerNow: () => Promise.reject(new Error('the hook failed')) });
    change(['first']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen).toEqual({ told: 1, ended: 0 });
  });

  // proves service-4.3-63
  it('a stream whose client does not read is cut', async () => {
    const { listeners } = opened();
    const { response } = clientOf({ listeners });
    await vi.advanceTimersByTimeAsync(1000);
    expect(response.destroy).not.toHaveBeenCalled();
    response.writableNeedDrain = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(response.destroy).toHaveBeenCalledTimes(1);
  });

  // proves service-4.3-63
  it('a stream ends once the token of its caller has expired', async () => {
    const { listeners } = opened();
    const { seen } = clientOf({ listeners }, { expiresAt: Date.now() + 5000 });
    await vi.advanceTimersByTimeAsync(4000);
    expect(seen.ended).toBe(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.ended).toBe(1);
  });

  // proves service-4.3-63
  it('nothing is looked at any more once all clients have gone', async () => {
    const { listeners, listed, change } = opened();
    const { response, seen } = clientOf({ listeners });
    await vi.advanceTimersByTimeAsync(0);
    response.emit('close');
    expect(vi.getTimerCount()).toBe(0);
    change(['second']);
    await vi.advanceTimersByTimeAsync(1000);
    expect([listed.length, seen.told]).toEqual([1, 0]);
  });

  // proves service-4.3-64
  it('the end of the server ends all streams, and leaves no timer', async () => {
    const { listeners, change } = opened();
    const { response, seen } = clientOf({ listeners });
    change(['second']);
    listeners.close();
    expect(seen.ended).toBe(1);
    response.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });
});
