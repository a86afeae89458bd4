import { describe, expect, it } from 'vitest';
import { UnknownIds } from '../../../../src/channels/shared/unknown-ids.ts';
import { HelperError } from '../../../../src/core/errors/helper-error.ts';
import type { CountedCaller } from '../../../../src/core/limits/counted-caller.ts';
import { recordingMetrics } from '../../../support/quiet.ts';

const ann: CountedCaller = { kind: 'user', key: 'id:ann' };
const visitor: CountedCaller = { kind: 'address', key: '192.0.2.7' };

/** A bound, a clock that the test moves, and how often something was looked for. */
function bounded(connections = { user: 1, address: 1 }) {
  const clock = { ms: 0 };
  const noted: unknown[] = [];
  const metrics = recordingMetrics();
  const unknownIds = new UnknownIds({
    connections,
    metrics,
    security: { noteLimit: (reason, caller) => void noted.push([reason, caller]) },
    now: () => clock.ms,
  });
  let looks = 0;
  const look = (caller: CountedCaller, found: () => Promise<unknown>): Promise<unknown> =>
    unknownIds.look(caller, () => {
      looks += 1;
      return found();
    });
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  const unknown = async (caller: CountedCaller, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await look(caller, nothing);
  };
  return { clock, noted, metrics, look, unknown, nothing, looks: () => looks };
}

const fault = (details = {}): Promise<never> =>
  Promise.reject(new HelperError('nothing_to_answer', 'No confirmation waits.', { details }));

describe('ids that nobody knows, on replicas (contract/replicas.md#turns)', () => {
  it('are looked for 100 times in a minute for one caller, and then no more', async () => {
    const { clock, noted, metrics, look, unknown, nothing, looks } = bounded();
    await unknown(visitor, 98);
    const foreign = new HelperError('not_owner', 'This belongs to someone else.');
    await expect(look(visitor, () => Promise.reject(foreign))).rejects.toBe(foreign);
    await expect(look(visitor, fault)).rejects.toMatchObject({ code: 'nothing_to_answer' });
    clock.ms = 20_000;
    const refused = look(visitor, nothing);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 40_000 });
    expect(looks()).toBe(100);
    expect(noted).toEqual([['unknown_ids', visitor]]);
    expect(metrics.counted).toEqual([{ what: 'rateLimited', value: 'request' }]);
    clock.ms = 60_000;
    expect(await look(visitor, nothing)).toBeUndefined();
  });

  it('are counted for each user and each address by itself', async () => {
    const { look, unknown, nothing } = bounded();
    await unknown(visitor, 100);
    await expect(look(visitor, nothing)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await look(ann, nothing)).toBeUndefined();
    expect(await look({ ...visitor, key: '192.0.2.8' }, nothing)).toBeUndefined();
  });

  it('are looked for twice for each connection that a user or an address may have', async () => {
    const { look, unknown, nothing } = bounded({ user: 60, address: 500 });
    await unknown(ann, 120);
    await unknown(visitor, 1_000);
    for (const caller of [ann, visitor])
      await expect(look(caller, nothing)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('are not those of things that are there, of questions that are over, and of faults', async () => {
    const { look, unknown } = bounded();
    await unknown(ann, 99);
    for (let time = 0; time < 200; time += 1) {
      expect(await look(ann, () => Promise.resolve(false))).toBe(false);
      await expect(look(ann, () => fault({ outcome: 'approved' }))).rejects.toMatchObject({
        code: 'nothing_to_answer',
      });
      await expect(look(ann, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    }
    await unknown(ann, 1);
  });
});
