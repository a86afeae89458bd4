import type { SettingSchema } from './setting-schema.ts';

/**
 * One part of a path. The parts `.` and `..` are not allowed: browsers resolve them before they send the request, so such a path would
 * never be found.
 */
const part = String.raw`/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+`;
const example = 'a path such as /helper/chat, of letters, digits and ._~-, with no . or .. part and no / at its end';

/** A path that one endpoint is served under. */
export const urlPath = {
  type: 'string',
  pattern: `^(${part})+$`,
  allowed: example,
} as const satisfies SettingSchema;

/** A path in front of others, or nothing. */
export const urlPathPrefix = {
  type: 'string',
  pattern: `^(${part})*$`,
  allowed: `empty, or ${example}`,
} as const satisfies SettingSchema;
