/** What a provider takes in the schema of a tool. */
export interface SchemaDialect {
  /** `openapi`: the subset of OpenAPI that Gemini reads. `json-schema`: JSON Schema, as OpenAI, Anthropic and most others read it. */
  readonly kind: 'json-schema' | 'openapi';
  /** The names that an argument may have. */
  readonly names: RegExp;
  /** The keywords that may go out. All others are annotations, or nothing that a provider knows. */
  readonly keywords: ReadonlySet<string>;
}

/** Longest name of an argument. */
export const longestName = 64;

const shared = [
  ...['type', 'title', 'description', 'enum', 'format', 'minimum', 'maximum'],
  ...['items', 'minItems', 'maxItems', 'properties', 'required', 'anyOf'],
];

/**
 * Anthropic and Bedrock refuse other names. OpenAI and Anthropic look at each schema as JSON Schema 2020-12, and refuse the forms of older
 * drafts.
 */
const jsonSchema: SchemaDialect = {
  kind: 'json-schema',
  names: /^[a-zA-Z0-9_.-]{1,64}$/,
  keywords: new Set([
    ...shared,
    ...['const', 'default', 'examples', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
    ...['exclusiveMinimum', 'exclusiveMaximum', 'prefixItems', 'uniqueItems', 'minProperties', 'maxProperties'],
    ...['additionalProperties', 'patternProperties', 'oneOf', 'allOf', 'not'],
  ]),
};

/** Gemini refuses a request with any other keyword, and names that other languages could not have. */
const openApi: SchemaDialect = {
  kind: 'openapi',
  names: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  keywords: new Set([...shared, 'nullable']),
};

/** The dialect of a model, as far as its provider, its address or its name tells. */
export function dialectOf(of: {
  readonly provider?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
}): SchemaDialect {
  const isGoogle =
    /google|vertex|gemini/i.test(of.provider ?? '') ||
    /googleapis\.com/i.test(of.baseUrl ?? '') ||
    /\bgemini\b/i.test(of.model ?? '');
  return isGoogle ? openApi : jsonSchema;
}
