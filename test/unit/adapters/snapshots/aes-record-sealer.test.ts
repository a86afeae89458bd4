import { describe, expect, it } from 'vitest';
import { createAesRecordSealer } from '../../../../src/adapters/snapshots/aes-record-sealer.ts';
import { createAesSnapshotSealer } from '../../../../src/adapters/snapshots/aes-snapshot-sealer.ts';
import { testKey } from '../../../support/test-sealer.ts';

const sealer = createAesRecordSealer([testKey(1)]);

/** The sealed text with one byte of its body changed. */
function tampered(sealed: string, at: number): string {
  const [format, keyId, body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return [format, keyId, bytes.toString('base64')].join('.');
}

describe('the sealed record of a turn (contract/restarts.md#turns, dataProtection)', () => {
  it.each(['', '{"a":1}', 'Grüße 👋\n\u0000'])('opens to what was sealed: %j', (text) => {
    expect(sealer.open(sealer.seal(text, 't'), 't')).toBe(text);
  });

  it('shows nothing of its text, and is another text each time', () => {
    const [one, other] = [sealer.seal('case 42', 't'), sealer.seal('case 42', 't')];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split('.')[2] ?? '', 'base64').toString('latin1')).not.toContain('case');
  });

  it('opens for no other turn', () => {
    const sealed = sealer.seal('case 42', 't');
    expect(() => sealer.open(sealed, 'u')).toThrow(/authenticate/);
  });

  it.each([
    ['the nonce', 0],
    ['the text', 12],
    ['the tag', -1],
  ])('does not open when %s was changed', (_part, at) => {
    expect(() => sealer.open(tampered(sealer.seal('case 42', 't'), at), 't')).toThrow(/authenticate/);
  });

  // proves wire-5-57
  it('opens with any of the keys, and is sealed with the first', () => {
    const rotated = createAesRecordSealer([testKey(2), testKey(1)]);
    expect(rotated.open(sealer.seal('case 42', 't'), 't')).toBe('case 42');
    expect(() => sealer.open(rotated.seal('case 42', 't'), 't')).toThrow('a key that is not there any more');
  });

  it('is of this version, and is no snapshot', async () => {
    const snapshots = createAesSnapshotSealer({
      keys: [testKey(1)],
      application: 'Test',
      maxAgeMs: 1000,
      now: () => 1000,
    });
    const snapshot = await snapshots.seal({ a: 1 }, 'anon:');
    expect(() => sealer.open(snapshot, 't')).toThrow('of another version');
    await expect(snapshots.open(sealer.seal('{"a":1}', 't'), 'anon:')).rejects.toMatchObject({
      code: 'snapshot_refused',
    });
  });
});
