import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientCalls } from '../../../../src/channels/ag-ui/client-calls.ts';
import { ClientTools } from '../../../../src/channels/ag-ui/client-tools.ts';

const request = { turnId: 't', callId: 'c-1', name: 'read_theme', arguments: {} };

function setUp() {
  const tools = new ClientTools();
  tools.offer([{ name: 'readTheme', metadata: { readOnly: true } }]);
  /** The calls that wait when one has taken too long. */
  const onTimeout = vi.fn(() => calls.waiting);
  const calls = new ClientCalls({ tools, onCall: () => undefined, onTimeout });
  return { calls, onTimeout };
}

describe('a call of a tool of the client (contract/ag-ui.md#tools-of-the-client)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  // proves wire-6-83
  it('waits for 30 s, and then takes no answer', async () => {
    const { calls, onTimeout } = setUp();
    const ran = calls.run(request, new AbortController().signal);
    const ended = expect(ran).rejects.toMatchObject({ kind: 'timed-out' });
    expect(calls.tell()).toMatchObject([{ callId: 'c-1', name: 'readTheme' }]);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(calls.waiting).toEqual(['c-1']);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(onTimeout).toHaveBeenCalledOnce();
    expect(onTimeout).toHaveReturnedWith([]);
    expect(calls.waiting).toEqual([]);
    expect(calls.answer('c-1', { content: 'late' })).toBe(false);
  });

  // proves wire-24-04
  it('has a JSON answer read as data, unless it has more than a body may have', async () => {
    const { calls } = setUp();
    const answered = async (content: string): Promise<unknown> => {
      const ran = calls.run(request, new AbortController().signal);
      calls.tell();
      calls.answer('c-1', { content });
      return ran;
    };
    expect(await answered('{"theme":["dark"]}')).toEqual({ theme: ['dark'] });
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`name ${String(at)}`, at])),
    );
    expect(await answered(wide)).toBe(wide);
  });

  it('that no run has told was not asked for', async () => {
    const { calls } = setUp();
    const ended = expect(calls.run(request, new AbortController().signal)).rejects.toMatchObject({ kind: 'absent' });
    await vi.advanceTimersByTimeAsync(30_000);
    await ended;
    expect(calls.tell()).toEqual([]);
  });

  it('is told once, answered once, and gives JSON where the client has written JSON', async () => {
    const { calls } = setUp();
    const ran = calls.run(request, new AbortController().signal);
    expect(calls.tell()).toHaveLength(1);
    expect(calls.tell()).toEqual([]);
    expect(calls.answer('c-1', { content: '{"theme":"dark"}' })).toBe(true);
    expect(calls.answer('c-1', { content: 'light' })).toBe(false);
    expect(await ran).toEqual({ theme: 'dark' });
  });

  it('ends with its turn', async () => {
    const { calls, onTimeout } = setUp();
    const stop = new AbortController();
    const ended = expect(calls.run(request, stop.signal)).rejects.toThrow('stopped');
    stop.abort(new Error('stopped'));
    await ended;
    expect(calls.waiting).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(onTimeout).not.toHaveBeenCalled();
  });
});
