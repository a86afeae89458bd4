type Members = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of `outputSchema`. Microsoft Agent Framework writes properties as a map or as a list with names, `kind` for `type`, and
 * `required: true` at the property (contract/agents.md#definitions). What is JSON Schema already stays as it is.
 */
export function jsonSchemaOf(written: Members): Members {
  return { type: 'object', ...schemaOf(written) };
}

function schemaOf(written: Members): Members {
  const { kind, required, properties, items, strict: _strict, examples: _examples, name: _name, ...rest } = written;
  const named = propertiesOf(properties);
  const children = [...named].map(([name, child]) => [name, schemaOf(child)] as const);
  const listed: readonly unknown[] = Array.isArray(required) ? required : [];
  const marked = [...named].filter(([, child]) => child['required'] === true).map(([name]) => name);
  const needed = [...new Set([...listed, ...marked])];
  return {
    ...(kind === undefined ? {} : { type: kind }),
    ...rest,
    ...(named.size === 0 ? {} : { properties: Object.fromEntries(children) }),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(isMembers(items) ? { items: schemaOf(items) } : {}),
  };
}

function propertiesOf(properties: unknown): ReadonlyMap<string, Members> {
  if (Array.isArray(properties)) {
    const named = properties.filter(isMembers).map((child) => [String(child['name']), child] as const);
    return new Map(named);
  }
  if (!isMembers(properties)) return new Map();
  return new Map(Object.entries(properties).map(([name, child]) => [name, isMembers(child) ? child : {}] as const));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
