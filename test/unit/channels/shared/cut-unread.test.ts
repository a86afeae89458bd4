import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cutUnread } from '../../../../src/channels/shared/cut-unread.ts';

function answer(writableLength: number) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const destroy = vi.fn();
  const response = Object.assign(new EventEmitter(), { socket: { writableLength, destroy } });
  cutUnread(response as unknown as ServerResponse, 30_000); // all that is asked of a response
  return { response, destroy };
}

describe('the rest of an answer (contract/limits.md#callers)', () => {
  // proves service-16-04
  it('is read within the time of a request and that of a slow line for its length, or its socket is cut', () => {
    const { response, destroy } = answer(1_600_000);
    vi.advanceTimersByTime(1_000_000);
    expect(destroy).not.toHaveBeenCalled();
    response.emit('prefinish');
    vi.advanceTimersByTime(129_999);
    expect(destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(destroy).toHaveBeenCalledOnce();
  });

  it('cuts nothing once it was read, and where nothing is left', () => {
    const read = answer(1_000);
    read.response.emit('prefinish');
    read.response.emit('close');
    const whole = answer(0);
    whole.response.emit('prefinish');
    vi.advanceTimersByTime(1_000_000);
    expect(read.destroy).not.toHaveBeenCalled();
    expect(whole.destroy).not.toHaveBeenCalled();
  });
});
