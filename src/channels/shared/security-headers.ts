/**
 * The security headers of every answer (contract/addresses.md#answers). They are for data, which loads nothing and may not be framed. A
 * page of this server sets a policy of its own. A response that bypasses Fastify must add these headers itself. There is no
 * Strict-Transport-Security, because only the operator knows whether the whole site uses https.
 */
export const securityHeaders = Object.freeze({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
