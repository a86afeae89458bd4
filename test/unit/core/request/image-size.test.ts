import { describe, expect, it } from 'vitest';
import { imageSize } from '../../../../src/core/request/image-size.ts';
import type { MessageImage } from '../../../../src/core/ports/message-image.ts';
import { bluePixel, fileOf } from '../../../support/images.ts';

type MediaType = MessageImage['mediaType'];

const sizeOf = (mediaType: MediaType, ...parts: readonly (string | readonly number[])[]) => {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)));
  return imageSize({ mediaType, data: Buffer.concat(bytes).toString('base64') });
};
const be32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const le16 = (value: number) => [value & 255, value >>> 8];
const le24 = (value: number) => [...le16(value & 0xffff), value >>> 16];
const le32 = (value: number) => be32(value).toReversed();
const nothing = (count: number) => Array.from({ length: count }, () => 0);

const png = (width: number, height: number) => [
  '\x89PNG\r\n\x1a\n',
  be32(13),
  'IHDR',
  be32(width),
  be32(height),
  nothing(9),
];
const chunk = (name: string, data: readonly number[]) => [be32(data.length), name, data, nothing(4)];
const gifFrame = (width: number, height: number) => [[0x2c, 0, 0, 0, 0], le16(width), le16(height), [0, 2, 1, 0xff, 0]];
const anmf = ['ANMF', le32(3), nothing(4)];

describe('what an image unfolds to, by its headers (contract/images.md)', () => {
  it.each([
    ['PNG', 'image/png', png(50_000, 40_000), 50_000, 2_000_000_000],
    [
      'animated PNG',
      'image/png',
      [...png(100, 10), ...chunk('tEXt', [1, 2]), ...chunk('acTL', [...be32(900), ...be32(0)]), ...chunk('IDAT', [])],
      100,
      900_000,
    ],
    [
      'JPEG',
      'image/jpeg',
      ['\xff\xd8\xff\xe0\0\x04ab\xff\xff\xff\xc2\0\x11\x08', [0xc3, 0x50, 0x9c, 0x40]],
      50_000,
      2_000_000_000,
    ],
    [
      'JPEG whose frame header is behind markers without a length',
      'image/jpeg',
      ['\xff\xd8\xff\xd0\xff\x01\xff\xc0\0\x11\x08', [0xc3, 0x50, 0x9c, 0x40], '\xff\xc0\0\x11\x08\0\x10\0\x10'],
      50_000,
      2_000_000_000,
    ],
    ['GIF', 'image/gif', ['GIF89a', le16(300), le16(200), [0, 0, 0], ...gifFrame(300, 200)], 300, 60_000],
    [
      'animated GIF with tables of colours and an extension',
      'image/gif',
      [
        'GIF89a',
        le16(10),
        le16(10),
        [0x80, 0, 0],
        nothing(6),
        [0x21, 0xf9, 1, 0, 0],
        ...gifFrame(10, 10),
        ...gifFrame(10, 10),
        [0x3b],
      ],
      10,
      200,
    ],
    [
      'GIF with a frame larger than its screen',
      'image/gif',
      ['GIF89a', le16(1), le16(1), [0, 0, 0], ...gifFrame(60_000, 60_000)],
      60_000,
      3_600_000_000,
    ],
    [
      'WebP',
      'image/webp',
      ['RIFF', le32(30), 'WEBPVP8 ', le32(10), nothing(3), '\x9d\x01\x2a', le16(16_000), le16(9_000)],
      16_000,
      144_000_000,
    ],
    [
      'WebP without loss',
      'image/webp',
      ['RIFF', le32(30), 'WEBPVP8L', le32(5), '\x2f', le32(16_383 | (8_999 << 14))],
      16_384,
      147_456_000,
    ],
    [
      'animated WebP',
      'image/webp',
      ['RIFF', le32(99), 'WEBPVP8X', le32(10), nothing(4), le24(99), le24(49), ...anmf, ...anmf],
      100,
      10_000,
    ],
  ] as const)('reads a %s', (_title, mediaType, parts, side, pixels) => {
    expect(sizeOf(mediaType, ...(parts as readonly (string | readonly number[])[]))).toEqual({ side, pixels });
  });

  it('reads whole pictures', () => {
    expect(imageSize({ mediaType: 'image/png', data: bluePixel })).toEqual({ side: 1, pixels: 1 });
    for (const mediaType of ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const) {
      expect(imageSize({ mediaType, data: fileOf(mediaType) })).toEqual({ side: 1, pixels: 1 });
    }
  });

  it.each([
    ['PNG', 'image/png', ['\x89PNG\r\n\x1a\n']],
    ['PNG without its header', 'image/png', ['\x89PNG\r\n\x1a\n', nothing(40)]],
    ['PNG of no width', 'image/png', png(0, 10)],
    ['JPEG', 'image/jpeg', ['\xff\xd8\xff\xe0']],
    ['JPEG without markers', 'image/jpeg', ['\xff\xd8\xff\xe0\0\x02', nothing(40)]],
    [
      'JPEG that ends before its frame header',
      'image/jpeg',
      ['\xff\xd8\xff\xd9\xff\xc0\0\x11\x08\0\x10\0\x10', nothing(9)],
    ],
    [
      'JPEG with a segment of no length',
      'image/jpeg',
      ['\xff\xd8\xff\xe0\0\0\xff\xc0\0\x11\x08\0\x10\0\x10', nothing(9)],
    ],
    ['GIF', 'image/gif', ['GIF89a']],
    ['GIF without a frame', 'image/gif', ['GIF89a', le16(9), le16(9), [0, 0, 0, 0x3b]]],
    [
      'GIF with a byte between its blocks',
      'image/gif',
      ['GIF89a', le16(9), le16(9), [0, 0, 0], ...gifFrame(9, 9), [0], ...gifFrame(60_000, 60_000)],
    ],
    ['WebP', 'image/webp', ['RIFF', le32(4), 'WEBP']],
    ['WebP of another kind', 'image/webp', ['RIFF', le32(4), 'WEBPXXXX', nothing(40)]],
  ] as const)('says nothing of a %s that is cut off or broken', (_title, mediaType, parts) => {
    expect(sizeOf(mediaType, ...(parts as readonly (string | readonly number[])[]))).toBeUndefined();
  });
});
