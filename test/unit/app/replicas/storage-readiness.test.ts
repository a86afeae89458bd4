import { describe, expect, it } from 'vitest';
import { storageReadiness } from '../../../../src/app/replicas/storage-readiness.ts';

/** What `/readyz` says of storage that takes writes at these moments and not at the others. */
async function said(isShared: boolean, ...moments: readonly boolean[]): Promise<readonly string[]> {
  const answers = [...moments];
  const check = storageReadiness({ isWritable: () => Promise.resolve(answers.shift() ?? false), isShared });
  const states: string[] = [];
  for (const _ of moments) states.push((await check()).state);
  return states;
}

describe('the readiness of the storage (contract/operations.md#probes, contract/replicas.md#away)', () => {
  // proves wire-4-83
  it('only degrades a replica once that has reached it, and is ok again by itself', async () => {
    expect(await said(true, true, false, false, true)).toEqual(['ok', 'degraded', 'degraded', 'ok']);
  });

  // proves wire-4-83
  it('fails a replica that has not reached it yet', async () => {
    expect(await said(true, false, false, true, false)).toEqual(['failed', 'failed', 'ok', 'degraded']);
  });

  // proves wire-4-83
  it('fails a server that has it alone, whenever it takes no writes', async () => {
    expect(await said(false, true, false, true)).toEqual(['ok', 'failed', 'ok']);
  });
});
