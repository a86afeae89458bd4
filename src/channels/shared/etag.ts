/**
 * Whether the client already has this content. The header is a list of validators, or `*` (RFC 9110, 13.1.2). A proxy that compresses makes
 * validators weak, so weak ones count too.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}
