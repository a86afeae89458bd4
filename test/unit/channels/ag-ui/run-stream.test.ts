import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunStream } from '../../../../src/channels/ag-ui/run-stream.ts';
import type { TurnRun } from '../../../../src/channels/ag-ui/turn-run.ts';
import { PingClock } from '../../../../src/channels/shared/ping-clock.ts';
import { fakeAnswer } from '../../../support/fake-answer.ts';

/** A response whose client reads nothing. */
class StuckResponse extends EventEmitter {
  readonly written: string[] = [];
  readonly socket = {};
  readonly chunkedEncoding = false;
  readonly writableLength = 0;
  readonly writableNeedDrain = false;
  readonly writableFinished = false;
  readonly destroy = vi.fn();
  readonly cork = vi.fn();
  readonly uncork = vi.fn();
  readonly flushHeaders = vi.fn();

  write(text: string): boolean {
    this.written.push(text);
    return false;
  }
}

describe('a client that reads slowly (contract/ag-ui.md#runs)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  // proves wire-6-74
  it('pauses the model, and is cut when it reads no more', () => {
    const response = new StuckResponse();
    const setPaused = vi.fn();
    const run = { open: () => undefined, leave: () => undefined, setPaused } as unknown as TurnRun; // all that a stream uses
    const pings = new PingClock(15_000);
    const stream = new RunStream(fakeAnswer(response), { ids: { threadId: 't', runId: 'r' }, pings });
    stream.open(run, []);
    stream.send([{ type: 'CUSTOM', name: 'Some', value: 1 }]);
    stream.flush();
    expect(setPaused).toHaveBeenLastCalledWith(true);
    vi.advanceTimersByTime(59_999);
    response.emit('drain');
    expect(setPaused).toHaveBeenLastCalledWith(false);
    vi.advanceTimersByTime(60_000);
    expect(response.destroy).not.toHaveBeenCalled();

    stream.send([{ type: 'CUSTOM', name: 'Some', value: 2 }]);
    stream.flush();
    vi.advanceTimersByTime(60_000);
    expect(response.destroy).toHaveBeenCalledOnce();
    response.emit('close');
  });
});
