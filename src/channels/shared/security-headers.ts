/**
 * The security headers of every answer (contract/addresses.md#answers). What is served here is data, which loads nothing and is framed
 * nowhere; a page of our own sets a policy that fits it. A response that is written past Fastify adds them itself.
 * Whether the site as a whole is https is the operator's word, so there is no Strict-Transport-Security.
 */
export const securityHeaders = Object.freeze({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
