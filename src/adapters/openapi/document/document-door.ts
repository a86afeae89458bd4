import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from 'undici';
import { Outbound } from '../../shared/network/outbound.ts';
import { DocumentFault } from './document-fault.ts';

/** The way to a document, and to those that it refers to. */
export interface DocumentDoorOptions {
  /** The absolute path of a file, or an http or https address. */
  readonly document: string;
  /** Headers for the document. Empty for a file. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until a document at an address must be there. */
  readonly fetchMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads documents as text: files in the folder of the first document, or addresses of its origin, and nothing else
 * (contract/openapi.md#documents). Links out of the folder and redirects are not followed.
 */
export class DocumentDoor {
  readonly first: URL;
  readonly #options: DocumentDoorOptions;
  readonly #outbound = new Outbound();
  #folder: string | undefined;

  constructor(options: DocumentDoorOptions) {
    this.#options = options;
    const isAddress = /^https?:\/\//i.test(options.document);
    this.first = isAddress ? new URL(options.document) : pathToFileURL(options.document);
  }

  /**
   * The text of a document of at most `mostBytes`.
   * @throws DocumentFault where it may not be read, cannot be read or is larger.
   */
  async read(address: URL, mostBytes: number): Promise<string> {
    if (address.protocol !== this.first.protocol) throw new DocumentFault('is not where the document comes from');
    if (address.protocol === 'file:') return this.#file(address, mostBytes);
    if (address.origin !== this.first.origin) throw new DocumentFault('is of another origin than the document');
    return this.#fetch(address, mostBytes);
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#outbound.close();
  }

  async #file(address: URL, mostBytes: number): Promise<string> {
    this.#folder ??= await realpath(dirname(fileURLToPath(this.first))).catch(refusing);
    // Only the real path tells where a link leads.
    const path = await realpath(fileURLToPath(address)).catch(refusing);
    const isFirst = address.href === this.first.href;
    if (!isFirst && !path.startsWith(`${this.#folder}${sep}`.replace(`${sep}${sep}`, sep)))
      throw new DocumentFault('is outside the folder of the document');
    // Looked at before it is opened, because opening a pipe waits for a writer.
    const found = await stat(path).catch(refusing);
    if (!found.isFile()) throw new DocumentFault('is no file');
    if (found.size > mostBytes) throw tooLarge();
    return readFile(path, { encoding: 'utf8', signal: this.#options.signal }).catch(refusing);
  }

  async #fetch(address: URL, mostBytes: number): Promise<string> {
    const { headers, fetchMs } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(fetchMs)]);
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(address, {
      dispatcher: this.#outbound.dispatcher,
      headers: { accept: 'application/json, application/yaml, */*;q=0.5', 'accept-encoding': 'identity', ...headers },
      signal,
    }).catch(refusing);
    const encoding = answered['content-encoding'];
    const fault =
      statusCode >= 300 && statusCode < 400
        ? 'was answered with a redirect, which is not followed'
        : statusCode !== 200
          ? `was answered with status ${String(statusCode)}`
          : encoding !== undefined && encoding !== 'identity'
            ? 'was sent compressed, which was not asked for'
            : undefined;
    if (fault !== undefined) {
      // An answer that nobody reads breaks its stream.
      body.on('error', () => undefined).destroy();
      throw new DocumentFault(fault);
    }
    return readBody(body, mostBytes).catch(refusing);
  }
}

async function readBody(body: AsyncIterable<unknown>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue; // undici gives bytes where no encoding is set
    length += chunk.byteLength;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): DocumentFault {
  return new DocumentFault('is larger than 16 MiB, with what it refers to');
}

/** The path is left out: a document chooses the files that it names, and must not learn which of them exist. */
function refusing(error: unknown): never {
  if (error instanceof DocumentFault) throw error;
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new DocumentFault('did not come in time', { cause: error });
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  throw new DocumentFault(`cannot be read (${reason})`, { cause: error });
}
