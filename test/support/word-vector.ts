const numbersOfAWord = 24;

/**
 * The vector of a text. It is the sum of one vector for each different word. The words of one list of `same` have the same vector. Words
 * with fewer than four characters are left out.
 */
export function wordVector(
  text: string,
  { dimensions, same = [] }: { readonly dimensions: number; readonly same?: readonly (readonly string[])[] },
): Float32Array {
  const meaning = new Map(same.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)));
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const meant = new Set(words.map((word) => meaning.get(word) ?? word));
  const vector = new Float32Array(dimensions);
  // This keeps the vector of a text without such words from being zero.
  vector[0] = 0.01;
  for (const word of meant) {
    let state = hashOf(word);
    for (let count = 0; count < numbersOfAWord; count += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      const index = (state >>> 8) % dimensions;
      vector[index] = (vector[index] ?? 0) + ((state & 0x80) === 0 ? 1 : -1);
    }
  }
  return vector;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
