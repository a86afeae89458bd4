/**
 * The Content-Security-Policy of the server's own pages: nothing but the page's own files, no text as code or style, and no frame
 * around it. The demo page proves with it that the widget lives under a strict policy.
 */
export const ownPagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
