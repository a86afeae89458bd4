import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, tooManyCharacters } from '../section.ts';
import { joinCutWords } from './join-cut-words.ts';

/** The bytes at the beginning of a file by which its encoding is recognised. */
const sampleBytes = 4_096;

/** A Western text has fewer letters beyond ASCII. Those of other scripts, read as Western ones, have more. */
const mostForeign = 0.4;

/**
 * Decodes the text of a file. Its byte order mark names the encoding; without one, `charset` does; else it is UTF-8, UTF-16 or UTF-32, as
 * the bytes show, or windows-1252, in which old Western texts are written.
 * @throws LeftOut when the bytes are not valid, or not text.
 */
export function decode(bytes: Buffer, charset?: string): string {
  const wide = wideEncoding(bytes);
  const text = wide === undefined ? decodeNarrow(bytes, charset) : decodeWide(bytes, wide);
  if (text.includes('\0')) throw new LeftOut('is not text');
  return text.replace(/\r\n?/g, '\n');
}

/** A text without headings. */
export function readText(text: string): ReadableText {
  if (text.length > readLimits.characters) throw tooManyCharacters();
  return { sections: [{ path: [], text: joinCutWords(text).trim() }] };
}

function decodeNarrow(bytes: Buffer, charset: string | undefined): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const said = isMarked ? 'utf-8' : (charset ?? 'utf-8').toLowerCase();
  try {
    return new TextDecoder(said, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!/^(?:utf-?8|us-ascii)$/.test(said)) throw new LeftOut(`is not valid ${said} text`, { cause: error });
  }
  const western = new TextDecoder('windows-1252').decode(bytes);
  if (!isWestern(western)) throw new LeftOut('is not valid utf-8 text');
  return western;
}

/** Whether a text that was read as windows-1252 can be one. Bytes that windows-1252 does not have become control characters. */
function isWestern(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- controls are what no text has
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/.test(text)) return false;
  const foreign = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return foreign <= Math.max(1, mostForeign * letters);
}

type Wide = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** The encoding of a text whose characters take two or four bytes each. Letters of ASCII have zeros in certain places then. */
function wideEncoding(bytes: Buffer): Wide | undefined {
  const mark = bytes.toString('hex', 0, 4);
  if (mark === 'fffe0000') return 'utf-32le';
  if (mark === '0000feff') return 'utf-32be';
  if (mark.startsWith('fffe')) return 'utf-16le';
  if (mark.startsWith('feff')) return 'utf-16be';
  const length = Math.min(bytes.length, sampleBytes) & ~3;
  // Nearly every text has no zeros, and this looks for one much faster than the loop.
  if (length < 8 || !bytes.subarray(0, length).includes(0)) return undefined;
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1;
  const isZero = zeros.map((count) => count > (length / 4) * 0.6);
  const pattern = isZero.map((one) => (one ? '0' : 'x')).join('');
  const known: Readonly<Record<string, Wide>> = {
    x0x0: 'utf-16le',
    '0x0x': 'utf-16be',
    x000: 'utf-32le',
    '000x': 'utf-32be',
  };
  return known[pattern];
}

function decodeWide(bytes: Buffer, encoding: Wide): string {
  try {
    if (encoding === 'utf-16le' || encoding === 'utf-16be') {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    }
    return decodeUtf32(bytes, encoding === 'utf-32le');
  } catch (error) {
    throw new LeftOut(`is not valid ${encoding} text`, { cause: error });
  }
}

/** @throws RangeError for a number that is no character. */
function decodeUtf32(bytes: Buffer, isLittle: boolean): string {
  if (bytes.length > 4 * readLimits.characters) throw tooManyCharacters();
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    text += String.fromCodePoint(isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  }
  return text.replace(/^\ufeff/, '');
}
