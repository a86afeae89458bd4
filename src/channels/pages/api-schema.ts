import { escaped } from '../shared/own-page.ts';

/** The part of a JSON Schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

type Shared = Readonly<Record<string, Schema>>;

/** Levels of members. Deeper ones are in the document. */
const deepest = 5;

/** HTML of a text of the document, in which backticks mark code. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/** The same as a paragraph; empty for no text. */
export function described(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<p>${inline(text)}</p>`;
}

/** The values that a schema allows, in a few words. */
export function typeOf(schema: Schema, shared: Shared): string {
  const {
    type,
    enum: values,
    format,
    items,
    minimum,
    maximum,
    maxLength,
    maxItems,
    ...more
  } = resolved(schema, shared);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (more.const !== undefined) return JSON.stringify(more.const);
  const choices = more.oneOf ?? more.anyOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, shared)))].join(' | ');
  const name = [type ?? (more.properties || more.allOf ? 'object' : 'any')].flat().join(' | ');
  const listed = items === undefined ? name : `${name} of ${typeOf(items, shared)}`;
  const bounds = [
    ...(format === undefined ? [] : [format]),
    ...(minimum === undefined ? [] : [`from ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`to ${String(maximum)}`]),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${String(maxItems)}`]),
  ];
  return bounds.length === 0 ? listed : `${listed} (${bounds.join(', ')})`;
}

/** The members of an object, or of the objects of a list, with theirs below them. Empty for other values. */
export function membersOf(schema: Schema, shared: Shared, depth = 0): string {
  if (depth === deepest) return '';
  const whole = resolved(schema, shared);
  if (whole.items !== undefined) return membersOf(whole.items, shared, depth);
  const choices = whole.oneOf ?? whole.anyOf;
  if (choices !== undefined) return choices.map((choice) => membersOf(choice, shared, depth)).join('');
  const { properties = {}, required = [] } = merged(whole, shared);
  const items = Object.entries(properties).map(([name, member]) => {
    const facts = [typeOf(member, shared), ...(required.includes(name) ? ['required'] : [])].join(', ');
    const told = described(resolved(member, shared).description);
    return `<li><code>${escaped(name)}</code> <span class="type">${escaped(facts)}</span>${told}${membersOf(member, shared, depth + 1)}</li>`;
  });
  return items.length === 0 ? '' : `<ul class="members">${items.join('')}</ul>`;
}

/** The schema together with those of its `allOf`. */
function merged(schema: Schema, shared: Shared): Pick<Schema, 'properties' | 'required'> {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => merged(resolved(part, shared), shared))];
  const properties: Record<string, Schema> = {};
  for (const part of parts)
    for (const [name, member] of Object.entries(part.properties ?? {}))
      properties[name] = { ...properties[name], ...member };
  return { properties, required: parts.flatMap(({ required = [] }) => required) };
}

function resolved(schema: Schema, shared: Shared): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (shared[name] ?? {});
}
