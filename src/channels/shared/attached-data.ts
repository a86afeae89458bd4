import { isBase64 } from '../../core/base/is-base64.ts';

/** Whether a text is a media type, such as `image/png`. */
export function isMediaType(text: string | undefined): text is string {
  return text !== undefined && /^[a-z]{1,20}\/[a-z0-9.+-]{1,100}$/.test(text);
}

/** Whether a text is content in base64. An empty one is none. */
export function isContent(text: string | undefined): text is string {
  return text !== '' && isBase64(text);
}

/** The content of a `data:` address in base64. Undefined for every other address. */
export function contentOfAddress(address: string): { readonly contentType: string; readonly data: string } | undefined {
  const comma = address.indexOf(',');
  const head = /^data:([^;,]{1,130})(?:;[a-z]{1,20}=[^;,]{1,40})?;base64$/.exec(address.slice(0, Math.max(0, comma)));
  const [contentType, data] = [head?.[1], address.slice(comma + 1)];
  return isMediaType(contentType) && isContent(data) ? { contentType, data } : undefined;
}
