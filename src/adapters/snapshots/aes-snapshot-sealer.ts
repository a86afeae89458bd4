import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { SnapshotFault } from '../../core/errors/error-codes.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { maxSnapshotLength, type SnapshotSealer } from '../../core/ports/snapshot-sealer.ts';
import { clocksApartMs } from '../../core/replicas/clocks-apart.ts';
import type { SnapshotKey } from './snapshot-key.ts';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

const format = 'hs1';
const nonceLength = 12;
const tagLength = 16;
/** The most bytes before compression. Even content that compression does not shrink fits into `maxSnapshotLength` as base64. */
const maxContentBytes = 8 * 1024 * 1024;

export interface SnapshotSealerOptions {
  /** The first key seals, and all keys open. */
  readonly keys: readonly [SnapshotKey, ...(readonly SnapshotKey[])];
  /** The application that the snapshots belong to (`appName`). Another application does not accept them, even with the same keys. */
  readonly application: string;
  /** Milliseconds for which a snapshot can be restored (`dataProtection.maxAge`). */
  readonly maxAgeMs: number;
  readonly now: () => number;
}

/** The data that is encrypted: the content, and the facts that it is bound to. */
interface Envelope {
  readonly application: string;
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly sealedAt: number;
  readonly content: unknown;
}

/**
 * Seals snapshots as `hs1.<key id>.<nonce, ciphertext and tag>` (contract/sessions.md#snapshots). This is AES-256-GCM over compressed JSON.
 * The parts that are not encrypted are authenticated, too.
 */
export function createAesSnapshotSealer(options: SnapshotSealerOptions): SnapshotSealer {
  const [sealing] = options.keys;
  const keys = new Map(options.keys.map((key) => [key.id, key]));
  return {
    async seal(content, owner) {
      const { application, now } = options;
      const envelope: Envelope = { application, owner, sealedAt: now(), content };
      const json = Buffer.from(JSON.stringify(envelope));
      if (json.length > maxContentBytes) {
        throw new HelperError('payload_too_large', 'This conversation is longer than a snapshot may be (8 MiB).', {
          snapshotFault: 'too_large',
        });
      }
      const head = `${format}.${sealing.id}.`;
      return head + encrypt(await compress(json), sealing, head).toString('base64url');
    },
    async open(sealed, owner, sealedAfter = -Infinity) {
      const { key, head, body } = takeApart(sealed, keys);
      const envelope = await readEnvelope(decrypt(body, key, head));
      if (!isSame(envelope.application, options.application))
        throw refused('other_application', 'It belongs to another application.');
      if (!isSame(envelope.owner, owner)) throw refused('other_user', 'It belongs to another user.');
      const now = options.now();
      if (now - envelope.sealedAt > options.maxAgeMs) throw refused('too_old', 'It is too old to be restored.');
      // Of a snapshot from before the clock was set back nobody knows whether it is older than an erasure.
      const isOfNoKnownTime = sealedAfter !== -Infinity && envelope.sealedAt > now + clocksApartMs;
      if (envelope.sealedAt <= sealedAfter || isOfNoKnownTime)
        throw refused('erased', 'The data of its user was erased since.');
      return envelope.content;
    },
  };
}

function takeApart(
  sealed: string,
  keys: ReadonlyMap<string, SnapshotKey>,
): { readonly key: SnapshotKey; readonly head: string; readonly body: Buffer } {
  if (sealed.length > maxSnapshotLength) throw refused('too_large', 'It is longer than a snapshot can be.');
  const [version = '', keyId = '', text = '', ...more] = sealed.split('.', 4);
  if (!/^hs\d{1,3}$/.test(version) || more.length > 0)
    throw refused('not_a_snapshot', 'It is not a snapshot of this server.');
  if (version !== format) {
    throw refused('other_version', 'It was saved by another version of this server. Save the conversation again.');
  }
  const key = keys.get(keyId);
  if (key === undefined) throw refused('unknown_key', 'It was sealed with a key that this server does not have.');
  const body = Buffer.from(text, 'base64url');
  // Decoding accepts more than one spelling of the same bytes. This server has issued only its own spelling.
  if (body.length < nonceLength + tagLength || body.toString('base64url') !== text) throw changed();
  return { key, head: `${version}.${keyId}.`, body };
}

function encrypt(plain: Buffer, key: SnapshotKey, head: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(head));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The content is neither read nor decompressed before the tag has been compared (in constant time, by OpenSSL). */
function decrypt(body: Buffer, key: SnapshotKey, head: string): Buffer {
  const nonce = body.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(head))
    .setAuthTag(body.subarray(-tagLength));
  const plain = decipher.update(body.subarray(nonceLength, -tagLength));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch (error) {
    throw changed(error);
  }
}

/** Only data that was sealed with the server's keys gets here. Its size is limited all the same. */
async function readEnvelope(compressed: Buffer): Promise<Envelope> {
  const json = await decompress(compressed, { maxOutputLength: maxContentBytes }).catch((error: unknown) => {
    throw changed(error);
  });
  return JSON.parse(json.toString()) as Envelope; // the tag proves that `seal` has written it
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function changed(cause?: unknown): HelperError {
  return refused('damaged', 'It was changed or is damaged.', cause);
}

function refused(snapshotFault: SnapshotFault, reason: string, cause?: unknown): HelperError {
  return new HelperError('snapshot_refused', `This snapshot cannot be restored. ${reason}`, { snapshotFault, cause });
}
