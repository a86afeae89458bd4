import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn } from '../../../support/test-assistant.ts';
import { idOf, run } from '../confirmations/native-process.ts';

const minute = 60_000;

/** A server whose clock stands still until the test moves it. */
function server(resumeWindowMs: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const kept = memoryStores();
  const forget = vi.spyOn(kept.turns, 'forget');
  const model = fakeModel({ toolCalls: [call('close_case', {})] }, { text: 'Done.' }, { text: 'Hello.' });
  const test = run(kept, { resumeWindowMs, toolList: [fakeTool()], model, now: Date.now });
  const session = test.assistant.openSession({ channel: 'hub' });
  const ask = async (): Promise<string> => {
    const turn = session.startNow({ text: 'x' });
    await test.answer(idOf(await readTurn(turn).next('confirmation-requested')));
    await turn.result;
    return turn.id;
  };
  return { ...test, kept, forget, session, ask };
}

describe('turns that were kept and have ended (contract/sse.md#coming-back, `server.resumeWindow`)', () => {
  it('are deleted while the server runs, once their window has passed, and not before', async () => {
    const { kept, ask, forget } = server(2 * minute);
    const turnId = await ask();
    await vi.advanceTimersByTimeAsync(2 * minute - 1);
    expect(await kept.turns.ids()).toEqual([turnId]);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(await kept.turns.ids()).toEqual([]);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(forget.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('are looked for at most once a minute, and not at all while no kept turn has ended', async () => {
    const { forget, session, ask } = server(10);
    await ask();
    await session.startNow({ text: 'hello' }).result;
    await vi.advanceTimersByTimeAsync(minute);
    expect(forget).toHaveBeenCalledTimes(1);
    await session.startNow({ text: 'hello' }).result;
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(forget).toHaveBeenCalledTimes(1);
  });

  it('are tried again after a minute where the store fails', async () => {
    const { kept, forget, ask, log } = server(10);
    forget.mockRejectedValueOnce(new Error('locked'));
    await ask();
    await vi.advanceTimersByTimeAsync(minute);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(await kept.turns.ids()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(minute);
    expect(await kept.turns.ids()).toEqual([]);
  });
});
