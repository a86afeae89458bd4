import { referred } from './declared-arguments.ts';

type Members = Readonly<Record<string, unknown>>;

/** JSON types, as schemas name them. */
export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

const names: ReadonlySet<unknown> = new Set<TypeName>([
  ...(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const),
]);

/** Most schemas that are looked at for one value. Schemas can refer to each other without end. */
const mostSchemas = 100;

/** What the schemas of one place in the arguments say together. Where they say nothing for certain, neither does this. */
export class SchemaView {
  readonly #root: Members;
  /** The schemas that all hold. */
  readonly #all: readonly Members[];
  /** Lists of schemas of which one holds. */
  readonly #choices: readonly (readonly SchemaView[])[];

  constructor(root: Members, schemas: readonly unknown[], left = { count: mostSchemas }) {
    this.#root = root;
    const all: Members[] = [];
    const choices: (readonly SchemaView[])[] = [];
    const seen = new Set<unknown>();
    const read = (schema: unknown): void => {
      if (!isMembers(schema) || seen.has(schema) || left.count <= 0) return;
      seen.add(schema);
      left.count -= 1;
      all.push(schema);
      const { $ref } = schema;
      if (typeof $ref === 'string') read(referred(root, $ref));
      for (const one of listOf(schema['allOf'])) read(one);
      for (const keyword of ['anyOf', 'oneOf']) {
        const branches = listOf(schema[keyword]);
        if (branches.length > 0) choices.push(branches.map((one) => new SchemaView(root, [one], left)));
      }
    };
    for (const schema of schemas) read(schema);
    this.#all = all;
    this.#choices = choices;
  }

  /** The types that a value may have. Undefined: any. */
  get types(): ReadonlySet<TypeName> | undefined {
    const said = [...this.#all.map(typesOf), ...this.#choices.map(typesOfChoice)].filter((one) => one !== undefined);
    const [first, ...others] = said;
    return first && others.reduce((types, more) => new Set([...types].filter((type) => more.has(type))), first);
  }

  /** The names of members that an object surely has to have. */
  get required(): readonly string[] {
    return this.#all.flatMap(({ required }) => listOf(required).filter((name) => typeof name === 'string'));
  }

  /** The default of a value. Undefined where there is none. */
  get default(): unknown {
    return this.#all.find((schema) => Object.hasOwn(schema, 'default'))?.['default'];
  }

  /** The declared members of an object. */
  get members(): ReadonlySet<string> {
    const own = this.#all.flatMap(({ properties }) => (isMembers(properties) ? Object.keys(properties) : []));
    return new Set([...own, ...this.#choices.flat().flatMap((view) => [...view.members])]);
  }

  /** What is said of a declared member of an object. Undefined where it is not declared. */
  member(name: string): SchemaView | undefined {
    const schemas = this.#found(({ properties }) =>
      isMembers(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
    );
    return this.#viewOf(schemas);
  }

  /** What is said of the items of a list. `index` is the place of one. */
  item(index: number): SchemaView | undefined {
    return this.#viewOf(
      this.#found(({ items, prefixItems }) => {
        const places = Array.isArray(items) ? items : listOf(prefixItems);
        return places[index] ?? (Array.isArray(items) ? undefined : items);
      }),
    );
  }

  /** The schemas that are found in those that hold, and in each of a choice. */
  #found(find: (schema: Members) => unknown): readonly unknown[] {
    const own = this.#all.flatMap((schema) => find(schema) ?? []);
    const ofChoices = this.#choices.map((views) => views.flatMap((view) => view.#found(find)));
    const any = ofChoices
      .filter((found) => found.length > 0)
      .map((anyOf) => (anyOf.length === 1 ? anyOf[0] : { anyOf }));
    return [...own, ...any];
  }

  #viewOf(schemas: readonly unknown[]): SchemaView | undefined {
    return schemas.length === 0 ? undefined : new SchemaView(this.#root, schemas);
  }
}

function typesOf(schema: Members): ReadonlySet<TypeName> | undefined {
  const { type, nullable } = schema;
  const given = (Array.isArray(type) ? listOf(type) : [type]).filter(isTypeName);
  if (given.length > 0) return new Set(nullable === true ? [...given, 'null'] : given);
  if (Object.hasOwn(schema, 'const')) return new Set([typeOf(schema['const'])]);
  const values = listOf(schema['enum']);
  return values.length === 0 ? undefined : new Set(values.map(typeOf));
}

function typesOfChoice(views: readonly SchemaView[]): ReadonlySet<TypeName> | undefined {
  const types = views.map((view) => view.types);
  return types.every((one) => one !== undefined) ? new Set(types.flatMap((one) => [...one])) : undefined;
}

function typeOf(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

function isTypeName(value: unknown): value is TypeName {
  return names.has(value);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
