import { listOf, objectOf } from '../json-values.ts';

export type SchemaMembers = Readonly<Record<string, unknown>>;

/** The schemas that a value refers to, and how often. */
export interface SchemaSource {
  /** A schema with what its `$ref` leads to in the place of it. `seen` are the references that have led here. */
  resolved(schema: unknown, seen: readonly string[]): ResolvedSchema;
}

interface ResolvedSchema {
  readonly schema: SchemaMembers;
  readonly seen: readonly string[];
}

/** Schemas that references may add to those of a tool: so many for each schema of its own, and so many more. */
const [mostAdded, mostAddedAnyway] = [3, 200];

/**
 * Puts what references lead to in their place. A schema that refers to itself is open where it would begin again, and so is what a schema
 * refers to that grows too large.
 */
export class ResolvedSchemas implements SchemaSource {
  readonly #root: SchemaMembers;
  #left: number;

  constructor(root: SchemaMembers) {
    this.#root = root;
    this.#left = mostAddedAnyway + mostAdded * countSchemas(root);
  }

  resolved(given: unknown, before: readonly string[]): ResolvedSchema {
    let schema = schemaOf(given);
    let seen = before;
    for (;;) {
      const { $ref, $dynamicRef, ...beside } = schema;
      const reference = $ref ?? $dynamicRef;
      if (reference === undefined) return { schema, seen };
      const found = typeof reference === 'string' ? objectOf(this.#find(reference)) : undefined;
      if (found === undefined || typeof reference !== 'string') return { schema: beside, seen };
      this.#left -= countSchemas(found);
      if (seen.includes(reference) || this.#left < 0) return { schema: { ...openForm(found), ...beside }, seen };
      seen = [...seen, reference];
      schema = { ...found, ...beside };
    }
  }

  #find(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    let found: unknown = this.#root;
    for (const step of reference.slice(1).split('/').slice(1)) {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? Reflect.get(found, name)
          : undefined;
    }
    return found;
  }
}

/** A schema as an object. A boolean, and what is no schema, allows everything here: the check of the call knows better. */
export function schemaOf(value: unknown): SchemaMembers {
  return objectOf(value) ?? {};
}

/** What is left of a schema that is not shown whole. */
function openForm({ type, description, title }: SchemaMembers): SchemaMembers {
  return {
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Roughly how many schemas a value holds: its objects. */
function countSchemas(value: unknown): number {
  const left: unknown[] = [value];
  let count = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) count += 1;
    for (const child of Array.isArray(next) ? listOf(next) : Object.values(next)) left.push(child);
  }
  return count;
}
