type Members = Readonly<Record<string, unknown>>;

/** What a token says of itself, before anything of it is believed. Undefined for a text that is no signed token. */
export function unverified(token: string): { readonly header: Members; readonly claims: Members } | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [header, claims] = parts.map(decoded);
  return header === undefined || claims === undefined ? undefined : { header, claims };
}

/** The object in one part of a token. Undefined for any other content. */
export function decoded(part: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
