import { matchesGlob } from '../base/glob.ts';

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The values to which a name leads: the claim of exactly this name, else the nested claims to which its dots lead. `*` stands for any
 * characters of one name, so that `resource_access.*.roles` leads to several. Names of claims may hold dots themselves.
 */
export function claimsAt(claims: Claims, name: string): readonly unknown[] {
  const exact = ownValue(claims, name);
  if (exact !== undefined) return [exact];
  const whole = name.includes('*') ? valuesOf(claims, name) : [];
  return [...whole, ...nestedIn(claims, name)];
}

/** The first value to which a name leads. */
export function claimAt(claims: Claims, name: string): unknown {
  return claimsAt(claims, name)[0];
}

/** Tries each dot as the end of a name, because names such as `my.client` hold dots themselves. */
function nestedIn(claims: Claims, name: string): readonly unknown[] {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const rest = name.slice(dot + 1);
    const found = valuesOf(claims, name.slice(0, dot)).flatMap((inner) =>
      isObject(inner) ? claimsAt(inner, rest) : [],
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The values of the members with this name, in which `*` stands for any characters. */
function valuesOf(claims: Claims, name: string): readonly unknown[] {
  if (!name.includes('*')) {
    const value = ownValue(claims, name);
    return value === undefined ? [] : [value];
  }
  return Object.entries(claims).flatMap(([key, value]) =>
    matchesGlob(name, key) && value !== undefined ? [value] : [],
  );
}

function ownValue(claims: Claims, name: string): unknown {
  return Object.getOwnPropertyDescriptor(claims, name)?.value;
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null;
}

/** Scopes are one text with spaces (RFC 8693 4.2), and the permissions of Clerk one with commas. */
const separators: readonly (readonly [name: RegExp, separator: string])[] = [
  [/(?:^|[./])(?:scope|scp)$/, ' '],
  [/(?:^|\.)o\.per$/, ','],
];

/** The texts of a claim of this name, alone, in a list, or as the keys of an object. */
export function listAt(claims: Claims, name: string): readonly string[] {
  const separator = separators.find(([pattern]) => pattern.test(name))?.[1];
  return claimsAt(claims, name).flatMap((value) => {
    if (typeof value === 'string' && separator !== undefined) {
      return value
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== '');
    }
    return isObject(value) && !Array.isArray(value) ? heldKeys(value) : texts(value);
  });
}

/** Some issuers write roles as the keys of an object. What its value denies is none. */
function heldKeys(value: Claims): readonly string[] {
  return Object.entries(value).flatMap(([key, held]) => (key === '' || held === false || held === null ? [] : [key]));
}

/** The texts of a value, alone or in a list. */
export function texts(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => {
    // Some issuers write booleans and numbers as JSON values instead of texts.
    const written = typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
    return typeof written === 'string' && written !== '' ? [written] : [];
  });
}

/** The single text of a name. A list gives undefined. */
export function text(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : texts(value)[0];
}
