import { hasMembers } from '../../shared/members.ts';
import type { ArgumentTarget } from '../document/imported-operation.ts';

type Parameter = Extract<ArgumentTarget, { readonly style: unknown }>;

/** A name and a value of a query, not yet encoded. */
export type QueryPair = readonly [name: string, value: string];

/** The text of a parameter in the path or in a header (OpenAPI, style `simple`), its parts encoded by `encode`. */
export function simpleText(value: unknown, { style, explode }: Parameter, encode: (text: string) => string): string {
  if (style === 'json') return encode(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => encode(plainText(item))).join(',');
  if (!hasMembers(value)) return encode(plainText(value));
  return Object.entries(value)
    .map(([name, member]) => `${encode(name)}${explode ? '=' : ','}${encode(plainText(member))}`)
    .join(',');
}

/** The text of a parameter in the path (OpenAPI, styles `simple`, `label` and `matrix`), its parts encoded by `encode`. */
export function pathText(value: unknown, parameter: Parameter, encode: (text: string) => string): string {
  const { style, explode } = parameter;
  if (style !== 'label' && style !== 'matrix') return simpleText(value, parameter, encode);
  const name = encode(parameter.name);
  if (!explode || (!Array.isArray(value) && !hasMembers(value))) {
    const text = simpleText(value, parameter, encode);
    return style === 'label' ? `.${text}` : `;${name}=${text}`;
  }
  const parts = Array.isArray(value)
    ? value.map((item) => (style === 'label' ? '' : `${name}=`) + encode(plainText(item)))
    : Object.entries(value).map(([key, member]) => `${encode(key)}=${encode(plainText(member))}`);
  return parts.map((part) => (style === 'label' ? '.' : ';') + part).join('');
}

/** The parts of a query that a parameter becomes. */
export function queryPairs(value: unknown, { name, style, explode }: Parameter): readonly QueryPair[] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const items = value.map(plainText);
    if (explode) return items.map((item): QueryPair => [name, item]);
    return items.length === 0 ? [] : [[name, items.join(separators[style] ?? ',')]];
  }
  if (!hasMembers(value)) return [[name, plainText(value)]];
  const members = Object.entries(value);
  if (style === 'deepObject') return members.map(([key, member]): QueryPair => [`${name}[${key}]`, plainText(member)]);
  if (explode) return members.map(([key, member]): QueryPair => [key, plainText(member)]);
  return [[name, members.flatMap(([key, member]) => [key, plainText(member)]).join(',')]];
}

const separators: Readonly<Partial<Record<Parameter['style'], string>>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function plainText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
