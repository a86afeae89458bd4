import type { Embedded } from '../../../core/ports/embedder.ts';

/** No model has more numbers in a vector. A longer list is no vector. */
const mostDimensions = 16_384;

/**
 * Checks what a provider has given for each text. A sound vector holds numbers that are not all zero, and as many as most of the other
 * vectors. Sound vectors are scaled to length 1.
 */
export function soundVectors(given: readonly unknown[]): readonly Embedded[] {
  const read = given.map(vectorOf);
  const counts = new Map<number, number>();
  for (const one of read) {
    if ('vector' in one) counts.set(one.vector.length, (counts.get(one.vector.length) ?? 0) + 1);
  }
  const usual = Math.max(...counts.values());
  const length = [...counts].find(([, count]) => count === usual)?.[0];
  return read.map((one) =>
    'fault' in one || one.vector.length === length
      ? one
      : { fault: `has ${String(one.vector.length)} numbers, and others have ${String(length)}` },
  );
}

/** Numbers are decoded here, because each buffer of its own makes the process larger while many vectors are made. */
const scratch = Buffer.from(new ArrayBuffer(mostDimensions * 6));

/** Reads numbers in a list, or in base64 of 32-bit floating point numbers. */
function vectorOf(given: unknown): Embedded {
  if (typeof given === 'string') return unitVector(fromBase64(given));
  if (given instanceof Float32Array || given instanceof Float64Array) return unitVector(Float32Array.from(given));
  if (!Array.isArray(given)) return { fault: 'is no list of numbers' };
  if (!given.every((value) => typeof value === 'number')) return { fault: 'holds something that is no number' };
  return unitVector(given.length > mostDimensions ? undefined : Float32Array.from(given));
}

function fromBase64(text: string): Float32Array | undefined {
  if (text.length > mostDimensions * 6 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const length = scratch.write(text, 'base64');
  // The least significant byte comes first, as on every machine that Node runs on.
  return length % 4 === 0 ? new Float32Array(scratch.buffer.slice(0, length)) : undefined;
}

/** Scales a vector to length 1 in place. */
function unitVector(vector: Float32Array | undefined): Embedded {
  if (vector === undefined || vector.length === 0 || vector.length > mostDimensions) {
    return { fault: 'is no list of numbers, or one of no use' };
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!Number.isFinite(squares)) return { fault: 'holds something that is no number' };
  if (squares === 0) return { fault: 'is all zero' };
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) * scale;
  return { vector };
}
