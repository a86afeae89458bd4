const slabSize = 64 * 1024;
/** A larger text gets memory of its own, so that little of a slab stays unused. */
const maxSharedSize = slabSize / 4;
let slab = Buffer.alloc(0);
let used = 0;

/**
 * The bytes of a text that is kept for a while. Kept texts are released in about the order in which they were made, so they share large
 * pieces of memory. In Node's own pool, each kept text would keep alive the memory of the short-lived buffers around it (measured: a fifth
 * of a turn's CPU time, and a third of the memory).
 */
export function keptBytes(text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length > maxSharedSize) {
    const own = Buffer.allocUnsafeSlow(length);
    own.write(text);
    return own;
  }
  if (slab.length - used < length) {
    slab = Buffer.allocUnsafeSlow(slabSize);
    used = 0;
  }
  const bytes = slab.subarray(used, used + length);
  bytes.write(text);
  used += length;
  return bytes;
}
