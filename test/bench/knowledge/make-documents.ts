import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Small words of the documents' languages. The language of a text is recognised by them. */
const smallWords: Readonly<Record<string, string>> = {
  de: 'der die das und ist nicht mit für auf eine wird werden kann bei nach dem den von zu',
  en: 'the and is not with for on a will be can at after this that from of to in your',
  es: 'el la los y es no con para en una será pueden por después de que del al se su',
  fr: 'le la les et est pas avec pour sur une sera peut chez après de que des au se son',
  it: 'il la gli e è non con per su una sarà può da dopo di che dei al si suo',
  nl: 'de het een en is niet met voor op wordt kan bij na van dat die te uw zijn aan',
};

const syllables =
  'ba be bi bo da de di do fa fe ga ge ka ke ki la le li lo ma me mi na ne no pa pe ra re ri ro sa se si so ta te ti to va ve vi wa'.split(
    ' ',
  );

const vocabulary = 20_000;
/** Ranks before are those of small words. */
const smallest = 50;
const files = 2_000;
const sectionsAFile = 5;
const wordsASection = 165;

/** A question with words of one document. */
export interface BenchQuestion {
  readonly text: string;
  readonly title: string;
}

/** Writes 2,000 Markdown files of 11,000 sections, the same ones each time, and returns questions to them. */
export function makeDocuments(folder: string): readonly BenchQuestion[] {
  const random = numbers(7);
  const languages = Object.keys(smallWords);
  const questions: BenchQuestion[] = [];
  for (let file = 0; file < files; file += 1) {
    const language = languages[file % languages.length] ?? 'en';
    const small = (smallWords[language] ?? '').split(' ');
    const pick = (): string =>
      random() < 0.45 ? (small[Math.floor(random() * small.length)] ?? '') : rareWord(random);
    const title = `${rareWord(random)} ${rareWord(random)} ${String(file)}`;
    const sections = Array.from({ length: sectionsAFile + (file % 2) }, (_, index) => section(index, pick));
    mkdirSync(join(folder, String(file % 20)), { recursive: true });
    writeFileSync(join(folder, String(file % 20), `${String(file)}.md`), `# ${title}\n\n${sections.join('\n\n')}\n`);
    const words = (sections[file % sectionsAFile] ?? '').split(/\W+/).filter((word) => word.length > 5);
    const asked = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)] ?? '');
    questions.push({ text: `${small.slice(0, 3).join(' ')} ${asked.join(' ')}?`, title });
  }
  return questions.filter((_, index) => index % 2 === 0);
}

function section(index: number, pick: () => string): string {
  const words = Array.from({ length: wordsASection }, (_, at) => (at % 12 === 11 ? `${pick()}.` : pick()));
  return `## ${pick()} ${pick()} ${String(index)}\n\n${words.join(' ')}`;
}

/** Few words are frequent, and most are rare, as in every language behind its small words. */
function rareWord(random: () => number): string {
  let rank = Math.floor(smallest * (vocabulary / smallest) ** random());
  let word = '';
  do {
    word += syllables[rank % syllables.length] ?? '';
    rank = Math.floor(rank / syllables.length) + (word.length < 6 ? 7 : 0);
  } while (rank > 0 && word.length < 14);
  return word;
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
