import { listOf, objectOf } from '../json-values.ts';
import { ArgumentSite } from './argument-sites.ts';
import { fittingKeywords, typesOf } from './fitting-keywords.ts';
import { objectSchema } from './object-schema.ts';
import { ResolvedSchemas, type SchemaMembers } from './resolved-schema.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/** The schema of the arguments of a tool as a provider takes it, and the names in it. */
export interface FittedSchema {
  readonly schema: SchemaMembers;
  readonly site: ArgumentSite;
}

/** Where a schema stands. */
interface Place {
  readonly site: ArgumentSite;
  /** The references that have led here. */
  readonly seen: readonly string[];
}

const combiners = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * Makes the schema of a tool fit for a provider (contract/models.md#tools). An empty schema stands for no arguments. The arguments that it describes are the same ones, or more: the check
 * of a call goes by the original.
 */
export function fitSchema(parameters: SchemaMembers, dialect: SchemaDialect): FittedSchema {
  const site = new ArgumentSite(dialect, declaredNames(parameters));
  const fitter = new SchemaFitter(new ResolvedSchemas(parameters), dialect);
  return { schema: fitter.arguments(parameters, site), site };
}

class SchemaFitter {
  readonly #schemas: ResolvedSchemas;
  readonly #dialect: SchemaDialect;

  constructor(schemas: ResolvedSchemas, dialect: SchemaDialect) {
    this.#schemas = schemas;
    this.#dialect = dialect;
  }

  arguments(parameters: SchemaMembers, site: ArgumentSite): SchemaMembers {
    const whole = objectSchema(parameters, { source: this.#schemas, site });
    const reference = parameters['$ref'];
    const seen = typeof reference === 'string' ? [reference] : [];
    const fitted = this.#members(whole, { site, seen });
    // Gemini takes no object without properties: what stands for it in a member stands for no arguments here.
    return fitted['type'] === 'object' ? fitted : {};
  }

  #fit(given: unknown, place: Place): SchemaMembers {
    const { schema, seen } = this.#schemas.resolved(given, place.seen);
    const whole = this.#dialect.kind === 'openapi' ? this.#plain(schema, { ...place, seen }) : schema;
    return this.#members(whole, { ...place, seen });
  }

  /** The members of a schema whose references are resolved. */
  #members(schema: SchemaMembers, place: Place): SchemaMembers {
    const { site } = place;
    const properties = this.#properties(schema, place);
    const items = this.#items(schema, place);
    const branches = combiners.flatMap((keyword) => {
      const list = listOf(schema[keyword]).map((one) => this.#fit(one, place));
      return list.length === 0 ? [] : [[keyword, list] as const];
    });
    const { additionalProperties: others, patternProperties: patterns } = schema;
    const required = [...new Set(listOf(schema['required']))].flatMap((name) =>
      typeof name === 'string' ? [site.nameOf(name)] : [],
    );
    return fittingKeywords(
      {
        ...schema,
        ...{ properties, items: undefined, prefixItems: undefined, required, not: undefined },
        ...{ anyOf: undefined, oneOf: undefined, allOf: undefined },
        ...items,
        ...Object.fromEntries(branches),
        additionalProperties:
          objectOf(others) === undefined ? others : this.#fit(others, { ...place, site: site.others }),
        patternProperties:
          objectOf(patterns) && this.#all(patterns, (one) => this.#fit(one, { ...place, site: site.others })),
        ...(schema['not'] === undefined || site.isRenamed ? {} : { not: this.#fit(schema['not'], place) }),
      },
      this.#dialect,
    );
  }

  #properties(schema: SchemaMembers, place: Place): SchemaMembers | undefined {
    const properties = objectOf(schema['properties']);
    if (properties === undefined) return undefined;
    const fitted = Object.entries(properties).flatMap(([name, property]) => {
      // A property that may not be given is best not told.
      if (property === false) return [];
      return [[place.site.nameOf(name), this.#fit(property, { ...place, site: place.site.member(name) })] as const];
    });
    return Object.fromEntries(fitted);
  }

  /** The schemas of the items of a list. A list in `items` is the form of older drafts for `prefixItems`. */
  #items(schema: SchemaMembers, place: Place): SchemaMembers {
    const { items } = schema;
    const given = Array.isArray(items) ? items : listOf(schema['prefixItems']);
    const inner: Place = { ...place, site: place.site.items };
    const prefix = given.map((one: unknown) => this.#fit(one, inner));
    const rest = Array.isArray(items) || items === undefined ? undefined : this.#fit(items, inner);
    const isList = typesOf(schema).includes('array') || prefix.length > 0;
    if (!isList && rest === undefined) return {};
    if (this.#dialect.kind === 'json-schema')
      return { items: rest ?? {}, ...(prefix.length === 0 ? {} : { prefixItems: prefix }) };
    const [only] = rest === undefined ? prefix : [rest];
    const all = rest === undefined ? prefix : [...prefix, rest];
    return { items: all.length > 1 ? fittingKeywords({ anyOf: all }, this.#dialect) : (only ?? this.#fit({}, inner)) };
  }

  /** A schema without what Gemini does not know: combiners of objects, `allOf`, and null as a branch. */
  #plain(schema: SchemaMembers, { site, seen }: Place): SchemaMembers {
    if (combiners.every((keyword) => schema[keyword] === undefined)) return schema;
    const branches = (keyword: (typeof combiners)[number]): readonly SchemaMembers[] =>
      listOf(schema[keyword]).map((one) => this.#schemas.resolved(one, seen).schema);
    const joined = [schema, ...branches('allOf')];
    if (joined.some((one) => one['properties'] !== undefined))
      return objectSchema(schema, { source: this.#schemas, site, seen });
    const { allOf: _, ...all } = joined.reduceRight<SchemaMembers>((whole, one) => ({ ...whole, ...one }), {});
    const any = [...listOf(all['anyOf']), ...listOf(all['oneOf'])];
    const some = any.filter((one) => !isNullOnly(this.#schemas.resolved(one, seen).schema));
    const nullable = some.length < any.length ? { nullable: true } : {};
    return { ...all, anyOf: some, oneOf: undefined, ...nullable };
  }

  #all(members: unknown, fit: (one: unknown) => SchemaMembers): SchemaMembers {
    return Object.fromEntries(Object.entries(objectOf(members) ?? {}).map(([name, one]) => [name, fit(one)]));
  }
}

function isNullOnly(schema: SchemaMembers): boolean {
  const types = typesOf(schema);
  return (types.length === 1 && types[0] === 'null') || (Object.hasOwn(schema, 'const') && schema['const'] === null);
}

/** All names of properties in a schema, wherever they stand. */
function declaredNames(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const left: unknown[] = [schema];
  while (left.length > 0) {
    const next = left.pop();
    const members = objectOf(next);
    if (members !== undefined) for (const name of Object.keys(objectOf(members['properties']) ?? {})) names.add(name);
    left.push(...(members === undefined ? listOf(next) : Object.values(members)));
  }
  return names;
}
