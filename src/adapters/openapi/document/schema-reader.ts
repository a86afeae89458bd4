import { hasMembers, type Members } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';
import { plainKeywords, textIn } from './schema-keywords.ts';

/** What is looked at of the schemas of one operation. */
export interface SchemaRoom {
  readonly levels: number;
  readonly parts: number;
}

/** The schemas of one operation need more room than there is. With fewer levels they may fit. */
export class SchemaTooLarge extends DocumentFault {}

/**
 * Reads the schemas of one operation. Every reference is replaced by what it leads to, and what lies deeper than the room, or would be the
 * same again, is left open. What is read allows at least what the document allows, because the API checks by itself.
 */
export class SchemaReader {
  readonly #documents: DocumentSet;
  readonly #levels: number;
  #partsLeft: number;

  constructor(documents: DocumentSet, { levels, parts }: SchemaRoom) {
    this.#documents = documents;
    this.#levels = levels;
    this.#partsLeft = parts;
  }

  /** @throws DocumentFault where a reference cannot be followed. @throws SchemaTooLarge where there are too many parts. */
  read(part: Part): Promise<Members> {
    return this.#read(part, 0);
  }

  async #read(part: Part, level: number): Promise<Members> {
    this.#partsLeft -= 1;
    if (this.#partsLeft < 0) throw new SchemaTooLarge('has parameters whose schemas have too many parts');
    if (part.value === false) return { not: {} };
    if (!hasMembers(part.value)) return {};
    const described = textIn(part.value['description'], 500);
    const own = described === '' ? {} : { description: described };
    if (level > this.#levels) return own;
    const found = await this.#documents.resolve(part);
    const isAgain = new Set(found.through).size < found.through.length;
    if (!hasMembers(found.value)) return own;
    if (isAgain) return { ...plainKeywords(found.value), ...own };
    return { ...plainKeywords(found.value), ...(await this.#inner(found.value, found, level + 1)), ...own };
  }

  /** The keywords that hold schemas. */
  async #inner(schema: Members, part: Part, level: number): Promise<Members> {
    const at = (value: unknown): Part => ({ ...part, value });
    const keywords = new Map<string, unknown>();
    const { properties, required } = await this.#properties(schema, at, level);
    if (properties !== undefined) keywords.set('properties', properties);
    if (required.length > 0) keywords.set('required', required);
    const others = schema['additionalProperties'];
    // Without the patterns, names that the patterns allow would be refused.
    if (schema['patternProperties'] === undefined && others !== undefined)
      keywords.set('additionalProperties', typeof others === 'boolean' ? others : await this.#read(at(others), level));
    if (hasMembers(schema['items'])) keywords.set('items', await this.#read(at(schema['items']), level));
    // A schema that is left open fits beside another. So one that fits is enough, even where the document wants exactly one.
    for (const [key, shown] of [
      ['prefixItems', 'prefixItems'],
      ['allOf', 'allOf'],
      ['anyOf', 'anyOf'],
      ['oneOf', schema['anyOf'] === undefined ? 'anyOf' : ''],
    ] as const) {
      const schemas = schema[key];
      if (!Array.isArray(schemas) || schemas.length === 0 || shown === '') continue;
      const read: Members[] = [];
      for (const value of schemas) read.push(await this.#read(at(value), level));
      keywords.set(shown, read);
    }
    return Object.fromEntries(keywords);
  }

  /** What an API only answers with is not asked for. */
  async #properties(
    schema: Members,
    at: (value: unknown) => Part,
    level: number,
  ): Promise<{ readonly properties: Members | undefined; readonly required: readonly string[] }> {
    const { properties } = schema;
    if (!hasMembers(properties)) return { properties: undefined, required: namesIn(schema['required']) };
    const kept = new Map<string, Members>();
    const hidden = new Set<string>();
    for (const [name, value] of Object.entries(properties)) {
      if (name === '__proto__') continue;
      if (await isOnlyRead(this.#documents, at(value))) hidden.add(name);
      else kept.set(name, await this.#read(at(value), level));
    }
    const required = namesIn(schema['required']).filter((name) => !hidden.has(name));
    return { properties: Object.fromEntries(kept), required };
  }
}

/** Whether a schema describes what an API only answers with. */
export async function isOnlyRead(documents: DocumentSet, part: Part): Promise<boolean> {
  if (hasMembers(part.value) && part.value['readOnly'] === true) return true;
  const { value } = await documents.resolve(part);
  return hasMembers(value) && value['readOnly'] === true;
}

/** The names in a list such as `required`. */
export function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((name): name is string => typeof name === 'string' && name !== '__proto__').slice(0, 200);
}
