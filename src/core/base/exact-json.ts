/** A part of a value that JSON cannot carry unchanged, or that names what objects inherit. */
export interface InexactPart {
  /** Like `lines[0].amount`; empty for the value itself. */
  readonly path: string;
  readonly words: string;
}

/** Most parts that are reported. A model should not have to read a hundred lines. */
const mostParts = 20;
const longestPath = 200;

/**
 * The parts of a value that would not come out of JSON as they are: what a user is shown, what is stored and what is hashed are JSON, and
 * they would differ from what runs. The value MUST be of bounded depth.
 */
export function inexactParts(value: unknown): readonly InexactPart[] {
  if (isExact(value)) return [];
  const parts: InexactPart[] = [];
  look(value, '', parts);
  return parts;
}

/** Whether there is no such part. Nearly every value has none, and to make the path of each part of it costs most. */
function isExact(value: unknown): boolean {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    for (const item of items) if (!isExact(item)) return false;
    return true;
  }
  if (typeof value !== 'object' || value === null) return faultOf(value) === undefined;
  for (const name of Object.keys(value)) {
    if (name === '__proto__' || !name.isWellFormed()) return false;
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined && !isExact(member)) return false;
  }
  return true;
}

function look(value: unknown, path: string, parts: InexactPart[]): void {
  if (parts.length === mostParts) return;
  const words = typeof value === 'object' && value !== null ? undefined : faultOf(value);
  if (words !== undefined) parts.push({ path, words });
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) look(child, `${path}[${String(index)}]`.slice(0, longestPath), parts);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      if (parts.length === mostParts) return;
      lookAtMember([name, child], path, parts);
    }
  }
}

function lookAtMember([name, child]: readonly [string, unknown], path: string, parts: InexactPart[]): void {
  const shown = name.toWellFormed();
  const at = (path === '' ? shown : `${path}.${shown}`).slice(0, longestPath);
  // An action that copies its arguments carelessly would let this name choose what its objects inherit.
  if (name === '__proto__') parts.push({ path: at, words: 'is not allowed as a name' });
  else if (shown !== name) parts.push({ path: at, words: 'has a name with half a character' });
  // JSON leaves such a member out, and so does whoever reads it.
  else if (child !== undefined) look(child, at, parts);
}

/** What is wrong with a value that is no list and no object. */
function faultOf(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'has half a character';
  if (typeof value !== 'number') return 'is nothing that JSON knows';
  if (!Number.isFinite(value)) return 'is no finite number';
  if (Object.is(value, -0)) return 'must be 0, not -0';
  // The number has been read by now, and may have lost its last digits. It would name another record.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'has too many digits for a number' : undefined;
}
