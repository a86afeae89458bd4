import { _, type FuncKeywordDefinition, str } from 'ajv';

/** A regular expression that a schema uses for texts or names. */
export interface UsedPattern {
  /** The place in the schema, such as `properties.email`. */
  readonly place: string;
  readonly pattern: string;
  /** The longest text that the pattern is tried on. Undefined: texts may have any length. */
  readonly maxLength: number | undefined;
}

let noted: UsedPattern[] = [];

/**
 * Calls `compile`, and returns its result with the patterns that ajv met in the schema. Ajv compiles synchronously, so no other schema
 * comes between.
 */
export function notePatterns<Value>(compile: () => Value): {
  readonly value: Value;
  readonly patterns: readonly UsedPattern[];
} {
  const patterns: UsedPattern[] = [];
  noted = patterns;
  try {
    return { value: compile(), patterns };
  } finally {
    noted = [];
  }
}

/** Replaces ajv's own `pattern`, which would also be tried on texts that are longer than `maxLength`. */
export const patternKeyword: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  compile: (pattern: string, parent: Readonly<Record<string, unknown>>, { errSchemaPath }) => {
    const maxLength = parent['maxLength'];
    const longest = typeof maxLength === 'number' ? maxLength : undefined;
    noted.push({ place: readable(errSchemaPath), pattern, maxLength: longest });
    const expression = new RegExp(pattern, 'u');
    return (text: string) => isLonger(text, longest) || expression.test(text);
  },
  error: {
    message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
};

/** Compiles the patterns of names (`patternProperties`). Names may have any length. */
export const namePatternEngine = Object.assign(
  (pattern: string, flags: string): RegExp => {
    noted.push({ place: 'patternProperties', pattern, maxLength: undefined });
    return new RegExp(pattern, flags);
  },
  { code: 'new RegExp' },
);

/** Whether a text is longer than `maxLength`. As in JSON Schema, characters count, not code units. */
function isLonger(text: string, maxLength: number | undefined): boolean {
  if (maxLength === undefined || text.length <= maxLength) return false;
  return text.length > 2 * maxLength || Array.from(text).length > maxLength;
}

/** Writes `#/properties/email` as `properties.email`. The schema itself becomes `the schema`. */
function readable(pointer: string): string {
  const path = decodeURIComponent(pointer.replace(/^#\/?/, ''))
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
  return path === '' ? 'the schema' : path.slice(0, 200);
}
