/** The first bytes of each type, in Latin-1. WebP also has its name at the ninth byte. */
const heads = [
  ['image/png', '\x89PNG\r\n\x1A\n'],
  ['image/jpeg', '\xFF\xD8\xFF'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF'],
] as const;

/** The type of a file by its first bytes, as the server will judge it. Undefined for a file that is no picture. */
export async function pictureType(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  const type = heads.find(([, begins]) => head.startsWith(begins))?.[0];
  return type === 'image/webp' && !head.endsWith('WEBP') ? undefined : type;
}
