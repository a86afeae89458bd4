import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TurnReader } from '../../../../src/channels/in-process/turn-reader.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { testAssistant } from '../../../support/test-assistant.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';

/** A turn that records what its reader asks of it. */
function heldTurn(): { readonly turn: Turn; readonly asked: string[]; readonly say: (text: string) => void } {
  const asked: string[] = [];
  let say: (text: string) => void = () => undefined;
  const turn = {
    subscribe: (listener: TurnReader) => {
      let seq = 0;
      say = (text) => {
        seq += 1;
        listener.onEvent({ seq, type: 'text-delta', json: `{"turnId":"t","seq":${String(seq)},"text":"${text}"}` });
      };
      return { setPaused: (paused: boolean) => asked.push(paused ? 'pause' : 'go on'), close: () => undefined };
    },
    stop: (reason: string) => {
      asked.push(`stop: ${reason}`);
      return Promise.resolve(true);
    },
  };
  // the reader uses only these members of a turn
  return { turn: turn as unknown as Turn, asked, say: (text) => say(text) };
}

describe('a reader of a turn inside this process (contract/events.md#slow-readers and contract/in-process.md)', () => {
  it('holds the model back while too much waits, and lets it go on once that is read', async () => {
    const { turn, asked, say } = heldTurn();
    const reader = new TurnReader({ maxBufferedBytes: 100 });
    reader.follow(turn);
    say('x'.repeat(80));
    expect(asked.at(-1)).toBe('pause');
    expect(await reader.next()).toMatchObject({ value: { event: 'TextDelta', seq: 1 } });
    expect(asked.at(-1)).toBe('go on');
  });

  it('stops a turn that nobody has read on for a minute', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { turn, asked, say } = heldTurn();
    const reader = new TurnReader({ maxBufferedBytes: 10 });
    reader.follow(turn);
    say('a');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(asked).not.toContain('stop: grace-over');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.slice(-2)).toEqual(['go on', 'stop: grace-over']);
    reader.onEnd();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives waiting readers the end, and lets go of the caller’s signal', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const reader = new TurnReader({ maxBufferedBytes: 10, signal });
    const { turn } = heldTurn();
    reader.follow(turn);
    const waiting = [reader.next(), reader.next()];
    reader.onEnd();
    expect(await Promise.all(waiting)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(remove).toHaveBeenCalledOnce();
  });

  it('reads a turn that is over', async () => {
    const { assistant } = testAssistant({ model: fakeModel({ text: 'Hello.' }) });
    const turn = await assistant.openSession({ channel: 'in-process' }).send({ text: 'hi' });
    await turn.result;
    const reader = new TurnReader({ maxBufferedBytes: 1_000_000 });
    reader.follow(turn);
    const names: string[] = [];
    for await (const { event } of reader) names.push(event);
    expect(names).toEqual(['TurnStarted', 'TextDelta', 'TurnCompleted']);
  });
});
