const finalText = 0x81;

/** A text frame as a client sends it. The mask is zero: masking is for proxies, and costs the load generator time. */
export function clientTextFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const zeroMask = Buffer.alloc(4);
  if (payload.length < 126) return Buffer.concat([Buffer.from([finalText, 0x80 | payload.length]), zeroMask, payload]);
  const head = Buffer.from([finalText, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, zeroMask, payload]);
}

/** Splits what a server sends into payloads. Frames may be cut anywhere. */
export class ServerFrames {
  #pending: Buffer | undefined;

  /** The payloads that are complete with `data`, each with its opcode. */
  *read(data: Buffer): Generator<{ readonly opcode: number; readonly payload: Buffer }> {
    let rest = this.#pending === undefined ? data : Buffer.concat([this.#pending, data]);
    for (;;) {
      const size = payloadSize(rest);
      if (size === undefined || rest.length < size.head + size.payload) break;
      const end = size.head + size.payload;
      yield { opcode: (rest[0] ?? 0) & 0x0f, payload: rest.subarray(size.head, end) };
      rest = rest.subarray(end);
    }
    this.#pending = rest.length > 0 ? rest : undefined;
  }
}

/** Undefined while the head is not all there. */
function payloadSize(bytes: Buffer): { readonly head: number; readonly payload: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  if (short < 126) return { head: 2, payload: short };
  if (short === 126) return bytes.length < 4 ? undefined : { head: 4, payload: bytes.readUInt16BE(2) };
  return bytes.length < 10 ? undefined : { head: 10, payload: Number(bytes.readBigUInt64BE(2)) };
}
