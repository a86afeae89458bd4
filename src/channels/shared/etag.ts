/** Whether a client has this content: a list of validators or `*` (RFC 9110, 13.1.2); a proxy that compresses makes them weak. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}
