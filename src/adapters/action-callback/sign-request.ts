import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The bytes behind a `whsec_…` secret. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

/** The headers of Standard Webhooks: who reads them can tell that the body is ours, and how old it is. */
export function signatureHeaders(
  message: { readonly id: string; readonly body: string },
  key: Buffer,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64');
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/**
 * W3C trace context of one request. What belongs together, such as the calls of a turn, is one trace. It says "sampled":
 * otherwise the receiver's own tracing would leave the request out.
 */
export function traceParent(belongsTo: string): string {
  const traceId = createHash('sha256').update(belongsTo).digest('hex').slice(0, 32);
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
}
