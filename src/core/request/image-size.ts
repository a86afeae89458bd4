import type { MessageImage } from '../ports/message-image.ts';

/** The room that decoding an image needs, by the headers of the image. */
export interface ImageSize {
  /** The longer side, in pixels. */
  readonly side: number;
  /** The pixels of all frames of an animation together. */
  readonly pixels: number;
}

/**
 * Most pixels of a side, and of all frames together. The bound is needed because a file of some kilobytes can unfold to gigabytes
 * (contract/images.md).
 */
export const imageBounds: ImageSize = { side: 16_384, pixels: 100_000_000 };

/** The size of an image by its headers. Undefined when the headers give no size that makes sense. Decodes no pixel. */
export function imageSize({ mediaType, data }: Pick<MessageImage, 'mediaType' | 'data'>): ImageSize | undefined {
  const bytes = Buffer.from(data, 'base64');
  try {
    const { width, height, frames } = readers[mediaType](bytes);
    if (width === 0 || height === 0) return undefined;
    return { side: Math.max(width, height), pixels: width * height * Math.max(1, frames) };
  } catch {
    // The file ends before its headers do.
    return undefined;
  }
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

const readers: Readonly<Record<MessageImage['mediaType'], (bytes: Buffer) => Header>> = {
  'image/png': pngHeader,
  'image/jpeg': jpegHeader,
  'image/gif': gifHeader,
  'image/webp': webpHeader,
};

const unreadable: Header = { width: 0, height: 0, frames: 0 };

/** The number of frames stands in the `acTL` chunk, which comes before the pixels. */
function pngHeader(bytes: Buffer): Header {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return unreadable;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  let frames = 1;
  for (let at = 33; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT' || name === 'IEND') break;
    if (name === 'acTL') frames = Math.max(frames, bytes.readUInt32BE(at + 8));
  }
  return { width, height, frames };
}

/**
 * The size stands in the first frame header. Segments before that header are skipped as decoders skip them: by their length, or without one
 * (ITU T.81, B.1.1.3). A file that a decoder could read in another way counts as none.
 */
function jpegHeader(bytes: Buffer): Header {
  let at = 2;
  while (at + 9 <= bytes.length) {
    // Any number of 0xFF may stand before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || beginsOrEnds.has(marker)) return unreadable;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), frames: 1 };
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    const length = isAlone ? 0 : bytes.readUInt16BE(at + 2);
    if (!isAlone && length < 2) return unreadable;
    at += 2 + length;
  }
  return unreadable;
}

/** Markers of a JPEG that stand nowhere between its beginning and its frame header, and the byte that makes 0xFF no marker. */
const beginsOrEnds: ReadonlySet<number> = new Set([0x00, 0xd8, 0xd9]);

/**
 * Frames are measured too, because a frame may be larger than the screen on which it is drawn. Some decoders pass over a byte that begins no
 * block, and find more frames behind it: a file with such a byte counts as none.
 */
function gifHeader(bytes: Buffer): Header {
  let [width, height, frames] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), 0];
  let at = 13 + tableLength(bytes[10] ?? 0);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x2c) {
      frames += 1;
      width = Math.max(width, bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 7));
      at = endOfBlocks(bytes, at + 11 + tableLength(bytes[at + 9] ?? 0));
    } else if (kind === 0x21) at = endOfBlocks(bytes, at + 2);
    else if (kind === 0x3b) break;
    else return unreadable;
  }
  return frames === 0 ? unreadable : { width, height, frames };
}

/** Bytes of a table of colours, whose length stands in the flags before it. */
function tableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += 1 + length;
  return at + 1;
}

function webpHeader(bytes: Buffer): Header {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, frames: 1 };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, frames: 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, frames: webpFrames(bytes) };
    default:
      return unreadable;
  }
}

/** Each frame of an animation is a chunk of its own. */
function webpFrames(bytes: Buffer): number {
  let frames = 0;
  for (let at = 30; at + 8 <= bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') frames += 1;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return frames;
}
