import { globPredicate, matchesGlob } from '../../../core/base/glob.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { OpenapiLimits } from '../openapi-limits.ts';
import { DocumentDoor } from './document-door.ts';
import { DocumentFault } from './document-fault.ts';
import { DocumentSet } from './document-set.ts';
import type { ReadDocument, RefusedOperation } from './imported-operation.ts';
import { BreachFinder } from './openapi-breach.ts';
import { type DeclaredOperation, declaredOperations, placeOf } from './operation-parts.ts';
import { type OperationRead, type OperationReading, readOperation } from './read-operation.ts';
import { textIn } from './schema-keywords.ts';
import { toolNameOf } from './tool-name-of.ts';

/** What is to be read of which document. It holds only JSON. */
export interface ReadOrder {
  readonly document: string;
  /** Headers for the document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Globs of the operation ids that are read. */
  readonly operations: readonly string[];
  /** Operation ids that must be in the document. */
  readonly named: readonly string[];
  /** Headers that the configuration sets on calls. */
  readonly configuredHeaders: readonly string[];
  readonly limits: OpenapiLimits;
}

type Named = DeclaredOperation & { readonly id: string };

/** Most of what is listed of a kind. Nobody reads longer lists. */
const mostListed = 200;

/**
 * Reads the operations that an order names. An operation that cannot be imported harms no other (contract/openapi.md#operations).
 * @throws DocumentFault where the document as a whole cannot be used.
 */
export async function readDocument(order: ReadOrder, signal: AbortSignal): Promise<ReadDocument> {
  const { document, headers, limits } = order;
  const door = new DocumentDoor({ document, headers, fetchMs: limits.fetchMs, signal });
  try {
    return await readThrough(new DocumentSet(door, limits), order);
  } finally {
    await door.close();
  }
}

async function readThrough(documents: DocumentSet, order: ReadOrder): Promise<ReadDocument> {
  const { limits, operations: globs } = order;
  const first = await documents.first();
  const version = versionOf(first.content);
  const declared = await declaredOperations(documents, first);
  const named = declared.filter((operation): operation is Named => operation.id !== undefined);
  const isWanted = globPredicate(globs);
  const wanted = named.filter(({ id }) => id.length <= limits.idLength && isWanted(id));
  const ids = new Set(named.map(({ id }) => id));
  const { read, refused } = await readWanted(wanted.slice(0, limits.operations), {
    documents,
    limits,
    configuredHeaders: new Set(order.configuredHeaders.map((name) => name.toLowerCase())),
  });
  const info = hasMembers(first.content['info']) ? first.content['info'] : {};
  return {
    version,
    title: textIn(info['title'], limits.titleLength),
    servers: serversOf(first.content),
    keyHeaders: keyHeadersOf(first.content),
    operations: read.map(({ operation }) => operation),
    refused,
    breaches: await breachesOf(version, read),
    unnamed: declared
      .filter(({ id }) => id === undefined)
      .slice(0, mostListed)
      .map(placeOf),
    unknown: order.named.filter((id) => !ids.has(id)),
    unmatched: globs.filter((glob) => !wanted.some(({ id }) => matchesGlob(glob, id))),
    matched: wanted.length,
  };
}

async function readWanted(
  wanted: readonly Named[],
  reading: OperationReading,
): Promise<{ readonly read: readonly OperationRead[]; readonly refused: readonly RefusedOperation[] }> {
  const read: OperationRead[] = [];
  const refused: RefusedOperation[] = [];
  for (const declared of wanted) {
    const twin = wanted.find((other) => other !== declared && toolNameOf(other.id) === toolNameOf(declared.id));
    try {
      if (twin !== undefined)
        throw new DocumentFault(`would have the same tool name as ${twin.id} (${placeOf(twin)}); name one of the two`);
      read.push(await readOperation(declared, reading));
    } catch (error) {
      if (!(error instanceof DocumentFault || error instanceof RangeError)) throw error;
      // An engine that runs out of stack says so with a RangeError.
      const reason = error instanceof DocumentFault ? error.message : 'is nested too deep';
      refused.push({ id: declared.id, place: placeOf(declared), reason });
    }
  }
  return { read, refused };
}

/** OpenAPI 3.0 and 3.1 are read. */
function versionOf(content: Members): string {
  const { openapi, swagger } = content;
  if (swagger !== undefined) throw new DocumentFault(`is a document of Swagger; convert it to OpenAPI 3.0 or 3.1`);
  if (typeof openapi !== 'string') throw new DocumentFault('has no openapi: 3.x, so it is no OpenAPI document');
  if (!/^3\.[01]\.\d{1,3}(-[a-z0-9.]{1,20})?$/i.test(openapi))
    throw new DocumentFault(`is OpenAPI ${openapi.slice(0, 20)}; 3.0 and 3.1 are read`);
  return openapi;
}

function serversOf({ servers }: Members): readonly string[] {
  if (!Array.isArray(servers)) return [];
  return servers
    .slice(0, 10)
    .flatMap((server: unknown) => (hasMembers(server) ? [textIn(server['url'], 500)] : []))
    .filter((url) => url !== '');
}

/** The headers of `securitySchemes` that stand in the document itself. */
function keyHeadersOf({ components }: Members): readonly string[] {
  const schemes = hasMembers(components) ? components['securitySchemes'] : undefined;
  if (!hasMembers(schemes)) return [];
  const names = Object.values(schemes).map((scheme) => {
    if (!hasMembers(scheme)) return '';
    if (scheme['type'] === 'apiKey') return scheme['in'] === 'header' ? textIn(scheme['name'], 100) : '';
    return ['http', 'oauth2', 'openIdConnect'].includes(String(scheme['type'])) ? 'Authorization' : '';
  });
  return [...new Set(names)].filter((name) => /^[A-Za-z0-9_-]+$/.test(name)).slice(0, 5);
}

async function breachesOf(version: string, read: readonly OperationRead[]): Promise<readonly string[]> {
  const finder = new BreachFinder(version);
  const found: string[] = [];
  for (const one of read) {
    const breach = await finder.find(one);
    if (breach !== undefined) found.push(breach);
  }
  return found;
}
