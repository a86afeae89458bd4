import { longestAge, longestDuration, parseDuration } from './duration.ts';
import { isRedisNodeUrl, isRedisUrl } from './redis-url.ts';
import { parseSize } from './size.ts';
import type { SettingSchema } from './schema/setting-schema.ts';

interface SettingFormat {
  /** Completes "allowed: …". */
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
}

/** What a text setting may look like, by the `format` of its schema. */
export const settingFormats: Readonly<Record<NonNullable<SettingSchema['format']>, SettingFormat>> = {
  duration: {
    allowed: 'a duration such as 500ms, 15s, 2m or 1h, up to 24d',
    accepts: (text) => isWithin(parseDuration(text), longestDuration),
  },
  age: {
    allowed: 'a duration such as 12h or 30d, up to 3650d',
    accepts: (text) => isWithin(parseDuration(text), longestAge),
  },
  'age-or-none': {
    allowed: 'a duration such as 12h or 30d, up to 3650d, or none',
    accepts: (text) => text === 'none' || isWithin(parseDuration(text), longestAge),
  },
  'time-limit': {
    allowed: 'a duration such as 500ms, 15s or 2m, up to 24d; 0 or less sets no limit',
    accepts: (text) => (parseDuration(text) ?? Number.NaN) <= longestDuration,
  },
  key: {
    allowed: 'a key of 32 random bytes in base64, as openssl rand -base64 32 makes one',
    accepts: (text) => /^[A-Za-z0-9+/_-]{43}=?$/.test(text),
  },
  size: {
    allowed: 'a size such as 4MiB or 512KiB, or a number of bytes',
    accepts: (text) => isWithin(parseSize(text), Number.MAX_SAFE_INTEGER),
  },
  regex: {
    allowed: 'a regular expression of JavaScript (with the flag u)',
    accepts: isRegularExpression,
  },
  'json-pointer': {
    allowed: 'a JSON pointer such as /customer/email',
    accepts: (text) => /^(\/([^~/]|~[01])*)+$/.test(text),
  },
  origin: {
    allowed: 'an origin of scheme and host, such as https://shop.example.com or capacitor://localhost, or * for all',
    accepts: (text) => text === '*' || normalOrigin(text) !== undefined || isAppOrigin(text),
  },
  'frame-ancestor': {
    allowed: "an origin of scheme and host, such as https://shop.example.com, or 'self' in its own quotes",
    accepts: (text) => text === "'self'" || isHostSource(normalOrigin(text)),
  },
  'public-url': {
    allowed: 'empty, or an address without a path, such as https://chat.example.com',
    accepts: (text) => text === '' || normalOrigin(text) !== undefined,
  },
  'asset-url': {
    allowed: 'an http or https address, a relative one, or a data: image',
    accepts: (text) => /^(https?:\/\/\S+|data:image\/\S+|(?![A-Za-z][A-Za-z0-9+.-]*:)\S+)$/i.test(text),
  },
  'page-url': {
    allowed: 'an https address or one relative to your application, such as /orders/{number}',
    accepts: isPageUrl,
  },
  'callback-url': {
    allowed: 'an http or https address without a user name, such as https://erp.internal/helper',
    accepts: (text) => /^https?:\/\/[^/?#@\\\s]+([/?][^#\s]*)?$/i.test(text) && URL.canParse(text),
  },
  'redis-url': {
    allowed:
      'an address such as redis://user:password@host:6379/0, rediss://… with TLS, or redis+unix://localhost/path',
    accepts: isRedisUrl,
  },
  'redis-node-url': {
    allowed: 'an address such as redis://user:password@host:6379, or rediss://… with TLS',
    accepts: isRedisNodeUrl,
  },
};

/** `https://Shop.example.com:443/` → `https://shop.example.com`; undefined when it is not an origin. */
export function normalOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

/** The origin of pages inside an app, such as `capacitor://localhost` of iOS. Browsers send it as it is written, in lower case. */
function isAppOrigin(text: string): boolean {
  return /^(?!https?:|file:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+$/.test(text);
}

/** Whether an origin can be used in a Content-Security-Policy. The hosts of such a policy cannot be IPv6 addresses in brackets. */
function isHostSource(origin: string | undefined): boolean {
  return origin !== undefined && /^https?:\/\/[a-z0-9._-]+(:\d+)?$/.test(origin);
}

/**
 * Whether a text can be the address of a page. Placeholders are allowed only after the host, so that an argument of the model never chooses
 * the site.
 */
function isPageUrl(text: string): boolean {
  const placeholder = /\{[A-Za-z0-9_]+\}/g;
  // eslint-disable-next-line no-control-regex -- browsers drop control characters, which would hide a scheme
  if (/[\u0000-\u0020\u007f\\{}]/.test(text.replaceAll(placeholder, 'x'))) return false;
  if (/^https:/i.test(text))
    return /^https:\/\/[^/?#@{}]+([/?#]|$)/i.test(text) && URL.canParse(text.replaceAll(placeholder, 'x'));
  return !text.startsWith('//') && !text.startsWith('{') && text !== '' && !/^[^/?#]*:/.test(text);
}

function isWithin(value: number | undefined, most: number): boolean {
  return value !== undefined && value >= 0 && value <= most;
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
