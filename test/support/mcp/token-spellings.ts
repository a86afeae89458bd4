/** The order of the curve of ES256. A signature and its mirror image by it are both valid. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The token itself, and the ways to write its signature anew without its key. Some of them are no valid token. */
export function spellingsOf(token: string): readonly string[] {
  const at = token.lastIndexOf('.') + 1;
  const [signed, signature] = [token.slice(0, at), token.slice(at)];
  const last = letters.indexOf(signature.at(-1) ?? '');
  const bytes = Buffer.from(signature, 'base64url');
  const mirrored = (order - BigInt(`0x${bytes.subarray(32).toString('hex') || '0'}`))
    .toString(16)
    .padStart(64, '0')
    .slice(-64);
  return [
    ...['', '=', '==', '===', ' ', '%3D', '\t'].map((end) => token + end),
    ...[1, 2, 3].map((bits) => signed + signature.slice(0, -1) + (letters[last ^ bits] ?? '')),
    signed + bytes.toString('base64'),
    signed + Buffer.concat([bytes.subarray(0, 32), Buffer.from(mirrored, 'hex')]).toString('base64url'),
  ];
}
