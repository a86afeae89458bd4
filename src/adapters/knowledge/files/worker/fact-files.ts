import { basename, dirname, extname } from 'node:path';

const ending = /\.meta\.ya?ml$/i;

/** Whether a file holds facts: `NAME.meta.yaml` beside a document, or `.meta.yaml` for a whole folder. */
export function isFactFile(name: string): boolean {
  return ending.test(name);
}

/** The files of facts in a folder, and which documents they are about. */
export class FactFiles {
  /** The files by their subject: a folder with a slash behind it, or a document with or without its ending. */
  readonly #bySubject = new Map<string, string[]>();
  readonly #used = new Set<string>();
  /** The subjects by their folded form, in which letter case and compatibility forms of characters do not differ. */
  readonly #folded = new Map<string, Set<string>>();

  add(path: string): void {
    const name = basename(path).replace(ending, '');
    const subject = `${folderOf(path)}${name}`;
    this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), path].sort());
    if (name === '') return;
    const folded = foldedOf(subject);
    this.#folded.set(folded, (this.#folded.get(folded) ?? new Set()).add(subject));
  }

  /** Whether a file of facts has nearly, but not exactly, the name for this document. That file may be about the document. */
  isMissedBy(document: string): boolean {
    return [bareOf(document), document].some((subject) => {
      const near = this.#folded.get(foldedOf(subject)) ?? new Set();
      return [...near].some((one) => one !== subject && folderOf(one) === folderOf(subject));
    });
  }

  /** All files that say something about a document: the files of its folders first, from the outermost folder on. */
  about(document: string): readonly string[] {
    const folders = document.split('/').slice(0, -1);
    const outer = ['', ...folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/`)];
    const found = [...outer, bareOf(document), document].flatMap((subject) => this.#bySubject.get(subject) ?? []);
    for (const file of found) this.#used.add(file);
    return found;
  }

  /** The files that `about` never returned. Probably somebody has misspelt a name, and a document is without its facts. */
  unused(): readonly string[] {
    const all = [...this.#bySubject.values()].flat();
    return all.filter((file) => !this.#used.has(file) && basename(file).replace(ending, '') !== '');
  }
}

function bareOf(document: string): string {
  return `${folderOf(document)}${basename(document, extname(document))}`;
}

function foldedOf(subject: string): string {
  return subject.normalize('NFKC').toLowerCase();
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : `${folder}/`;
}
