/** The package has no types of its own. Only the lists that are used are named here. */
declare module 'stopword' {
  type Words = readonly string[];
  export const ara: Words, cat: Words, ces: Words, dan: Words, deu: Words, eng: Words, eus: Words, fin: Words;
  export const fra: Words, gle: Words, hun: Words, hye: Words, ita: Words, nld: Words, nob: Words, pol: Words;
  export const por: Words, ron: Words, rus: Words, slv: Words, spa: Words, swe: Words, tur: Words;
}
