import type { StartupFault } from '../core/errors/startup-fault.ts';
import { formatPath, type KeyPath, type LocatedScalar, type LocatedValue } from './located-value.ts';
import { parseYaml } from './parse-yaml.ts';
import { childSchema, choicesOf, type SettingSchema, typesOf } from './schema/setting-schema.ts';

/**
 * Gives every value the form that its key expects (contract/configuration.md#reading). A single `${…}` is read as the type of its key. Enum
 * values get their documented spelling. Numbers are read as bytes, and a single 0 as no time. A section without content counts as left out.
 */
export function readValues(
  root: LocatedValue,
  schema: SettingSchema,
): { readonly root: LocatedValue; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  return { root: walk(root, schema, []), faults };

  function walk(value: LocatedValue, own: SettingSchema, path: KeyPath): LocatedValue {
    switch (value.kind) {
      case 'list': {
        const items = value.items.map((item, index) => walk(item, childSchema(own, index) ?? {}, [...path, index]));
        return { ...value, items };
      }
      case 'map': {
        const entries = [...value.entries]
          .map(([key, entry]) => {
            const child = childSchema(own, key) ?? {};
            return [key, { ...entry, value: walk(entry.value, child, [...path, key]) }, child] as const;
          })
          .filter(
            ([key, entry, child]) =>
              !isEmptySection(entry.value, child) && !isLeftOut(entry.value, child, own.required?.includes(key)),
          );
        return { ...value, entries: new Map(entries.map(([key, entry]) => [key, entry])) };
      }
      case 'scalar':
        return value.typePending === true
          ? readPending(value, own, path)
          : { ...value, value: spell(value.value, own) };
    }
  }

  function readPending(scalar: LocatedScalar, own: SettingSchema, path: KeyPath): LocatedValue {
    const read = readText(String(scalar.value), own, scalar);
    if (read !== undefined) return walk(read, own, path);
    faults.push({ ...scalar.place, path: formatPath(path), message: 'the text behind ${…} is not valid YAML' });
    return { ...scalar, value: null };
  }
}

/**
 * Reads a text from outside the file as the type of its key. Undefined when that is not possible. A key that takes a text gets the text
 * unchanged, so that digits and passwords with a colon stay texts. Where the key takes a list as well, a text in brackets that is a YAML
 * list is read as that list.
 */
export function readText(
  text: string,
  schema: SettingSchema,
  origin: Pick<LocatedScalar, 'place' | 'substituted'>,
): LocatedValue | undefined {
  const { place, substituted } = origin;
  const types = typesOf(schema);
  const scalar = (value: string | null): LocatedScalar => ({ kind: 'scalar', value, place, substituted });
  if (types.length === 0 || (types.includes('string') && !types.includes('object'))) {
    const list = types.includes('array') ? readList(text, origin) : undefined;
    if (list !== undefined) return list;
    return scalar(types.includes('null') && /^(|~|null)$/i.test(text.trim()) ? null : text);
  }
  const { root, faults } = parseYaml(text, { place, substituted });
  return faults.length > 0 ? undefined : (root ?? scalar(null));
}

/** Reads a text in brackets as a list. Undefined for any other text. */
function readList(text: string, origin: Pick<LocatedScalar, 'place' | 'substituted'>): LocatedValue | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined;
  const { root, faults } = parseYaml(text, origin);
  return faults.length === 0 && root?.kind === 'list' ? root : undefined;
}

/** The formats in which 0 needs no unit. */
const durationFormats: readonly string[] = ['duration', 'age', 'time-limit'];

function spell(value: LocatedScalar['value'], schema: SettingSchema): LocatedScalar['value'] {
  if (value === 0 && durationFormats.includes(schema.format ?? '')) return '0';
  if (schema.format === 'size' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  const lower = value.toLowerCase();
  return spellings(schema).find((known) => known.toLowerCase() === lower) ?? value;
}

function spellings(schema: SettingSchema): readonly string[] {
  return [...choicesOf(schema), ...(schema.knownValues ?? [])];
}

/** Whether `null` stands for a key that has no default, and may be left out: it then counts as left out. */
function isLeftOut(value: LocatedValue, schema: SettingSchema, isRequired = false): boolean {
  const types = typesOf(schema);
  const isNull = value.kind === 'scalar' && value.value === null && value.typePending !== true;
  return isNull && types.length > 0 && !types.includes('null') && !isRequired && schema.default === undefined;
}

/** Whether a section has no content, such as `server:` with every line below it commented out. */
function isEmptySection(value: LocatedValue, schema: SettingSchema): boolean {
  const types = typesOf(schema);
  if (value.kind !== 'scalar' || value.value !== null || types.includes('null')) return false;
  return types.includes('object') || types.includes('array');
}
