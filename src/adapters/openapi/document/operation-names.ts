import { createHash } from 'node:crypto';
import { isReservedName, toolNameFault } from '../../../core/tools/tool-name.ts';
import { DocumentFault } from './document-fault.ts';
import { type DeclaredOperation, placeOf } from './operation-parts.ts';
import { placeNameOf, toolNameOf } from './tool-name-of.ts';

const longestName = 64;
/** Hexadecimal digits that tell apart what would have the same name, or what was cut. */
const digits = 8;

/**
 * The tool names of all operations of a document (contract/openapi.md#operations). They depend on the document and on what the configuration
 * says, and not on which operations are imported. `said`: names by operation.
 * @throws DocumentFault where a name that is said cannot be given.
 */
export function operationNames(
  declared: readonly DeclaredOperation[],
  said: ReadonlyMap<DeclaredOperation, string>,
): ReadonlyMap<DeclaredOperation, string> {
  const names = new Map<DeclaredOperation, string>();
  const used = new Set<string>();
  const give = (operation: DeclaredOperation, name: string): void => {
    names.set(operation, name);
    used.add(name);
  };
  for (const [operation, name] of said) {
    const fault = used.has(name) ? 'is said twice' : toolNameFault(name);
    if (fault !== undefined) throw new DocumentFault(`cannot name ${operation.id} ${name}: the name ${fault}`);
    give(operation, name);
  }
  for (const nameOf of [nameFromId, nameFromPlace]) {
    const left = declared.filter((operation) => !names.has(operation));
    for (const [name, wanting] of grouped(left, nameOf)) {
      const owner = ownerOf(name, wanting);
      if (name !== '' && owner !== undefined && !used.has(name)) give(owner, name);
    }
  }
  for (const operation of declared) {
    if (names.has(operation)) continue;
    const base = nameFromId(operation) || nameFromPlace(operation);
    give(operation, numbered(base, `${operation.method} ${operation.path}`, used));
  }
  return names;
}

/** Of several that want a name, the one has it whose id is that name. */
function ownerOf(name: string, wanting: readonly DeclaredOperation[]): DeclaredOperation | undefined {
  if (wanting.length === 1) return wanting[0];
  const [exact, another] = wanting.filter(({ id }) => id === name);
  return another === undefined ? exact : undefined;
}

function nameFromId({ id, hasId }: DeclaredOperation): string {
  return hasId ? fitting(toolNameOf(id), id) : '';
}

function nameFromPlace(operation: DeclaredOperation): string {
  return fitting(placeNameOf(operation.method, operation.path), placeOf(operation));
}

/** A name that a tool may have. `source`: what the name was made of. */
function fitting(name: string, source: string): string {
  if (name === '') return '';
  const allowed = /^[a-z]/.test(name) && !isReservedName(name) ? name : `op_${name}`;
  return allowed.length > longestName ? withDigest(allowed, source, digits) : allowed;
}

function numbered(base: string, source: string, used: ReadonlySet<string>): string {
  for (let length = digits; ; length += digits) {
    const name = withDigest(base, source, length);
    if (!used.has(name)) return name;
  }
}

function withDigest(name: string, source: string, length: number): string {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, length);
  const cut = name.slice(0, longestName - digest.length - 1);
  return `${cut.endsWith('_') ? cut.slice(0, -1) : cut}_${digest}`;
}

function grouped(
  operations: readonly DeclaredOperation[],
  nameOf: (operation: DeclaredOperation) => string,
): ReadonlyMap<string, readonly DeclaredOperation[]> {
  const groups = new Map<string, DeclaredOperation[]>();
  for (const operation of operations) {
    const name = nameOf(operation);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [operation]);
    else group.push(operation);
  }
  return groups;
}
