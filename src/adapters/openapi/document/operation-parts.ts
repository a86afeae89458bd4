import { hasMembers, type Members } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';

/** The methods of OpenAPI whose operations are imported. */
export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
export type Method = (typeof methods)[number];

/** An operation where the document declares it. */
export interface DeclaredOperation {
  /** Undefined where it has none. Nothing can name such an operation. */
  readonly id: string | undefined;
  readonly method: Method;
  readonly path: string;
  /** The operation. */
  readonly part: Part;
  /** The path with what holds for all of its operations. */
  readonly item: Part;
}

/** The place of an operation, for messages. */
export function placeOf({ method, path }: Pick<DeclaredOperation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.slice(0, 200)}`;
}

/**
 * Every operation of a document, in its order.
 * @throws DocumentFault where the document has no paths.
 */
export async function declaredOperations(
  documents: DocumentSet,
  { content, document }: { readonly content: Members; readonly document: URL },
): Promise<readonly DeclaredOperation[]> {
  const { paths = {} } = content;
  if (!hasMembers(paths)) throw new DocumentFault('has no paths');
  const found: DeclaredOperation[] = [];
  for (const [path, value] of Object.entries(paths)) {
    if (!path.startsWith('/')) continue;
    // A path that cannot be read harms the others no more than one that is not there.
    const item = await documents.resolve({ value, document, through: [] }).catch(() => undefined);
    if (item === undefined || !hasMembers(item.value)) continue;
    for (const method of methods) {
      const declared = Object.hasOwn(item.value, method) ? item.value[method] : undefined;
      if (!hasMembers(declared)) continue;
      const id = declared['operationId'];
      const named = typeof id === 'string' && id !== '' ? id : undefined;
      found.push({ id: named, method, path, part: { ...item, value: declared }, item });
    }
  }
  return found;
}
