import { describe, expect, it } from 'vitest';
import { ByteRoom } from '../../../../src/channels/shared/byte-room.ts';

function room() {
  const uploads = new ByteRoom({ maxPerCaller: 10, maxInAll: 25 });
  return (caller: string, bytes: number) => {
    const refusal = uploads.fullFor(caller, bytes);
    let end = (): void => undefined;
    if (refusal === undefined)
      uploads.take(caller, bytes, (over) => {
        end = over;
      });
    return { refusal, end: () => end() };
  };
}

describe('the room for uploads (contract/limits.md#callers)', () => {
  // proves wire-8-82
  it('is bounded for each caller, to the byte', () => {
    const begin = room();
    expect(begin('ann', 6).refusal).toBeUndefined();
    expect(begin('ann', 5).refusal).toBe('caller');
    expect(begin('ann', 4).refusal).toBeUndefined();
    expect(begin('ann', 1).refusal).toBe('caller');
    expect(begin('bob', 10).refusal).toBeUndefined();
  });

  it('is bounded for all of them together', () => {
    const begin = room();
    for (const caller of ['ann', 'bob']) expect(begin(caller, 10).refusal).toBeUndefined();
    expect(begin('cyd', 6).refusal).toBe('all');
    expect(begin('cyd', 5).refusal).toBeUndefined();
  });

  it('is there again once an upload has ended; one that was refused has taken none', () => {
    const begin = room();
    const first = begin('ann', 10);
    expect(begin('ann', 10).refusal).toBe('caller');
    first.end();
    expect(begin('ann', 10).refusal).toBeUndefined();
  });

  it('takes the only upload of a caller, and of all, whatever its size', () => {
    const begin = room();
    expect(begin('ann', 100).refusal).toBeUndefined();
    expect(begin('ann', 1).refusal).toBe('caller');
    expect(begin('bob', 1).refusal).toBe('all');
  });
});
