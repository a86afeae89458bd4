import { nearestName } from '../core/errors/nearest-name.ts';
import type { StartupFault } from '../core/errors/startup-fault.ts';
import type { ShapeFault } from './check-shape.ts';
import { placeElsewhere } from './keys-elsewhere.ts';
import { describeFound } from './describe-found.ts';
import { describeAllowed } from './describe-setting.ts';
import { formatPath, type KeyPath, keyPlaceOf, type LocatedValue, placeOf, valueAt } from './located-value.ts';
import { helperSchema } from './schema/helper.schema.ts';
import { childSchema, choicesOf, keysOf, type SettingSchema, typesOf } from './schema/setting-schema.ts';

/** The most keys that a message lists. A longer list is no help. */
const mostKeysListed = 14;

/** The message and the place of one fault of shape (contract/configuration.md#faults). `schema` is the one that the value does not fit. */
export function describeShapeFault(
  fault: ShapeFault,
  root: LocatedValue,
  schema: SettingSchema = helperSchema,
): StartupFault {
  const path = formatPath(fault.path);
  const key = String(fault.path.at(-1));
  const parent = schemaAt(fault.path.slice(0, -1), schema);
  switch (fault.kind) {
    case 'unknown-key':
      return { ...keyPlaceOf(root, fault.path), path, ...describeUnknownKey(key, fault.path, { parent, schema }) };
    case 'missing-key': {
      const place = placeOf(root, fault.path.slice(0, -1));
      const allowed = describeAllowed(childSchema(parent, key) ?? {});
      return { ...place, path, message: `missing; it must be given: ${allowed}` };
    }
    case 'bad-key': {
      const allowed = parent.propertyNames?.allowed ?? 'another name';
      return { ...keyPlaceOf(root, fault.path), path, message: `not a possible name; allowed: ${allowed}` };
    }
    case 'bad-value':
      return {
        ...placeOf(root, fault.path),
        path: path || '(whole file)',
        ...describeBadValue(fault.path, root, schema),
      };
  }
}

function describeBadValue(
  path: KeyPath,
  root: LocatedValue,
  schema: SettingSchema,
): { message: string; suggestion?: string } {
  const own = schemaAt(path, schema);
  const value = valueAt(root, path);
  const plain = value?.kind === 'scalar' ? value.value : undefined;
  const hint =
    typesOf(own).includes('string') &&
    !typesOf(own).includes('boolean') &&
    own.format === undefined &&
    (typeof plain === 'number' || typeof plain === 'boolean')
      ? '; put it in quotes'
      : '';
  const repeated = own.uniqueItems === true && value?.kind === 'list' ? ', each value once' : '';
  const allowed = describeAllowed(own);
  const message = `found ${describeFound(root, path, schema)}; allowed: ${allowed}${repeated}${hint}`;
  const choices = choicesOf(own);
  const near = typeof plain === 'string' && value?.substituted === false ? choiceMeant(plain, choices) : undefined;
  return near === undefined ? { message } : { message, suggestion: near };
}

/** The choice that the user probably meant: the language of a language tag (`de` is German), else the choice with the most similar name. */
function choiceMeant(typed: string, choices: readonly string[]): string | undefined {
  const tag = /^[a-z]{2}(?=$|[-_])/i.exec(typed)?.[0];
  const language = tag === undefined ? undefined : new Intl.DisplayNames('en', { type: 'language' }).of(tag);
  return choices.find((choice) => choice === language) ?? nearestName(typed, choices);
}

function describeUnknownKey(
  key: string,
  path: KeyPath,
  { parent, schema }: { readonly parent: SettingSchema; readonly schema: SettingSchema },
): { message: string; suggestion?: string } {
  const place = placeElsewhere(key);
  if (place !== undefined) return { message: `is not set in this file: ${place}` };
  const known = keysOf(parent);
  const list = known.length <= mostKeysListed ? `; allowed here: ${known.join(', ')}` : '';
  const suggestion = nearestName(key, known) ?? elsewhere(key, path, schema);
  return { message: `unknown key${list}`, ...(suggestion !== undefined && { suggestion }) };
}

/** The full path of a key that exists, but at another place: `port` → `server.port`. */
function elsewhere(key: string, path: KeyPath, schema: SettingSchema): string | undefined {
  const found = allKeys(schema, []).find((known) => known.at(-1)?.toLowerCase() === key.toLowerCase());
  return found === undefined || formatPath(found) === formatPath(path) ? undefined : formatPath(found);
}

function allKeys(schema: SettingSchema, path: readonly string[]): readonly (readonly string[])[] {
  const inner =
    typeof schema.additionalProperties === 'object' ? allKeys(schema.additionalProperties, [...path, 'NAME']) : [];
  const own = keysOf(schema).flatMap((key) => [
    [...path, key],
    ...allKeys(childSchema(schema, key) ?? {}, [...path, key]),
  ]);
  return [...own, ...inner];
}

function schemaAt(path: KeyPath, root: SettingSchema): SettingSchema {
  return path.reduce<SettingSchema>((schema, key) => childSchema(schema, key) ?? {}, root);
}
