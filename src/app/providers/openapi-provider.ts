import type { OpenapiSource } from '../../adapters/openapi/openapi-source.ts';
import { isLoopback } from '../../config/warnings.ts';
import type { ToolProvider } from './tool-provider.ts';

/** What of an API its provider needs. */
type ProvidingApi = Pick<
  OpenapiSource,
  'settings' | 'offer' | 'fault' | 'state' | 'keepTrying' | 'renewHeaders' | 'close'
>;

type Warning = ReturnType<ToolProvider['warnings']>[number];

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
export const openapiWarningCodes = {
  documentMissing: 'HLP1180',
  operationRefused: 'HLP1181',
  nothingNamed: 'HLP1182',
  documentBroken: 'HLP1183',
  plainText: 'HLP1184',
} as const;

/** The most warnings of one kind for one document. More would hide the other warnings. */
const mostWarnings = 10;

/** The operations of an API that were imported (contract/openapi.md). `place`: where the API is configured. */
export function openapiProvider(
  source: ProvidingApi,
  place: { readonly file: string; readonly path: string },
): ToolProvider {
  const { name } = source.settings;
  return {
    name: `API "${name}"`,
    offer: () => ({ tools: source.offer?.tools ?? [], pages: [] }),
    placeOf: () => place,
    start: (changed) => {
      source.keepTrying(changed);
      return Promise.resolve();
    },
    // The assistant lacks the actions of an API until its document was read (contract/openapi.md#documents).
    readiness: () => [{ name: `openapi:${name}`, state: source.state }],
    warnings: () => warningsOf(source, place.path),
    takeSecrets: ({ actions }) => {
      const own = actions === 'none' ? undefined : actions.openapi.find((entry) => entry.name === name);
      if (own !== undefined) source.renewHeaders(own.headers);
    },
    close: () => source.close(),
  };
}

function warningsOf({ settings, offer, fault }: ProvidingApi, path: string): readonly Warning[] {
  const { plainText, documentMissing } = openapiWarningCodes;
  const insecure = sendsSecretsPlainly(settings)
    ? [{ code: plainText, message: `${path}: the headers travel over plain http, where others can read them.` }]
    : [];
  if (offer !== undefined) return [...insecure, ...offerWarnings(offer, path)];
  const missing = 'It is read again while the server runs, and its actions are missing until then';
  return [
    ...insecure,
    { code: documentMissing, message: `${path}: the document ${fault ?? 'was not read'}. ${missing}.` },
  ];
}

function offerWarnings(
  { refused, breaches, unmatched }: NonNullable<ProvidingApi['offer']>,
  path: string,
): readonly Warning[] {
  const { operationRefused, nothingNamed, documentBroken } = openapiWarningCodes;
  return [
    ...upToTen(refused, ({ id, place, reason }) => ({
      code: operationRefused,
      message: `${path}: ${id.slice(0, 200)} (${place}) is left out, because it ${reason}.`,
    })),
    ...upToTen(unmatched, (glob) => ({
      code: nothingNamed,
      message: `${path}.operations: "${glob}" names no operation of the document.`,
    })),
    ...upToTen(breaches, (breach) => ({
      code: documentBroken,
      message: `${path}: the document breaks OpenAPI in ${breach}. It is imported as far as it can be read.`,
    })),
  ];
}

function upToTen<Item>(items: readonly Item[], warn: (item: Item) => Warning): readonly Warning[] {
  const shown = items.slice(0, mostWarnings).map(warn);
  const [first] = shown;
  const more = items.length - shown.length;
  return more === 0 || first === undefined
    ? shown
    : [...shown, { code: first.code, message: `… and ${String(more)} more of this kind.` }];
}

function sendsSecretsPlainly({ headers, baseUrl }: ProvidingApi['settings']): boolean {
  if (Object.keys(headers).length === 0) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== 'https:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
