import { globPredicate } from '../../../core/base/glob.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { OpenapiLimits } from '../openapi-limits.ts';
import { DocumentDoor } from './document-door.ts';
import { DocumentFault } from './document-fault.ts';
import { DocumentSet } from './document-set.ts';
import type { ReadDocument, RefusedOperation } from './imported-operation.ts';
import { BreachFinder } from './openapi-breach.ts';
import { operationNames } from './operation-names.ts';
import {
  type DeclaredOperation,
  declaredOperations,
  type LostOperation,
  placeNamed,
  placeOf,
} from './operation-parts.ts';
import { type OperationRead, type OperationReading, readOperation } from './read-operation.ts';
import { textIn } from './schema-keywords.ts';
import { fromSwagger, serversOfSwagger } from './swagger-operation.ts';

/** What is to be read of which document. It holds only JSON. */
export interface ReadOrder {
  readonly document: string;
  /** Headers for the document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Globs of the operations that are read: of their ids, or of their methods and paths. */
  readonly operations: readonly string[];
  /** Operations that must be in the document, by id or by method and path. */
  readonly named: readonly string[];
  /** The tool names of some of them. Left out, the document names all. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** Headers that the configuration sets on calls. */
  readonly configuredHeaders: readonly string[];
  /** Whether the operations are checked against OpenAPI. Left out, they are. */
  readonly isChecked?: boolean;
  readonly limits: OpenapiLimits;
}

type Named = DeclaredOperation & { readonly toolName: string };

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
  const { content, document } = await documents.first();
  const version = versionOf(content);
  const isSwagger = content['swagger'] !== undefined;
  const { declared, lost } = await declaredOperations(content, { documents, document, idLength: limits.idLength });
  const { named, unknown } = namedOperations(declared, order);
  const chosen = chosenBy(globs, { declared: named, lost });
  const { read, refused } = await readWanted(chosen.declared.slice(0, limits.operations), {
    documents,
    limits,
    configuredHeaders: new Set(order.configuredHeaders.map((name) => name.toLowerCase())),
    swagger: isSwagger ? content : undefined,
  });
  const info = hasMembers(content['info']) ? content['info'] : {};
  return {
    version,
    title: textIn(info['title'], limits.titleLength),
    servers: isSwagger ? serversOfSwagger(content) : serversOf(content),
    keyHeaders: keyHeadersOf(content),
    operations: read.map(({ operation }) => operation),
    refused: [...refused, ...chosen.lost.map(({ id, reason }) => ({ id, place: id, reason }))],
    breaches: isSwagger || order.isChecked === false ? [] : await breachesOf(version, read),
    total: declared.length + lost.length,
    unknown,
    unmatched: chosen.unmatched,
    matched: chosen.declared.length,
  };
}

/**
 * Every operation with its tool name.
 * @throws DocumentFault where the order names one twice, or gives one name to several.
 */
function namedOperations(
  declared: readonly DeclaredOperation[],
  { named: keys, toolNames = {} }: ReadOrder,
): { readonly named: readonly Named[]; readonly unknown: readonly string[] } {
  const wanted = new Set(keys);
  const byKey = new Map<string, DeclaredOperation[]>();
  for (const operation of declared) {
    const place = placeNamed(operation);
    const own = new Set([operation.id, place].filter((key) => wanted.has(key)));
    if (own.size > 1)
      throw new DocumentFault(`has the operation ${place}, which is named twice, also as ${operation.id}`);
    for (const key of own) {
      const found = byKey.get(key);
      if (found === undefined) byKey.set(key, [operation]);
      else found.push(operation);
    }
  }
  const said = new Map<DeclaredOperation, string>();
  for (const [key, name] of Object.entries(toolNames)) {
    const [first, second] = byKey.get(key) ?? [];
    if (second !== undefined)
      throw new DocumentFault(`has the id ${key} twice, so a name for it must be given by method and path`);
    if (first !== undefined) said.set(first, name);
  }
  const names = operationNames(declared, said);
  return {
    named: declared.map((operation) => ({ ...operation, toolName: names.get(operation) ?? '' })),
    unknown: keys.filter((key) => !byKey.has(key)),
  };
}

