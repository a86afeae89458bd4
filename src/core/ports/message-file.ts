/** The types of files whose text a message may bring, and their media types. */
export const fileMediaTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/markdown',
  'text/csv',
  'text/plain',
] as const;

export type FileMediaType = (typeof fileMediaTypes)[number];

/** A file that the user sends to be read. Its media type was read from its content, and between kinds of text from its name. */
export interface MessageFile {
  readonly name: string;
  readonly mediaType: FileMediaType;
  /** Base64. */
  readonly data: string;
}

/** Why no text was read: a password, no text at all, too much to read, a damaged file, or a reader that has too much to do. */
export type Unreadable = 'locked' | 'empty' | 'costly' | 'damaged' | 'busy';

/** The text of a file, or why there is none. */
export type FileReading = { readonly text: string } | { readonly unreadable: Unreadable };

/** Reads the files of messages, outside of the process: a file may be made to harm whoever reads it. */
export interface MessageFileReader {
  /**
   * Reads the text that people see in a file. Files of one `caller` wait for each other, and not for all those of another one. Never
   * rejects, but when `signal` aborts: then with its reason.
   */
  read(file: MessageFile, options: { readonly caller: string; readonly signal: AbortSignal }): Promise<FileReading>;
}
