import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import type { FilesSource } from '../../../src/adapters/knowledge/files/files-source.ts';
import { openFilesSources } from '../../../src/adapters/knowledge/files/open-files-sources.ts';
import { recordingLogger } from '../../support/quiet.ts';

/** What `tables-and-compounds/questions.yaml` holds: 50 questions about rows of tables, and 25 of each other kind. */
interface Questions {
  readonly tables: readonly {
    readonly file: string;
    readonly title: string;
    /** `{row}` stands for the first cell of a row. */
    readonly question: string;
    readonly answerColumn: number;
    /** The first one names the columns. */
    readonly rows: readonly (readonly string[])[];
  }[];
  readonly hyphenated: readonly Word[];
  readonly compounds: readonly Word[];
}

/** A word as a document writes it, and as somebody asks for it. */
interface Word {
  readonly written: string;
  readonly asked: string;
}

/** Shares, 0 to 1. */
export interface TableQuality {
  readonly questions: number;
  /** Questions about a row whose first document has the row and its answer in one line, below the names of the columns. */
  readonly tables: number;
  /** Questions that find their document first. */
  readonly hyphenated: number;
  readonly compounds: number;
}

/** Writes the documents into a folder, and asks it everything by words alone. */
export async function askTables(folder: string): Promise<TableQuality> {
  const text = readFileSync(join(import.meta.dirname, 'tables-and-compounds', 'questions.yaml'), 'utf8');
  const questions = parse(text) as Questions; // our own file
  write(folder, questions);
  const entry = { name: 'tables', path: folder, requiredRoles: [], trusted: false };
  const settings = { ...entry, refreshMs: 3_600_000, timeoutMs: 3_000 };
  const [source] = openFilesSources([settings], { folder: undefined, log: recordingLogger() });
  if (source === undefined) throw new Error('there is no source');
  source.start();
  while (source.state.phase === 'indexing') await sleep(5);
  const tables: boolean[] = [];
  for (const { question, rows, answerColumn } of questions.tables) {
    const [header = [], ...others] = rows;
    for (const row of others) {
      const found = await first(source, question.replace('{row}', row[0] ?? ''));
      const line = found?.content.split('\n').find((one) => one.includes(row[0] ?? ''));
      tables.push(
        line?.includes(row[answerColumn] ?? '') === true && header.every((name) => found?.content.includes(name)),
      );
    }
  }
  const words = async (all: readonly Word[]): Promise<readonly boolean[]> => {
    const found: boolean[] = [];
    for (const { written, asked } of all) {
      found.push((await first(source, questionOf(asked)))?.content.includes(written) === true);
    }
    return found;
  };
  const [hyphenated, compounds] = [await words(questions.hyphenated), await words(questions.compounds)];
  await source.close();
  return {
    questions: tables.length + hyphenated.length + compounds.length,
    tables: shareOf(tables),
    hyphenated: shareOf(hyphenated),
    compounds: shareOf(compounds),
  };
}

/** The first document that reaches the threshold, as in the answers to messages. */
async function first(source: FilesSource, query: string): Promise<{ readonly content: string } | undefined> {
  const request = { query, maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null };
  const { documents, defaultMinScore = 0 } = await source.search(request, AbortSignal.timeout(3_000));
  return documents.find(({ score }) => score >= defaultMinScore);
}

function questionOf(word: string): string {
  return /^\p{Lu}/u.test(word) ? `Was gilt für ${word}?` : `What is there to know about the ${word}?`;
}

function write(folder: string, { tables, hyphenated, compounds }: Questions): void {
  mkdirSync(folder, { recursive: true });
  for (const { file, title, rows } of tables) writeFileSync(join(folder, file), tableOf(file, title, rows));
  for (const [index, { written }] of hyphenated.entries()) {
    const text = `The ${written} is described here. Ask at the desk of your floor when something is not clear to you.`;
    writeFileSync(join(folder, `h${String(index)}.md`), text);
  }
  for (const [index, { written }] of compounds.entries()) {
    const text = `${written}: Hier steht, was dazu gilt. Wer noch Fragen hat, wendet sich an die Leitung der Abteilung.`;
    writeFileSync(join(folder, `c${String(index)}.md`), text);
  }
}

function tableOf(file: string, title: string, rows: readonly (readonly string[])[]): string {
  if (file.endsWith('.csv')) return `${title}\n\n${rows.map((row) => row.join(',')).join('\n')}\n`;
  if (file.endsWith('.md')) {
    const [header = [], ...others] = rows.map((row) => row.join(' | '));
    return `# ${title}\n\n${[header, '--- | --- | ---', ...others].join('\n')}\n`;
  }
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td><p>${cell}</p></td>`).join('')}</tr>`);
  return `<h1>${title}</h1><table>${cells.join('')}</table>`;
}

function shareOf(all: readonly boolean[]): number {
  return all.filter(Boolean).length / all.length;
}
