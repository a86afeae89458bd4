import type { Members } from '../../shared/members.ts';
import type { ArgumentTarget, ImportedOperation } from '../document/imported-operation.ts';
import { withoutFragment } from '../document/read-parameters.ts';
import { type WrittenBody, writeBody } from './write-body.ts';
import { pathText, queryPairs, simpleText } from './write-parameter.ts';

/** A request as it is sent. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  /** Those of the operation. The headers of the configuration are added when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Most characters of an address. Servers refuse longer ones. */
const longestUrl = 16_000;

/**
 * Arguments that fit the schema and that must not be sent all the same. One line for each, for the model
 * (contract/openapi.md#calls).
 */
export function argumentFaults(operation: ImportedOperation, argumentsValue: Members): readonly string[] {
  return operation.arguments.flatMap(({ argument, target }) => {
    const value = valueOf(argumentsValue, argument);
    if (value === undefined) return [];
    if (target.in === 'path')
      return pathFaults(pathText(value, target, String)).map((fault) => `${argument}: ${fault}`);
    if (target.in !== 'header') return [];
    const text = simpleText(value, target, String);
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? [] : [`${argument}: must be one line of Latin letters`];
  });
}

/** A value of a path is one segment, and never leads to another path. */
function pathFaults(text: string): readonly string[] {
  if (text === '') return ['must not be empty'];
  const climbs = text.split(/[/\\]|%2f|%5c/i).some((part) => /^(\.|%2e){1,2}$/i.test(part));
  return climbs ? ['must not be . or .., and have no such part'] : [];
}

/**
 * Writes a call. The arguments have been checked.
 * @throws Error where the address would not be below `baseUrl`.
 */
export function buildRequest(
  operation: ImportedOperation,
  argumentsValue: Members,
  { baseUrl, callId }: { readonly baseUrl: string; readonly callId: string },
): ApiRequest {
  const path = pathOf(operation, argumentsValue);
  const query = queryOf(operation, argumentsValue);
  const base = new URL(baseUrl);
  const wanted = `${base.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
  const url = new URL(`${base.origin}${wanted}${query === '' ? '' : `?${query}`}`);
  // The address is read the way the server of the API would read it. What comes out must be what was written.
  if (url.origin !== base.origin || url.pathname !== wanted || url.hash !== '')
    throw new Error('the address of this call would lead somewhere else, so it was not made');
  if (url.href.length > longestUrl) throw new Error('the arguments are too long for an address');
  const body = bodyOf(operation, argumentsValue);
  return {
    method: operation.method.toUpperCase(),
    url: url.href,
    headers: {
      ...headersOf(operation, argumentsValue),
      ...(operation.keyHeader === undefined ? {} : { [operation.keyHeader.toLowerCase()]: callId }),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    },
    body: body?.text,
  };
}

function pathOf({ path, arguments: list }: ImportedOperation, argumentsValue: Members): string {
  const values = new Map<string, string>();
  for (const [target, value] of given(list, argumentsValue)) {
    if (target.in === 'path') values.set(target.name, pathText(value, target, encodeURIComponent));
  }
  // Written in one go: a value that looks like a placeholder stays a value.
  return withoutFragment(path).replace(/\{([^{}]*)\}/g, (_placeholder, name: string) => values.get(name) ?? '');
}

function queryOf({ arguments: list }: ImportedOperation, argumentsValue: Members): string {
  const pairs = given(list, argumentsValue).flatMap(([target, value]) =>
    target.in === 'query' ? queryPairs(value, target) : [],
  );
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

function headersOf({ arguments: list }: ImportedOperation, argumentsValue: Members): Readonly<Record<string, string>> {
  const headers = given(list, argumentsValue).flatMap(([target, value]) =>
    target.in === 'header' ? [[target.name.toLowerCase(), simpleText(value, target, String)] as const] : [],
  );
  return Object.fromEntries(headers);
}

function bodyOf(operation: ImportedOperation, argumentsValue: Members): WrittenBody | undefined {
  const there = given(operation.arguments, argumentsValue);
  const whole = there.find(([target]) => target.in === 'body');
  const members = there.flatMap(([target, value]) => (target.in === 'member' ? [[target, value] as const] : []));
  const isWhole = operation.arguments.some(({ target }) => target.in === 'body');
  if (isWhole && whole === undefined) return undefined;
  return writeBody(operation, { whole: whole?.[1], members });
}

/** The arguments of a call that are there, with where they go. */
function given(
  list: ImportedOperation['arguments'],
  argumentsValue: Members,
): readonly (readonly [target: ArgumentTarget, value: unknown])[] {
  return list.flatMap(({ argument, target }) => {
    const value = valueOf(argumentsValue, argument);
    return value === undefined ? [] : [[target, value] as const];
  });
}

function valueOf(argumentsValue: Members, argument: string): unknown {
  return Object.hasOwn(argumentsValue, argument) ? argumentsValue[argument] : undefined;
}
