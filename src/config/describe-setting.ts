import { settingFormats } from './setting-formats.ts';
import { choicesOf, type SettingSchema, typesOf } from './schema/setting-schema.ts';

/** What a setting may be, in words that complete "allowed: …"; also the type column of the reference page. */
export function describeAllowed(schema: SettingSchema): string {
  const orNull = typesOf(schema).includes('null') ? ', or null' : '';
  return `${describeValue(schema)}${orNull}`;
}

function describeValue(schema: SettingSchema): string {
  if (schema.allowed !== undefined) return schema.allowed;
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.length === 1 ? choices.join() : `one of ${choices.join(', ')}`;
  if (schema.format !== undefined) {
    return `${settingFormats[schema.format].allowed}${schema.positive === true ? ', more than 0' : ''}`;
  }
  return describeType(schema);
}

function describeType(schema: SettingSchema): string {
  switch (typesOf(schema).find((type) => type !== 'null')) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${schema.unit === undefined ? '' : ` of ${schema.unit}`}${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'string':
      return describeText(schema);
    case 'array':
      return `a list${schema.items?.type === undefined ? '' : ` of ${describeItems(schema.items)}`}`;
    case 'object':
      return schema.properties === undefined ? 'a map of names to values' : 'a map';
    case undefined:
      return 'any value';
  }
}

function describeItems(items: SettingSchema): string {
  if (items.enum !== undefined) return items.enum.join(', ');
  if (items.type === 'object') return 'maps';
  return 'texts';
}

function describeRange({ minimum, maximum }: SettingSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  return maximum === undefined ? '' : `, at most ${String(maximum)}`;
}

function describeText({ minLength, maxLength }: SettingSchema): string {
  const isRequired = minLength !== undefined && minLength > 0;
  if (maxLength === undefined) return isRequired ? 'a text that is not empty' : 'a text';
  return `a text of ${isRequired ? `${String(minLength)} to` : 'at most'} ${String(maxLength)} characters`;
}
