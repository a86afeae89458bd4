/** The package has no types of its own. */
declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string;
  }
  const stemmers: { newStemmer(algorithm: string): Stemmer };
  export = stemmers;
}
