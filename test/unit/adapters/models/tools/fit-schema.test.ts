import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renamedArguments } from '../../../../../src/adapters/models/tools/argument-sites.ts';
import { functionTool } from '../../../../../src/adapters/models/tools/function-tool.ts';
import { fitSchema } from '../../../../../src/adapters/models/tools/fit-schema.ts';
import { dialectOf } from '../../../../../src/adapters/models/tools/schema-dialect.ts';
import { anthropicFaults, geminiFaults, openAiFaults } from '../../../../support/provider-rules.ts';

const jsonSchema = dialectOf({ provider: 'openai', model: 'gpt-5' });
const gemini = dialectOf({ provider: '@langchain/google-genai', model: 'gemini-3' });

type Members = Readonly<Record<string, unknown>>;

function sentTo(parameters: Members, dialect = jsonSchema): Members {
  return fitSchema(parameters, dialect).schema;
}

/** Names as plugins, APIs and MCP servers have them. */
const names = fc.oneof(
  fc.constantFrom(
    'id',
    'name',
    '$top',
    'filter[status]',
    'filter_status',
    'top',
    '@odata.type',
    '1st',
    'a.b-c',
    'größe',
    '',
  ),
  fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
  fc.integer({ min: 60, max: 80 }).map((length) => 'n'.repeat(length)),
);

/** Schemas of all drafts, sound and unsound, as they are met in the wild. */
const { schemas } = fc.letrec<{ schemas: unknown; objects: Members }>((tie) => ({
  objects: fc.record(
    {
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(names, tie('schemas'), { maxKeys: 3 }),
      required: fc.oneof(fc.array(names, { maxLength: 2 }), fc.constant(true)),
      additionalProperties: fc.oneof(fc.boolean(), tie('schemas')),
      patternProperties: fc.dictionary(fc.constant('^x'), tie('schemas'), { maxKeys: 1 }),
      anyOf: fc.array(tie('schemas'), { maxLength: 2 }),
      oneOf: fc.array(tie('schemas'), { maxLength: 2 }),
      allOf: fc.array(tie('schemas'), { maxLength: 2 }),
      not: tie('schemas'),
      if: tie('schemas'),
      then: tie('schemas'),
      $comment: fc.constant('x'),
    },
    { requiredKeys: [] },
  ),
  schemas: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.constantFrom<unknown>(
          'string',
          'number',
          'integer',
          'boolean',
          'null',
          'any',
          ['string', 'null'],
          ['array', 'string'],
          7,
        ),
        description: fc.constantFrom<unknown>('What it is.', 5),
        format: fc.constantFrom('uri', 'date-time', 'int32', 'double', 'uuid'),
        pattern: fc.constantFrom('^[a-z]+$', String.raw`^\p{L}+$`, '^(?<year>[0-9]{4})$'),
        enum: fc.constantFrom<unknown>(['a', 'b'], ['a', '', null], [1, 2], []),
        const: fc.constantFrom<unknown>('x', 1, null, true),
        default: fc.constantFrom<unknown>('x', 1, null),
        exclusiveMinimum: fc.constantFrom<unknown>(true, 1),
        minimum: fc.constantFrom<unknown>(0, '0'),
        nullable: fc.boolean(),
        minLength: fc.constantFrom<unknown>(1, -1),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constantFrom('array', ['array', 'null']),
        items: fc.oneof(tie('schemas'), fc.array(tie('schemas'), { maxLength: 2 })),
        prefixItems: fc.array(tie('schemas'), { maxLength: 2 }),
        minItems: fc.constant(1),
        uniqueItems: fc.constant(true),
      },
      { requiredKeys: ['type'] },
    ),
    fc.boolean(),
    fc
      .constantFrom('#/$defs/node', '#/$defs/list', '#', '#/$defs/gone', 'https://elsewhere.example/schema')
      .map(($ref) => ({ $ref })),
    tie('objects'),
  ),
}));

const parameters = fc
  .tuple(fc.dictionary(names, schemas, { maxKeys: 4 }), schemas, schemas, fc.array(schemas, { maxLength: 2 }))
  .map(([properties, node, list, anyOf]): Members => ({
    type: 'object',
    properties,
    ...(anyOf.length === 0 ? {} : { anyOf }),
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: node } }, list },
  }));

