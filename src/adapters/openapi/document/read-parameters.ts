import { hasMembers, type Members } from '../../shared/members.ts';
import { isJsonType } from './body-kind.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';
import type { ParameterStyle } from './imported-operation.ts';
import type { DeclaredOperation } from './operation-parts.ts';
import { textIn } from './schema-keywords.ts';

/** A parameter that an argument of the model fills. */
export interface ReadParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Part;
}

/** The parameters of an operation. */
export interface ReadParameters {
  readonly shown: readonly ReadParameter[];
  /** The header that takes the id of the call, as the document spells it. */
  readonly keyHeader: string | undefined;
  /** The parameters as the document declares them, references followed. */
  readonly declared: readonly Members[];
}

const keyHeaderName = 'idempotency-key';
const mostParameters = 100;

/**
 * Headers that no argument of a model sets. They belong to the connection, say who calls, or tell a proxy who does
 * (contract/openapi.md#calls).
 */
const closedHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'baggage', 'connection', 'content-encoding', 'content-length'],
  ...['content-type', 'cookie', 'cookie2', 'date', 'expect', 'forwarded', 'from', 'host', 'http2-settings'],
  ...['keep-alive', 'origin', 'referer', 'set-cookie', 'te', 'traceparent', 'tracestate', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'via', 'x-http-method', 'x-http-method-override', 'x-method-override'],
  ...['x-original-url', 'x-real-ip', 'x-rewrite-url', 'x-user', 'x-remote-user'],
]);
const closedBeginnings = ['proxy-', 'sec-', 'x-forwarded-'];

/** Whether no argument of a model sets this header. */
export function isClosedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return closedHeaders.has(lower) || closedBeginnings.some((beginning) => lower.startsWith(beginning));
}

/**
 * The parameters of an operation and of its path. `configured`: headers that the configuration sets, in lower case.
 * @throws DocumentFault where a call could not be written.
 */
export async function readParameters(
  documents: DocumentSet,
  { part, item, path }: DeclaredOperation,
  configured: ReadonlySet<string>,
): Promise<ReadParameters> {
  const found = new Map<string, Part>();
  for (const { value, ...place } of [item, part]) {
    const list = hasMembers(value) ? value['parameters'] : undefined;
    if (list === undefined) continue;
    if (!Array.isArray(list)) throw new DocumentFault('has parameters that are no list');
    if (list.length > mostParameters) throw new DocumentFault('has too many parameters');
    const each: readonly unknown[] = list;
    for (const declared of each) {
      const parameter = await documents.resolve({ ...place, value: declared });
      const { name, in: location } = hasMembers(parameter.value) ? parameter.value : {};
      if (typeof name !== 'string' || name === '' || typeof location !== 'string')
        throw new DocumentFault('has a parameter without a name or a place');
      // An operation's own parameter replaces that of its path.
      found.set(JSON.stringify([location, location === 'header' ? name.toLowerCase() : name]), parameter);
    }
  }
  const read = [...found.values()].map((parameter) => readParameter(parameter, configured));
  const described = read.flatMap((parameter) => (typeof parameter === 'object' ? [parameter] : []));
  const shown = [...described, ...undescribed(path, described, item)];
  checkPath(path);
  return {
    shown: shown.filter(({ in: location, name }) => location !== 'path' || path.includes(`{${name}}`)),
    keyHeader: read.find((parameter) => typeof parameter === 'string'),
    declared: [...found.values()].map(({ value }) => value as Members), // looked at above
  };
}

/** A parameter for the model, the name of the header for the id of the call, or nothing where the model does not fill it. */
function readParameter(part: Part, configured: ReadonlySet<string>): ReadParameter | string | undefined {
  const declared = part.value as Members; // its name and place have been looked at
  const name = String(declared['name']);
  const required = declared['required'] === true;
  switch (declared['in']) {
    case 'header':
      if (configured.has(name.toLowerCase())) return undefined;
      if (name.toLowerCase() === keyHeaderName) return name;
      if (isClosedHeader(name)) return undefined;
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) throw new DocumentFault('has a header whose name is none');
      return parameterOf(part, 'header', required);
    case 'path':
      return parameterOf(part, 'path', true);
    case 'query':
      return parameterOf(part, 'query', required);
    case 'cookie':
      if (required) throw new DocumentFault(`needs the cookie ${name.slice(0, 100)}, and cookies are never sent`);
      return undefined;
    default:
      throw new DocumentFault(
        `has the parameter ${name.slice(0, 100)} in ${String(declared['in']).slice(0, 50)}, where nothing can be sent`,
      );
  }
}

const stylesOf: Readonly<Record<ReadParameter['in'], readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
};

function parameterOf(part: Part, location: ReadParameter['in'], required: boolean): ReadParameter {
  const declared = part.value as Members; // as above
  const name = String(declared['name']);
  const description = textIn(declared['description'], 500);
  const common = { in: location, name, required, description };
  const { content } = declared;
  if (hasMembers(content)) {
    const [type, media] = Object.entries(content)[0] ?? [];
    if (type === undefined || !isJsonType(type))
      throw new DocumentFault(`has the parameter ${name.slice(0, 100)}, whose content is not JSON`);
    const schema = hasMembers(media) ? media['schema'] : undefined;
    return { ...common, style: 'json', explode: false, schema: { ...part, value: schema } };
  }
  const styles = stylesOf[location];
  const wanted = declared['style'] ?? styles[0];
  const style = styles.find((known) => known === wanted);
  if (style === undefined)
    throw new DocumentFault(`has the parameter ${name.slice(0, 100)} in a style that cannot be written`);
  const { explode } = declared;
  return {
    ...common,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    schema: { ...part, value: declared['schema'] },
  };
}

/** Placeholders of a path that no parameter describes. Generators forget them, and each can only be a text. */
function undescribed(path: string, described: readonly ReadParameter[], at: Part): readonly ReadParameter[] {
  const known = new Set(described.flatMap(({ in: location, name }) => (location === 'path' ? [name] : [])));
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']) => (known.has(name) ? [] : [name]));
  if (names.includes('')) throw new DocumentFault('has a placeholder without a name in its path');
  if (names.length > mostParameters) throw new DocumentFault('has too many parameters');
  return [...new Set(names)].map((name) => ({
    in: 'path',
    name,
    style: 'simple',
    explode: false,
    required: true,
    description: '',
    schema: { ...at, value: { type: 'string' } },
  }));
}

/** A path must stay below the base address, whatever the document says. A fragment is never sent. */
function checkPath(path: string): void {
  const plain = withoutFragment(path).replace(/\{[^{}]*\}/g, 'x');
  const segments = plain.split('/').slice(1);
  const climbs = segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  const isOdd = /[^A-Za-z0-9._~!$&'()*+,;=:@%/-]/.test(plain) || /%(?![0-9a-f]{2})|%(2f|5c|00)/i.test(plain);
  if (climbs || isOdd || plain.startsWith('//')) throw new DocumentFault('has a path that is none');
}

/** A path as it is sent. */
export function withoutFragment(path: string): string {
  const [sent = ''] = path.split('#');
  return sent;
}
