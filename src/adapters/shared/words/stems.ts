import stemmers from 'snowball-stemmers';

/** Snowball's algorithm for each language, by its ISO 639-1 code. */
const algorithms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: 'arabic',
    ca: 'catalan',
    cs: 'czech',
    da: 'danish',
    de: 'german',
    en: 'english',
    es: 'spanish',
    eu: 'basque',
    fi: 'finnish',
    fr: 'french',
    ga: 'irish',
    hu: 'hungarian',
    hy: 'armenian',
    it: 'italian',
    nb: 'norwegian',
    nl: 'dutch',
    nn: 'norwegian',
    no: 'norwegian',
    pt: 'portuguese',
    ro: 'romanian',
    ru: 'russian',
    sl: 'slovene',
    sv: 'swedish',
    ta: 'tamil',
    tr: 'turkish',
  }),
);

/** Snowball has no rules for Polish. Polish endings are long, so the beginning of a word serves as its stem. */
const polishStemLength = 5;

/** The most stems that are remembered for one language. Texts repeat their words, so this makes stemming twenty times as fast. */
const mostRemembered = 50_000;

type Stem = (word: string) => string;

const stemOfLanguage = new Map<string, Stem>();

/** The stem of a lower-case word in a language, by its ISO 639-1 code. A word of an unknown language is its own stem. */
export function stemOf(word: string, language: string): string {
  let stem = stemOfLanguage.get(language);
  if (stem === undefined) {
    stem = remembering(stemmerOf(language));
    // There are at most as many languages as there are codes of two letters.
    if (/^[a-z]{2}$/.test(language)) stemOfLanguage.set(language, stem);
  }
  return stem(word);
}

function stemmerOf(language: string): Stem {
  if (language === 'pl') return (word) => withoutMarks(word).slice(0, polishStemLength);
  const algorithm = algorithms.get(language);
  if (algorithm === undefined) return withoutMarks;
  const stemmer = stemmers.newStemmer(algorithm);
  // The rules of a language need the accents, but people often type without them. So accents are removed after stemming.
  return (word) => withoutMarks(stemmer.stem(word));
}

function remembering(stem: Stem): Stem {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = stem(word);
    if (known.size >= mostRemembered) known.clear();
    known.set(word, made);
    return made;
  };
}

/** Unicode treats letters with strokes as letters of their own, but people often type them without the stroke. */
const unstroked: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' };

/** Removes accents and other marks from a lower-case word. */
export function withoutMarks(word: string): string {
  // eslint-disable-next-line no-control-regex -- plain ASCII has no marks
  if (/^[\u0000-\u007f]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[łøđıß]/g, (letter) => unstroked[letter] ?? letter)
    .normalize('NFC');
}
