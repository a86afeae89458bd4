import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { RecordSealer } from '../../core/ports/record-sealer.ts';
import type { SnapshotKey } from './snapshot-key.ts';

const format = 'hr1';
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals records of turns as `hr1.<key id>.<nonce, ciphertext and tag>`. This is AES-256-GCM under keys of their own, derived from those of
 * `dataProtection`. The turn's id is authenticated, too, so that no line can be moved to another turn. The first key seals, and all keys
 * open.
 */
export function createAesRecordSealer(keys: readonly [SnapshotKey, ...(readonly SnapshotKey[])]): RecordSealer {
  const derived = new Map(keys.map((key) => [key.id, derivedKey(key)]));
  const [{ id: sealingId }] = keys;
  const sealing = derivedKey(keys[0]);
  return {
    seal(text, turnId) {
      const head = `${format}.${sealingId}.`;
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(head + turnId));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return head + sealed.toString('base64');
    },
    open(sealed, turnId) {
      const [version, keyId = '', text = ''] = sealed.split('.', 3);
      const key = derived.get(keyId);
      if (version !== format) throw new Error('the record of the turn is of another version of this server');
      if (key === undefined) throw new Error('the record of the turn was sealed with a key that is not there any more');
      const body = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceLength), { authTagLength: tagLength })
        .setAAD(Buffer.from(`${format}.${keyId}.${turnId}`))
        .setAuthTag(body.subarray(-tagLength));
      return decipher.update(body.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/**
 * Derives a key for records only. One key must not seal two kinds of data, because they could be confused. A key object costs half of what a
 * key in bytes costs at each use.
 */
function derivedKey({ bytes }: SnapshotKey): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', 'helper turn record', 32)));
}
