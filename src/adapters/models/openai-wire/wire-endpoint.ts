import { knownProvider } from '../../../core/base/known-providers.ts';
import { secretCleaner } from '../model-secrets.ts';
import type { ModelSettings } from '../model-settings.ts';

/** Where the calls of one model go. `headers` hold the key: never log this object. */
export interface WireEndpoint {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values in turns, as undici takes them. */
  readonly headers: readonly string[];
  /** Cleans a provider's text of secrets. */
  readonly clean: (text: string) => string;
  readonly model: string;
  /** The field of the body for `maxOutputTokens`. Most compatible servers know only the older name. */
  readonly lengthField: 'max_tokens' | 'max_completion_tokens';
}

type EndpointSettings = Pick<
  ModelSettings,
  'provider' | 'model' | 'apiKey' | 'baseUrl' | 'endpoint' | 'deployment' | 'apiVersion' | 'headers' | 'options'
>;

const openAiUrl = 'https://api.openai.com/v1';

/** The operation that a provider is asked for. */
interface WireDoor {
  readonly path: string;
  readonly accept: string;
}

/** Chat completions in a stream. */
const chatDoor: WireDoor = { path: 'chat/completions', accept: 'text/event-stream' };
/** Vectors of texts. */
export const embeddingsDoor: WireDoor = { path: 'embeddings', accept: 'application/json' };

/** The endpoint of an `openai` entry, or of a provider that is named. @throws Error that names the missing or wrong setting. */
export function openAiEndpoint(settings: EndpointSettings, door = chatDoor): WireEndpoint {
  const url = urlOf(settings.baseUrl ?? knownProvider(settings.provider)?.baseUrl ?? openAiUrl, 'baseUrl');
  const key = settings.apiKey;
  return {
    origin: url.origin,
    path: `${url.pathname.replace(/\/$/, '')}/${door.path}${url.search}`,
    headers: headersOf(
      { accept: door.accept, ...(hasKey(key) && { authorization: `Bearer ${key}` }) },
      settings.headers,
    ),
    clean: secretCleaner(settings),
    model: required(settings.model, 'model'),
    lengthField: url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens',
  };
}

/** The endpoint of an `azure` entry: one deployment. @throws Error that names the missing or wrong setting. */
export function azureEndpoint(settings: EndpointSettings, door = chatDoor): WireEndpoint {
  const url = urlOf(required(settings.endpoint, 'endpoint'), 'endpoint');
  const deployment = required(settings.deployment, 'deployment');
  const version = encodeURIComponent(required(settings.apiVersion, 'apiVersion'));
  const key = settings.apiKey;
  const base = `${url.pathname.replace(/\/$/, '')}/openai/deployments/${encodeURIComponent(deployment)}`;
  return {
    origin: url.origin,
    path: `${base}/${door.path}?api-version=${version}`,
    headers: headersOf({ accept: door.accept, ...(hasKey(key) && { 'api-key': key }) }, settings.headers),
    clean: secretCleaner(settings),
    model: settings.model ?? deployment,
    lengthField: 'max_completion_tokens',
  };
}

/** Whether to send a key. The text `none` stands for servers that need none. */
function hasKey(key: string | undefined): key is string {
  return key !== undefined && key !== '' && key !== 'none';
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
}

function urlOf(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`${name} must be an http or https address`);
  }
  if (url.username !== '' || url.password !== '')
    throw new Error(`${name} must not hold a password: use apiKey or headers`);
  return url;
}

function headersOf(
  own: Readonly<Record<string, string>>,
  configured: Readonly<Record<string, string>> | undefined,
): readonly string[] {
  const merged = new Headers({ 'content-type': 'application/json', ...own });
  for (const [name, value] of Object.entries(configured ?? {})) {
    try {
      merged.set(name, value);
    } catch {
      // The platform's own message would quote the value, which may be a key.
      throw new Error(`headers.${name} is not a valid HTTP header`);
    }
  }
  return [...merged].flat();
}
