import { expect, it } from 'vitest';
import { createAesRecordSealer } from '../../../src/adapters/snapshots/aes-record-sealer.ts';
import { createUserMarks } from '../../../src/adapters/snapshots/user-marks.ts';
import { LiveSealers } from '../../../src/app/reload/live-sealers.ts';
import { testKey, testSealer } from '../../support/test-sealer.ts';

// proves configuration-7-25
it('records of turns are sealed with the first key of now, and opened with all of them (contract/operations.md#secrets)', () => {
  const sealers = new LiveSealers([testKey(1)], (keys) => ({
    records: createAesRecordSealer(keys),
    snapshots: testSealer(),
    marks: createUserMarks(keys),
  }));
  const { records } = sealers;
  const before = records.seal('one', 'turn');
  expect(sealers.replace([testKey(2), testKey(1)])).toBe(true);
  const after = records.seal('two', 'turn');
  expect([before, after].map((text) => records.open(text, 'turn'))).toEqual(['one', 'two']);
  expect([before, after].map((text) => text.split('.')[1])).toEqual([testKey(1).id, testKey(2).id]);
  expect(sealers.replace([testKey(3)])).toBe(false);
  expect(() => records.open(after, 'turn')).toThrow('a key that is not there any more');
});
