import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cutStalled } from '../../../../src/channels/shared/cut-unread.ts';
import { PingClock } from '../../../../src/channels/shared/ping-clock.ts';
import { StreamBody } from '../../../../src/channels/shared/stream-body.ts';
import { fakeAnswer } from '../../../support/fake-answer.ts';

/** A response whose client has read nothing to its end yet. */
class UnreadResponse extends EventEmitter {
  socket: object | null = {};
  writableNeedDrain = true;
  writableLength = 0;
  readonly chunkedEncoding = false;
  readonly writableFinished = false;
  readonly destroy = vi.fn();

  write(text: string): boolean {
    this.writableLength += text.length;
    return false;
  }

  end(text: string): void {
    this.write(text);
  }
}

const second = 1000;
/** What a slow line carries in this many seconds. */
const slowBytes = (seconds: number): number => seconds * 16 * second;
const textFor = (seconds: number): string => 'x'.repeat(slowBytes(seconds));

function opened(response: UnreadResponse): StreamBody {
  const pings = new PingClock(15_000);
  onTestFinished(() => void response.emit('close'));
  return new StreamBody(fakeAnswer(response), { pings, onDrain: () => undefined, onOver: () => undefined });
}

/** Whether the answer is cut at this time, and not before. */
function expectCutAt(response: UnreadResponse, seconds: number): void {
  vi.advanceTimersByTime(seconds * second - 1);
  expect(response.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(response.destroy).toHaveBeenCalledOnce();
}

describe('a client that reads a long piece slowly (contract/limits.md#callers)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
  });

  // proves service-17-41
  it('has the time of a slow line for it, whoever writes it', () => {
    const written = new UnreadResponse();
    opened(written).write(textFor(240));
    expectCutAt(written, 60 + 240);

    const piped = new UnreadResponse();
    piped.writableLength = slowBytes(240);
    cutStalled(fakeAnswer(piped));
    // It is looked at every 15 s.
    expectCutAt(piped, 60 + 240 + 15);
  });

  // proves service-17-41
  it('has it for the last piece, and for what comes meanwhile', () => {
    const ended = new UnreadResponse();
    opened(ended).end(textFor(240));
    expectCutAt(ended, 60 + 240);

    const more = new UnreadResponse();
    const body = opened(more);
    body.write(textFor(60));
    body.write(textFor(30));
    vi.advanceTimersByTime(130 * second);
    body.end(textFor(100));
    expectCutAt(more, 60 + 60 + 30 + 100 - 130);
  });

  // proves service-17-42
  it('has its time once its turn comes, where the answer waits behind another one of its socket', () => {
    const written = new UnreadResponse();
    written.socket = null;
    opened(written).write('x');
    const piped = new UnreadResponse();
    piped.socket = null;
    cutStalled(fakeAnswer(piped));
    vi.advanceTimersByTime(3600 * second - 1);
    written.socket = {};
    piped.socket = {};
    vi.advanceTimersByTime(59 * second);
    expect(written.destroy).not.toHaveBeenCalled();
    expect(piped.destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(17 * second);
    expect(written.destroy).toHaveBeenCalledOnce();
    expect(piped.destroy).toHaveBeenCalled();
    piped.emit('close');
  });
});
