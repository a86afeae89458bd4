import { hasMembers, type Members } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';

/** The methods of OpenAPI whose operations are imported. */
export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
export type Method = (typeof methods)[number];

const allMethods = [...methods, 'trace'] as const;

/** An operation where the document declares it. */
export interface DeclaredOperation {
  /** The `operationId`. The method and the path where there is none. */
  readonly id: string;
  /** Whether the document gives the id. */
  readonly hasId: boolean;
  readonly method: Method;
  readonly path: string;
  /** The operation. */
  readonly part: Part;
  /** The path with what holds for all of its operations. */
  readonly item: Part;
}

/** An operation that cannot be read. */
export interface LostOperation {
  /** The method and the path, or the path alone. */
  readonly id: string;
  readonly reason: string;
}

/** The operations of a document, in its order. */
export interface DeclaredOperations {
  readonly declared: readonly DeclaredOperation[];
  readonly lost: readonly LostOperation[];
}

/** The place of an operation, for messages. */
export function placeOf({ method, path }: Pick<DeclaredOperation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.slice(0, 200)}`;
}

/** The method and the path, by which a configuration names an operation. */
export function placeNamed({ method, path }: Pick<DeclaredOperation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

interface ReadingOperations {
  readonly documents: DocumentSet;
  readonly document: URL;
  /** Longest id. */
  readonly idLength: number;
}

/**
 * Every operation of a document.
 * @throws DocumentFault where the document has no paths.
 */
export async function declaredOperations(content: Members, reading: ReadingOperations): Promise<DeclaredOperations> {
  const { paths = {} } = content;
  if (!hasMembers(paths)) throw new DocumentFault('has no paths');
  const declared: DeclaredOperation[] = [];
  const lost: LostOperation[] = [];
  for (const [path, value] of Object.entries(paths)) {
    if (!path.startsWith('/')) continue;
    // A path or an operation that cannot be read harms no other.
    const given = { value, document: reading.document, through: [] };
    const item = isReference(value) ? await resolved(reading, given) : given;
    if (typeof item === 'string') {
      lost.push({ id: path.slice(0, reading.idLength), reason: item });
      continue;
    }
    if (!hasMembers(item.value)) continue;
    for (const method of allMethods) {
      // Awaited only where there is one: a document may have many thousands of paths.
      const operation = Object.hasOwn(item.value, method) ? item.value[method] : undefined;
      if (!hasMembers(operation)) continue;
      const found = await operationAt({ item, method, path, operation }, reading);
      if ('reason' in found) lost.push(found);
      else declared.push(found);
    }
  }
  return { declared, lost };
}

interface FoundOperation {
  readonly item: Part;
  readonly method: (typeof allMethods)[number];
  readonly path: string;
  readonly operation: Members;
}

async function operationAt(
  { item, method, path, operation }: FoundOperation,
  reading: ReadingOperations,
): Promise<DeclaredOperation | LostOperation> {
  const place = `${method.toUpperCase()} ${path}`;
  const lost = (reason: string): LostOperation => ({ id: place.slice(0, reading.idLength), reason });
  if (method === 'trace') return lost('has the method TRACE, which is not sent');
  if (place.length > reading.idLength) return lost('has a path that is too long');
  const given = { ...item, value: operation };
  const part = isReference(operation) ? await resolved(reading, given) : given;
  if (typeof part === 'string') return lost(part);
  const id = hasMembers(part.value) ? part.value['operationId'] : undefined;
  const hasId = typeof id === 'string' && id !== '' && id.length <= reading.idLength;
  return { id: hasId ? id : place, hasId, method, path, part, item };
}

function isReference(value: unknown): boolean {
  return hasMembers(value) && typeof value['$ref'] === 'string';
}

/** What a part leads to, or why it leads nowhere. */
async function resolved({ documents }: ReadingOperations, part: Part): Promise<Part | string> {
  try {
    const found = await documents.resolve(part);
    return hasMembers(found.value) ? found : 'holds no members';
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return error.message;
  }
}