describe('the schema that a provider is sent (contract/models.md#tools)', () => {
  // proves service-11-40, service-11-41
  it('is one that OpenAI and Anthropic take, whatever was declared', () => {
    fc.assert(
      fc.property(parameters, (declared) => {
        const sent = sentTo(declared);
        expect(openAiFaults(sent)).toEqual([]);
        expect(anthropicFaults(sent)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // proves service-11-40
  it('is one that Gemini takes, whatever was declared', () => {
    fc.assert(
      fc.property(parameters, (declared) => {
        expect(geminiFaults(sentTo(declared, gemini))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // proves service-11-40
  it('grows with what was declared, however schemas refer to each other', () => {
    const count = 12;
    const defs = Array.from({ length: count }, (_, index) => [
      `d${String(index)}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: count }, (__, to) => [`p${String(to)}`, { $ref: `#/$defs/d${String(to)}` }]),
        ),
      },
    ]);
    const declared = { type: 'object', properties: { first: { $ref: '#/$defs/d0' } }, $defs: Object.fromEntries(defs) };
    for (const dialect of [jsonSchema, gemini])
      expect(JSON.stringify(sentTo(declared, dialect)).length).toBeLessThan(20 * JSON.stringify(declared).length);
  });

  // proves service-11-40
  it.each([
    ['a list without items', { list: { type: 'array' } }, { list: { type: 'array', items: {} } }],
    ['an object without properties', { map: { type: 'object' } }, { map: { type: 'object', properties: {} } }],
    ['several types', { x: { type: ['array', 'null'] } }, { x: { type: ['array', 'null'], items: {} } }],
    [
      'a pair',
      { x: { type: 'array', items: [{ type: 'string' }] } },
      { x: { type: 'array', items: {}, prefixItems: [{ type: 'string' }] } },
    ],
    [
      'a bound of draft 4',
      { n: { type: 'number', minimum: 1, exclusiveMinimum: true } },
      { n: { type: 'number', exclusiveMinimum: 1 } },
    ],
    ['booleans', { any: true, never: false }, { any: {} }],
    [
      'a pattern of JavaScript',
      { s: { type: 'string', pattern: String.raw`^\p{L}$` } },
      { s: { type: 'string', description: String.raw`matches ^\p{L}$` } },
    ],
    ['annotations', { s: { type: 'string', 'x-order': 1, $comment: 'c' } }, { s: { type: 'string' } }],
  ])('has what was declared in a form that is taken: %s', (_title, properties, sent) => {
    expect(sentTo({ type: 'object', properties })).toEqual({ type: 'object', properties: sent });
  });

  // proves service-11-40
  it('has in place of combiners what they say together', () => {
    const declared = {
      type: 'object',
      properties: { a: { type: 'string' }, kind: { const: 'x' } },
      required: ['kind'],
      anyOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { type: 'integer' }, kind: { const: 'y' } } }],
      allOf: [{ properties: { c: { type: 'boolean' } }, required: ['c'] }],
    };
    expect(sentTo({ anyOf: [{ required: ['$a'] }, { required: ['b'] }] })['description']).toBe(
      'Give one of these: a; or b.',
    );
    expect(sentTo(declared)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, kind: { enum: ['x', 'y'] }, c: { type: 'boolean' }, b: { type: 'integer' } },
      required: ['kind', 'c'],
      description: 'Give one of these: a; or b.',
    });
  });

  // proves service-11-40
  it('has what references lead to in their place, and nothing that is not used', () => {
    const declared = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node', description: 'The root.' } },
      $defs: {
        node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } },
        unused: { type: 'string' },
      },
    };
    expect(sentTo(declared)).toEqual({
      type: 'object',
      properties: {
        node: {
          type: 'object',
          description: 'The root.',
          properties: { name: { type: 'string' }, next: { type: 'object', properties: {} } },
        },
      },
    });
  });

  it('is none for Gemini where there are no arguments, which are told without any', () => {
    const parameters = sentTo({ type: 'object', additionalProperties: false }, gemini);
    expect(functionTool({ name: 'list', description: 'Lists.', parameters })).toEqual({
      type: 'function',
      function: { name: 'list', description: 'Lists.' },
    });
  });

  it('says to Gemini in words what its schema has no word for', () => {
    const properties = {
      site: { type: 'string', format: 'uri', description: 'Where' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      level: { enum: [1, 2] },
      map: { type: 'object', additionalProperties: true },
    };
    expect(sentTo({ type: 'object', properties }, gemini)['properties']).toEqual({
      site: { type: 'string', description: 'Where (format uri)' },
      note: { type: 'string', nullable: true },
      level: { type: 'integer', description: 'one of 1, 2' },
      map: { type: 'string', description: 'a JSON object, written as text' },
    });
  });
});

describe('names of arguments that a provider refuses (contract/models.md#tools)', () => {
  /** Arguments with declared names at every depth, whatever their values. */
  function argumentsOf(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
    const { properties, items } = (typeof schema === 'object' && schema !== null ? schema : {}) as Members; // a schema
    if (typeof properties === 'object' && properties !== null && depth < 4) {
      const members = Object.entries(properties).map(([name, one]) => [name, argumentsOf(one, depth + 1)] as const);
      // Some names are those of an object's own members, so no record by key is made of them.
      const chosen = members.map(([name, value]) =>
        fc.option(
          value.map((one) => [name, one] as const),
          { nil: undefined },
        ),
      );
      return fc.tuple(...chosen).map((given) => Object.fromEntries(given.filter((one) => one !== undefined)));
    }
    if (typeof items === 'object' && !Array.isArray(items) && depth < 4)
      return fc.array(argumentsOf(items, depth + 1), { maxLength: 2 });
    return fc.constantFrom<unknown>(1, 'x', null, [1], true);
  }

  // proves service-11-41
  it('are others on the way out, and the declared ones again in the arguments, at every depth', () => {
    const declared = parameters.chain((schema) => fc.tuple(fc.constant(schema), argumentsOf(schema)));
    fc.assert(
      fc.property(declared, fc.constantFrom(jsonSchema, gemini), ([schema, given], dialect) => {
        const { site } = fitSchema(schema, dialect);
        expect(site.original(site.sent(given))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  // proves service-11-41
  it('become names that nobody else has', () => {
    const properties = {
      top: { type: 'string' },
      $top: { type: 'integer' },
      'filter[status]': { type: 'object', properties: { 'a b': { type: 'string' } } },
      list: { type: 'array', items: { type: 'object', properties: { '@id': { type: 'string' } } } },
    };
    const { schema, site } = fitSchema({ type: 'object', properties, required: ['$top'] }, jsonSchema);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        top: { type: 'string' },
        top_2: { type: 'integer' },
        filter_status: { type: 'object', properties: { a_b: { type: 'string' } } },
        list: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
      },
      required: ['top_2'],
    });
    const written = '{"top":"x","top_2":1,"filter_status":{"a_b":"c"},"list":[{"id":"i"}]}';
    const declared = '{"top":"x","$top":1,"filter[status]":{"a b":"c"},"list":[{"@id":"i"}]}';
    expect(renamedArguments(written, (value) => site.original(value))).toBe(declared);
    expect(renamedArguments(declared, (value) => site.sent(value))).toBe(written);
  });

  // proves service-11-41
  it.each([
    ['in a fence', '```json\n{"top_2":1}\n```'],
    ['in a text', '"{\\"top_2\\":1}"'],
  ])('are the declared ones in arguments that are nearly right: %s', (_title, written) => {
    const { site } = fitSchema({ type: 'object', properties: { top: {}, $top: {} } }, jsonSchema);
    expect(renamedArguments(written, (value) => site.original(value))).toBe('{"$top":1}');
  });

  // proves service-11-41
  it('are the declared ones in an object that was written as text', () => {
    const properties = { where: { type: 'object', properties: { $top: {} } }, note: { type: 'string' } };
    const { site } = fitSchema({ type: 'object', properties }, jsonSchema);
    const text = '{"top":1}';
    expect(site.original({ where: text, note: text })).toEqual({ where: '{"$top":1}', note: text });
  });

  // proves service-11-41
  it.each(['{"top_2":12345678901234567890}', '{"top_2":1e400}', '{"top_2":1,"top_2":2}', '{"top_2":', '"x"'])(
    'stay in arguments that JSON would not carry unchanged, which the check refuses: %s',
    (text) => {
      const { site } = fitSchema({ type: 'object', properties: { top: {}, $top: {} } }, jsonSchema);
      expect(renamedArguments(text, (value) => site.original(value))).toBe(text);
    },
  );
});
