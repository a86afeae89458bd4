import type { FileMediaType } from '../ports/message-file.ts';
import { isBase64 } from '../base/is-base64.ts';

/** Base64 characters of the bytes at the beginning of a file that are looked at. Some writers put up to a kilobyte before a PDF. */
const headCharacters = 2048;

const word: FileMediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const textByEnding: Readonly<Record<string, FileMediaType>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
};

/** A file as its sender describes it. */
interface Sent {
  readonly name?: string;
  readonly contentType: string;
  readonly data: string;
}

/**
 * The type of a file that can be read, by its first bytes. Texts have no such bytes: of them, the name or the sender says what they are.
 * Undefined when it is no file of these types, or when its data is not base64 (contract/files.md).
 */
export function fileType({ name = '', contentType, data }: Sent): FileMediaType | undefined {
  const type = typeOf(Buffer.from(data.slice(0, headCharacters), 'base64'), { name, contentType });
  return type !== undefined && isBase64(data) ? type : undefined;
}

function typeOf(head: Buffer, { name, contentType }: Required<Omit<Sent, 'data'>>): FileMediaType | undefined {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = textByEnding[ending] ?? (said === 'text/markdown' || said === 'text/csv' ? said : undefined);
  // A text may speak of PDFs.
  const at = head.indexOf('%PDF-');
  if (at === 0 || (at > 0 && text === undefined)) return 'application/pdf';
  // Whether it is a Word document, and not some other archive, is seen when it is read.
  if (head.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    return ending === 'docx' || said === word ? word : undefined;
  // Encrypted Word documents, and those from before 2007, are files of this kind. The reader says so.
  if (head.subarray(0, 4).toString('hex') === 'd0cf11e0') return ending === 'docx' || said === word ? word : undefined;
  return text ?? (said.startsWith('text/') && ending === '' ? 'text/plain' : undefined);
}
