import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The bytes behind `whsec_…` secrets, in the same order. */
export function signingKeys(secrets: string | readonly string[]): readonly Buffer[] {
  return [secrets].flat().map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
}

/**
 * The headers of Standard Webhooks. They prove to the receiver that this server has sent the body, and tell the time. Each key makes one
 * signature; spaces separate them. While a secret is being changed, a receiver may know either the old or the new one.
 */
export function signatureHeaders(
  message: { readonly id: string; readonly body: string },
  keys: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * The W3C trace context of one request. `trace` is the caller's own context, which goes on, or an id. All requests with the same id, such
 * as the calls of a turn, make one trace. Such a trace is marked as sampled; otherwise the receiver's own tracing would leave it out.
 */
export function traceParent(trace: string): string {
  const span = randomBytes(8).toString('hex');
  const [, callersTrace, flags] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/.exec(trace) ?? [];
  if (callersTrace !== undefined && flags !== undefined) return `00-${callersTrace}-${span}-${flags}`;
  return `00-${createHash('sha256').update(trace).digest('hex').slice(0, 32)}-${span}-01`;
}
