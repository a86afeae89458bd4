/** What one file may cost. A file that needs more is left out. The fault names the limit. */
export const readLimits = {
  bytes: 20 * 1024 * 1024,
  /** Characters of the text that is read from a file. */
  characters: 2_000_000,
  pages: 2_000,
  /** Milliseconds that the processors work for the file. */
  cpuMilliseconds: 15_000,
  /** Milliseconds in all. On a busy machine a file waits for the processors most of the time, and is not to blame for it. */
  milliseconds: 120_000,
  /** Bytes of memory of the process that reads. The code of the process takes about 100 MiB of them. */
  residentBytes: 400 * 1024 * 1024,
  /** Bytes of an Office document or a book when unpacked. */
  unpackedBytes: 50 * 1024 * 1024,
  /** Cells of one table. A cell counts in each row and column that it spans. */
  cells: 500_000,
  /** Mails within a mail, each within another one. */
  nestedMails: 20,
  /** Bytes of front matter, or of one file of facts. */
  factBytes: 64 * 1024,
} as const;

/** Why a file is left out: a password, no text at all, too much to read, or anything else that is wrong with it. */
export type WhyLeftOut = 'locked' | 'empty' | 'costly' | 'damaged';

/** A file is left out. The message is for people, completes a sentence that begins with "it", and holds nothing of the file's content. */
export class LeftOut extends Error {
  readonly why: WhyLeftOut;

  constructor(message: string, { why = 'damaged', ...options }: ErrorOptions & { readonly why?: WhyLeftOut } = {}) {
    super(message, options);
    this.why = why;
  }
}
