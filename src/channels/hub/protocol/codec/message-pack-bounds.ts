import type { Crowding } from './crowding.ts';

type Bounds = Omit<Crowding, 'isCrowded'>;

const unbounded: Bounds = { containers: Infinity, members: Infinity, values: Infinity };

/**
 * Whether bytes hold as many MessagePack values as they declare (`held`). A decoder reserves memory for a list when it reads the list's
 * length, so a few bytes could claim gigabytes. Here each declared value must have at least one byte left. `too-much`: they declare more
 * than any honest message has. The values themselves are checked by the decoder.
 */
export function declaredIn(bytes: Buffer, most: Bounds = unbounded): 'held' | 'not-held' | 'too-much' {
  let owed = 1;
  let containers = 0;
  let values = 0;
  let at = 0;
  while (owed > 0) {
    if (owed > bytes.length - at) return 'not-held';
    const value = readHead(bytes, at);
    if (value === undefined) return 'not-held';
    const { children, members } = value;
    values += 1;
    if (members !== undefined) containers += 1;
    if (values > most.values || containers > most.containers || (members ?? 0) > most.members) return 'too-much';
    owed += children - 1;
    at += value.bytes;
  }
  return at === bytes.length ? 'held' : 'not-held';
}

interface Head {
  /** Bytes of the head and the content, without children. */
  readonly bytes: number;
  readonly children: number;
  /** The members of a map. A list has none, and other values have not even that. */
  readonly members?: number;
}

function readHead(bytes: Buffer, at: number): Head | undefined {
  const head = bytes.readUInt8(at);
  if (head <= 0x7f || head >= 0xe0) return { bytes: 1, children: 0 };
  if (head <= 0x8f) return { bytes: 1, children: (head & 0x0f) * 2, members: head & 0x0f };
  if (head <= 0x9f) return { bytes: 1, children: head & 0x0f, members: 0 };
  if (head <= 0xbf) return { bytes: 1 + (head & 0x1f), children: 0 };
  const kind = kinds[head - 0xc0];
  if (kind === undefined) return undefined;
  const [lengthBytes, fixedBytes, childrenPerLength] = kind;
  if (lengthBytes === 0) return { bytes: 1 + fixedBytes, children: 0 };
  if (at + 1 + lengthBytes > bytes.length) return undefined;
  const length = bytes.readUIntBE(at + 1, lengthBytes);
  if (childrenPerLength === 0) return { bytes: 1 + lengthBytes + fixedBytes + length, children: 0 };
  const children = length * childrenPerLength;
  return { bytes: 1 + lengthBytes + fixedBytes, children, members: childrenPerLength === 2 ? length : 0 };
}

/**
 * The forms of the first bytes 0xc0 to 0xdf. Each lists the bytes of the length, the bytes that always follow, and the children per length.
 * With 0 children, the length counts bytes.
 */
const kinds: readonly (readonly [0 | 1 | 2 | 4, number, 0 | 1 | 2] | undefined)[] = [
  [0, 0, 0], // nil
  undefined, // never used
  [0, 0, 0], // false
  [0, 0, 0], // true
  [1, 0, 0], // bin 8, 16, 32
  [2, 0, 0],
  [4, 0, 0],
  [1, 1, 0], // ext 8, 16, 32
  [2, 1, 0],
  [4, 1, 0],
  [0, 4, 0], // float 32, 64
  [0, 8, 0],
  [0, 1, 0], // uint 8, 16, 32, 64
  [0, 2, 0],
  [0, 4, 0],
  [0, 8, 0],
  [0, 1, 0], // int 8, 16, 32, 64
  [0, 2, 0],
  [0, 4, 0],
  [0, 8, 0],
  [0, 2, 0], // fixext 1, 2, 4, 8, 16
  [0, 3, 0],
  [0, 5, 0],
  [0, 9, 0],
  [0, 17, 0],
  [1, 0, 0], // str 8, 16, 32
  [2, 0, 0],
  [4, 0, 0],
  [2, 0, 1], // array 16, 32
  [4, 0, 1],
  [2, 0, 2], // map 16, 32
  [4, 0, 2],
];
