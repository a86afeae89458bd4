import { createCipheriv } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HelperError } from '../../../../src/core/errors/helper-error.ts';
import { maxSnapshotLength } from '../../../../src/core/ports/snapshot-sealer.ts';
import { testKey, testSealer } from '../../../support/test-sealer.ts';

const content = { said: ['Where is order 1001?', 'It left the warehouse.'] };

async function refusal(opened: Promise<unknown>): Promise<string> {
  const error: unknown = await opened.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HelperError);
  expect(error).toMatchObject({ code: 'snapshot_refused' });
  return error instanceof Error ? error.message : '';
}

/** Seals bytes as only a holder of the key can. */
function sealBytes(compressed: Buffer, byte = 1): string {
  const key = testKey(byte);
  const head = `hs1.${key.id}.`;
  const nonce = Buffer.alloc(12, 5);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(head));
  const body = Buffer.concat([nonce, cipher.update(compressed), cipher.final(), cipher.getAuthTag()]);
  return head + body.toString('base64url');
}

describe('a sealed snapshot (contract/sessions.md#snapshots)', () => {
  it('opens to what was sealed, whatever it is', async () => {
    const sealer = testSealer();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (value, owner) => {
        const opened = await sealer.open(await sealer.seal(value, owner), owner);
        expect(opened).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  // proves service-2.22-01, wire-5-64
  it('begins with hs1 and the id of its key in the clear, and shows nothing else', async () => {
    const sealed = await testSealer().seal(content, 'sub:anna');
    expect(sealed).toMatch(/^hs1\.[\w-]{11}\.[\w-]+$/);
    expect(sealed.split('.')[1]).toBe(testKey(1).id);
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1');
    for (const secret of ['order', 'anna', 'Test']) expect(bytes).not.toContain(secret);
  });

  it('is another text each time', async () => {
    const sealer = testSealer();
    expect(await sealer.seal(content, 'a')).not.toBe(await sealer.seal(content, 'a'));
  });

  // proves wire-5-65
  it('is compressed inside', async () => {
    expect((await testSealer().seal('again and '.repeat(10_000), 'a')).length).toBeLessThan(2000);
  });

  // proves service-2.22-01, wire-5-64
  it('is refused with any one character changed', async () => {
    const sealer = testSealer();
    const sealed = await sealer.seal(content, 'a');
    const letters = ['A', 'B', 'Q', 'g', 'w', '0', '1', '2', '-', '_', '.', '+', '/', '=', ' ', 'é', '\0'];
    const change = fc.tuple(fc.nat(sealed.length - 1), fc.constantFrom(...letters));
    await fc.assert(
      fc.asyncProperty(change, async ([at, letter]) => {
        fc.pre(sealed[at] !== letter);
        await refusal(sealer.open(sealed.slice(0, at) + letter + sealed.slice(at + 1), 'a'));
      }),
      { numRuns: 500 },
    );
  });

  // proves wire-5-64
  it('is refused with any one bit of its bytes flipped', async () => {
    const sealer = testSealer();
    const sealed = await sealer.seal(content, 'a');
    const [version = '', keyId = '', text = ''] = sealed.split('.');
    const length = Buffer.from(text, 'base64url').length;
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.nat(7), async (at, bit) => {
        const bytes = Buffer.from(text, 'base64url');
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        const reason = await refusal(sealer.open(`${version}.${keyId}.${bytes.toString('base64url')}`, 'a'));
        expect(reason).toContain('changed or is damaged');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['nothing at all', '', 'not a snapshot'],
    ['something else', 'hello', 'not a snapshot'],
    ['a part too many', 'hs1.AAAAAAAAAAA.AAAA.AAAA', 'not a snapshot'],
    // proves wire-5-67
    ['another version', 'hs2.AAAAAAAAAAA.AAAA', 'another version'],
    ['an unknown key', `hs1.AAAAAAAAAAA.${'A'.repeat(80)}`, 'a key that this server does not have'],
    ['too short for a tag', `hs1.${testKey(1).id}.AAAA`, 'changed or is damaged'],
    ['only nonce and tag', `hs1.${testKey(1).id}.${Buffer.alloc(28).toString('base64url')}`, 'changed or is damaged'],
    ['longer than any', `hs1.${testKey(1).id}.${'A'.repeat(maxSnapshotLength)}`, 'longer than'],
  ])('%s is refused with the reason', async (_title, text, reason) => {
    expect(await refusal(testSealer().open(text, 'a'))).toContain(reason);
  });

  it('is refused for any cut', async () => {
    const sealer = testSealer();
    const sealed = await sealer.seal(content, 'a');
    for (let length = 0; length < sealed.length; length += 1) await refusal(sealer.open(sealed.slice(0, length), 'a'));
  });

  it('is refused in any other spelling of the same bytes', async () => {
    const sealer = testSealer();
    const sealed = await sealer.seal('x'.repeat(50), 'a');
    for (const other of [
      `${sealed}=`,
      `${sealed}\n`,
      `${sealed}A`,
      sealed.replaceAll('-', '+').replaceAll('_', '/') + '=',
    ]) {
      expect(await refusal(sealer.open(other, 'a'))).toContain('changed or is damaged');
    }
  });

  // proves wire-5-66
  it('is refused to another user', async () => {
    const sealed = await testSealer().seal(content, 'sub:anna');
    for (const owner of ['sub:bert', 'anon:', '', 'sub:ann', 'sub:anna ']) {
      expect(await refusal(testSealer().open(sealed, owner))).toContain('another user');
    }
  });

  // proves service-2.22-03, wire-5-66
  it('is refused to another application with the same keys', async () => {
    const sealed = await testSealer().seal(content, 'a');
    expect(await refusal(testSealer({ application: 'Shop' }).open(sealed, 'a'))).toContain('another application');
  });

  // proves wire-5-68
  it('can be restored for maxAge, and not longer', async () => {
    const clock = { now: 1_000_000 };
    const sealer = testSealer({ maxAgeMs: 5000, now: () => clock.now });
    const sealed = await sealer.seal(content, 'a');
    clock.now += 5000;
    expect(await sealer.open(sealed, 'a')).toEqual(content);
    clock.now += 1;
    expect(await refusal(sealer.open(sealed, 'a'))).toContain('too old');
  });

  // proves service-2.9-97
  it('is refused once its user was erased, where it was sealed before the clock was set back', async () => {
    const clock = { now: 10_000_000 };
    const sealer = testSealer({ now: () => clock.now });
    const sealed = await sealer.seal(content, 'a');
    clock.now -= 3_600_000;
    expect(await sealer.open(sealed, 'a')).toEqual(content);
    expect(await refusal(sealer.open(sealed, 'a', clock.now - 1))).toContain('erased');
  });

  it('is refused as too long to be sealed, rather than saved in part', async () => {
    const sealed = testSealer().seal('x'.repeat(8 * 1024 * 1024), 'a');
    await expect(sealed).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('fits into the longest text that is read, also when it cannot be compressed', async () => {
    const noise = fc.sample(fc.string({ unit: 'binary', minLength: 200, maxLength: 200 }), 100).join('');
    const sealed = await testSealer().seal(noise, 'a');
    expect(sealed.length / Buffer.byteLength(JSON.stringify(noise))).toBeLessThan(1.4);
    expect(maxSnapshotLength).toBeGreaterThan(8 * 1024 * 1024 * 1.4);
  });

  // proves wire-5-65
  it('is not taken apart without bound, even under our own key', async () => {
    const bomb = sealBytes(deflateRawSync(Buffer.alloc(200 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(300_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(testSealer().open(bomb, 'a'))).toContain('changed or is damaged');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('keys (contract/sessions.md#snapshots)', () => {
  it('the first one seals, all of them open', async () => {
    const old = await testSealer({ keys: [testKey(1)] }).seal(content, 'a');
    const rotated = testSealer({ keys: [testKey(2), testKey(1)] });
    expect(await rotated.open(old, 'a')).toEqual(content);
    const renewed = await rotated.seal(content, 'a');
    expect(await testSealer({ keys: [testKey(2)] }).open(renewed, 'a')).toEqual(content);
    expect(await refusal(testSealer({ keys: [testKey(2)] }).open(old, 'a'))).toContain('key');
  });

  it('another key under the same name opens nothing', async () => {
    const sealed = await testSealer().seal(content, 'a');
    const imposter = { id: testKey(1).id, bytes: testKey(2).bytes };
    expect(await refusal(testSealer({ keys: [imposter] }).open(sealed, 'a'))).toContain('changed or is damaged');
  });

  it('the name of the key is authenticated too', async () => {
    const sealed = await testSealer().seal(content, 'a');
    const alias = { id: 'AAAAAAAAAAA', bytes: testKey(1).bytes };
    const renamed = sealed.replace(testKey(1).id, alias.id);
    expect(await refusal(testSealer({ keys: [alias] }).open(renamed, 'a'))).toContain('changed or is damaged');
  });
});
