import { hasMembers, type Members } from '../../shared/members.ts';
import type { OpenapiLimits } from '../openapi-limits.ts';
import type { DocumentDoor } from './document-door.ts';
import { DocumentFault } from './document-fault.ts';
import { parseDocument } from './parse-document.ts';

/** A part of a document, and the address of the document that it stands in. */
export interface Part {
  readonly value: unknown;
  readonly document: URL;
  /** The references that have led here. */
  readonly through: readonly string[];
}

/** The most references in a row from one part to another. */
const mostHops = 20;

/** A document and those that it refers to. A document is read when a reference first leads to it (contract/openapi.md#documents). */
export class DocumentSet {
  readonly #door: Pick<DocumentDoor, 'first' | 'read'>;
  readonly #limits: Pick<OpenapiLimits, 'documentBytes' | 'documents'>;
  readonly #known = new Map<string, Members>();
  #bytes = 0;

  constructor(door: Pick<DocumentDoor, 'first' | 'read'>, limits: Pick<OpenapiLimits, 'documentBytes' | 'documents'>) {
    this.#door = door;
    this.#limits = limits;
  }

  /** @throws DocumentFault where it cannot be read. */
  async first(): Promise<{ readonly content: Members; readonly document: URL }> {
    return { content: await this.#load(this.#door.first), document: this.#door.first };
  }

  /**
   * Follows references until a part is none.
   * @throws DocumentFault where a reference leads nowhere, in a circle, or where nothing may be read.
   */
  async resolve(part: Part): Promise<Part> {
    let current = part;
    for (let hop = 0; hop <= mostHops; hop += 1) {
      const reference = hasMembers(current.value) ? current.value['$ref'] : undefined;
      if (typeof reference !== 'string') return current;
      current = await this.#follow(reference, current);
    }
    throw new DocumentFault('has a reference that leads in a circle');
  }

  async #follow(reference: string, { document, through }: Part): Promise<Part> {
    const shown = reference.slice(0, 200);
    if (!URL.canParse(reference, document.href)) throw new DocumentFault(`has the reference ${shown}, which is none`);
    const target = new URL(reference, document.href);
    const pointer = target.hash.slice(1);
    target.hash = '';
    const content = await this.#load(target).catch((error: unknown) => {
      if (!(error instanceof DocumentFault)) throw error;
      throw new DocumentFault(`has the reference ${shown}, which ${error.message}`, { cause: error });
    });
    const value = partAt(content, pointer);
    if (value === undefined) throw new DocumentFault(`has the reference ${shown}, which leads nowhere`);
    return { value, document: target, through: [...through, `${target.href}#${pointer}`] };
  }

  async #load(address: URL): Promise<Members> {
    const known = this.#known.get(address.href);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#limits.documents) throw new DocumentFault('is one document too many');
    const text = await this.#door.read(address, this.#limits.documentBytes - this.#bytes);
    this.#bytes += Buffer.byteLength(text);
    const content = parseDocument(text);
    this.#known.set(address.href, content);
    return content;
  }
}

/** The part of a document that a JSON pointer names. Only members that the document has itself are found. */
function partAt(content: Members, pointer: string): unknown {
  if (pointer === '') return content;
  if (!pointer.startsWith('/')) return undefined;
  let part: unknown = content;
  for (const step of pointer.slice(1).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Members)[name]; // a list has its items under their numbers
  }
  return part;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
