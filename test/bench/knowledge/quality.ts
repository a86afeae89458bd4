import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { openFilesSources } from '../../../src/adapters/knowledge/files/open-files-sources.ts';
import type { FilesSource } from '../../../src/adapters/knowledge/files/files-source.ts';
import { recordingLogger } from '../../support/quiet.ts';

/** The help desk of a shop in one language, as `help-desk/LANGUAGE.yaml` holds it. */
interface HelpDesk {
  readonly documents: readonly {
    readonly title: string;
    readonly text: string;
    /** The question in the words of a user who knows the words of the shop. */
    readonly natural: string;
    /** The same question in other words. */
    readonly paraphrased: string;
  }[];
  /** Questions that no document answers. */
  readonly unrelated: readonly string[];
}

/** Shares, 0 to 1. */
export interface LanguageQuality {
  readonly questions: number;
  /** Natural questions that find their document first. */
  readonly natural: number;
  readonly paraphrased: number;
  /** Questions of both kinds whose document is among the first five. */
  readonly amongFive: number;
  /** Unrelated questions that find nothing. */
  readonly unrelated: number;
}

export interface Quality {
  readonly languages: readonly (LanguageQuality & { readonly language: string })[];
  readonly all: LanguageQuality;
}

/** The result of one question: the place of its document, from 0, or -1 when the document was not found. */
interface Asked {
  readonly language: string;
  readonly kind: 'natural' | 'paraphrased' | 'unrelated';
  readonly place: number;
  readonly found: number;
}

const helpDesks = join(import.meta.dirname, 'help-desk');

/** Writes the documents of all languages into one folder, and asks it everything by words alone. */
export async function askHelpDesk(folder: string): Promise<Quality> {
  const desks = readHelpDesks();
  for (const [language, { documents }] of desks) {
    mkdirSync(join(folder, language), { recursive: true });
    for (const [index, { title, text }] of documents.entries()) {
      writeFileSync(join(folder, language, `${String(index)}.md`), `# ${title}\n\n${text}\n`);
    }
  }
  const entry = { name: 'help-desk', path: folder, requiredRoles: [], trusted: false };
  const settings = { ...entry, refreshMs: 3_600_000, timeoutMs: 3_000 };
  const [source] = openFilesSources([settings], { folder: undefined, log: recordingLogger() });
  if (source === undefined) throw new Error('there is no source');
  source.start();
  while (source.state.phase === 'indexing') await sleep(5);
  const asked = await askAll(source, desks);
  await source.close();
  const languages = [...desks.keys()].map((language) => ({
    language,
    ...qualityOf(asked.filter((one) => one.language === language)),
  }));
  return { languages, all: qualityOf(asked) };
}

/** The help desks by the code of their language. */
export function readHelpDesks(): ReadonlyMap<string, HelpDesk> {
  const names = readdirSync(helpDesks).sort();
  return new Map(
    names.map((name) => {
      const desk = parse(readFileSync(join(helpDesks, name), 'utf8')) as HelpDesk; // our own file
      return [name.replace('.yaml', ''), desk];
    }),
  );
}

async function askAll(source: FilesSource, desks: ReadonlyMap<string, HelpDesk>): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const [language, { documents, unrelated }] of desks) {
    for (const { title, natural, paraphrased } of documents) {
      asked.push({ language, kind: 'natural', ...(await askOne(source, natural, title)) });
      asked.push({ language, kind: 'paraphrased', ...(await askOne(source, paraphrased, title)) });
    }
    for (const question of unrelated) asked.push({ language, kind: 'unrelated', ...(await askOne(source, question)) });
  }
  return asked;
}

/** Asks one question. Only documents that reach the threshold count, as in the answers to messages. */
async function askOne(source: FilesSource, query: string, title = ''): Promise<Pick<Asked, 'place' | 'found'>> {
  const request = { query, maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null };
  const { documents, defaultMinScore = 0 } = await source.search(request, AbortSignal.timeout(3_000));
  const enough = documents.filter(({ score }) => score >= defaultMinScore);
  return { found: enough.length, place: enough.findIndex((document) => document.title === title) };
}

function qualityOf(asked: readonly Asked[]): LanguageQuality {
  const share = (kinds: readonly Asked['kind'][], isGood: (one: Asked) => boolean): number => {
    const all = asked.filter(({ kind }) => kinds.includes(kind));
    return all.filter(isGood).length / all.length;
  };
  return {
    questions: asked.length,
    natural: share(['natural'], ({ place }) => place === 0),
    paraphrased: share(['paraphrased'], ({ place }) => place === 0),
    amongFive: share(['natural', 'paraphrased'], ({ place }) => place >= 0),
    unrelated: share(['unrelated'], ({ found }) => found === 0),
  };
}