/** What the globs name. A glob names an operation by its id, or by its method and path. */
function chosenBy<Operation extends DeclaredOperation>(
  globs: readonly string[],
  { declared, lost }: { readonly declared: readonly Operation[]; readonly lost: readonly LostOperation[] },
): {
  readonly declared: readonly Operation[];
  readonly lost: readonly LostOperation[];
  readonly unmatched: readonly string[];
} {
  const isWanted = globPredicate(globs);
  const isPlaceWanted = globPredicate(globs.filter(isOfPlaces));
  const chosen = declared.filter((one) => isWanted(one.id) || isPlaceWanted(placeNamed(one)));
  const names = new Set(chosen.flatMap((one) => [one.id, placeNamed(one)]));
  const lostOnes = lost.filter(({ id }) => isWanted(id));
  for (const { id } of lostOnes) names.add(id);
  const unmatched = globs.filter((glob) => {
    if (!/[*?]/.test(glob)) return !names.has(glob);
    const isOne = globPredicate([glob]);
    return !chosen.some((one) => isOne(one.id) || (isOfPlaces(glob) && isOne(placeNamed(one))));
  });
  return { declared: chosen, lost: lostOnes, unmatched };
}

/** Whether a glob is about methods and paths, such as `GET /orders*`. Any other one is about ids. */
function isOfPlaces(glob: string): boolean {
  return /^[A-Z*]{1,10} [/*]/.test(glob);
}

interface WantedReading extends OperationReading {
  /** The document, where it is one of Swagger 2.0. */
  readonly swagger: Members | undefined;
}

async function readWanted(
  wanted: readonly Named[],
  reading: WantedReading,
): Promise<{ readonly read: readonly OperationRead[]; readonly refused: readonly RefusedOperation[] }> {
  const { documents, swagger } = reading;
  const read: OperationRead[] = [];
  const refused: RefusedOperation[] = [];
  for (const named of wanted) {
    const { toolName, id } = named;
    try {
      const declared = swagger === undefined ? named : await fromSwagger(documents, swagger, named);
      read.push(await readOperation({ ...declared, toolName }, reading));
    } catch (error) {
      if (!(error instanceof DocumentFault || error instanceof RangeError)) throw error;
      // An engine that runs out of stack says so with a RangeError.
      const reason = error instanceof DocumentFault ? error.message : 'is nested too deep';
      refused.push({ id, place: placeOf(named), reason });
    }
  }
  return { read, refused };
}

/** OpenAPI 3.0 and 3.1 are read, and Swagger 2.0. */
function versionOf(content: Members): string {
  const { openapi, swagger } = content;
  if (swagger !== undefined) {
    if (swagger === '2.0' || swagger === 2) return '2.0';
    throw new DocumentFault(
      `is Swagger ${(typeof swagger === 'string' ? swagger : JSON.stringify(swagger)).slice(0, 20)}; convert it to OpenAPI 3.0 or 3.1`,
    );
  }
  if (typeof openapi !== 'string') throw new DocumentFault('has no openapi: 3.x, so it is no OpenAPI document');
  if (!/^3\.[01]\.\d{1,3}(-[a-z0-9.]{1,20})?$/i.test(openapi))
    throw new DocumentFault(`is OpenAPI ${openapi.slice(0, 20)}; 3.0 and 3.1 are read, and Swagger 2.0`);
  return openapi;
}

function serversOf({ servers }: Members): readonly string[] {
  if (!Array.isArray(servers)) return [];
  return servers
    .slice(0, 10)
    .flatMap((server: unknown) => (hasMembers(server) ? [textIn(server['url'], 500)] : []))
    .filter((url) => url !== '');
}

/** The headers of `securitySchemes` that stand in the document itself. Swagger 2.0 calls them `securityDefinitions`. */
function keyHeadersOf({ components, securityDefinitions }: Members): readonly string[] {
  const schemes = hasMembers(components) ? components['securitySchemes'] : securityDefinitions;
  if (!hasMembers(schemes)) return [];
  const names = Object.values(schemes).map((scheme) => {
    if (!hasMembers(scheme)) return '';
    if (scheme['type'] === 'apiKey') return scheme['in'] === 'header' ? textIn(scheme['name'], 100) : '';
    return ['http', 'basic', 'oauth2', 'openIdConnect'].includes(String(scheme['type'])) ? 'Authorization' : '';
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
