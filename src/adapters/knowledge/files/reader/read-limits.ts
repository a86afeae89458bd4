/** What one file may cost. A file that needs more is left out, and named with the limit. */
export const readLimits = {
  bytes: 20 * 1024 * 1024,
  /** Of text, after everything else was taken away. */
  characters: 2_000_000,
  pages: 2_000,
  milliseconds: 15_000,
  /** Of the process that reads; its own code takes about 100 MiB of them. */
  residentBytes: 400 * 1024 * 1024,
  /** Of a Word document, unpacked. */
  unpackedBytes: 50 * 1024 * 1024,
  /** Of front matter, or of a file of facts. */
  factBytes: 64 * 1024,
} as const;

/** A file that is left out. The message completes "it …", for people, without anything of its content. */
export class LeftOut extends Error {}
