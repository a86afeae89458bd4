import { knownProvider } from '../../core/base/known-providers.ts';
import { untilStopped } from '../../core/base/until-stopped.ts';
import { usualWindow } from '../../core/base/usual-window.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { throughProxy } from '../shared/network/through-proxy.ts';
import { countOf, listOf, objectOf, parsedJson, textOf } from './json-values.ts';
import type { ModelSettings } from './model-settings.ts';
import { openAiEndpoint } from './openai-wire/wire-endpoint.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Milliseconds for all that a server is asked for its window. The first message waits no longer for it. */
const longestMs = 1_000;
const mostBytes = 1024 * 1024;
/** How often a server is asked that has not loaded the model yet. */
const mostAsked = 10;

/** What a server says of a model. */
interface Told {
  readonly tokens: number | undefined;
  /** The model is not loaded: it may say more once it is. */
  readonly mayChange: boolean;
}

/** Sends a GET, or a POST of this body. The answer as a JSON object; undefined for every other one. */
type Ask = (address: string, body?: object) => Promise<Fields | undefined>;

/** The window of a model that a server of one's own has loaded: Ollama, llama.cpp, vLLM, LM Studio (contract/models.md#the-context-window). */
export interface ServerWindow {
  /**
   * How many tokens the model takes and gives; undefined where the server does not tell. What it has told for good is there at once. Never
   * rejects, but with the reason of `signal`.
   */
  tokens(signal: AbortSignal): number | undefined | Promise<number | undefined>;
}

/** Whom to ask for the window of an entry; undefined where the entry says its window, or its server is not one's own. */
export function serverWindow(settings: ModelSettings, log: Pick<Logger, 'debug' | 'info'>): ServerWindow | undefined {
  const { provider, api, plugin, contextWindow } = settings;
  if (plugin !== undefined || contextWindow !== usualWindow) return undefined;
  const isOpenAi = provider === 'openai' && api !== 'responses';
  const base = settings.baseUrl ?? knownProvider(provider)?.baseUrl;
  if ((!isOpenAi && provider !== 'ollama') || base === undefined) return undefined;
  if (provider !== 'ollama' && !isOwnHost(URL.parse(base)?.hostname ?? '')) return undefined;
  return new AskedWindow(settings, log);
}

class AskedWindow implements ServerWindow {
  readonly #settings: ModelSettings;
  readonly #log: Pick<Logger, 'debug' | 'info'>;
  #asked = 0;
  #told: Promise<Told> | undefined;
  /** What the server has told for good. */
  #final: Told | undefined;

  constructor(settings: ModelSettings, log: Pick<Logger, 'debug' | 'info'>) {
    this.#settings = settings;
    this.#log = log;
  }

  tokens(signal: AbortSignal): number | undefined | Promise<number | undefined> {
    return this.#final === undefined ? this.#wait(signal) : this.#final.tokens;
  }

  async #wait(signal: AbortSignal): Promise<number | undefined> {
    if (this.#told === undefined) {
      this.#asked += 1;
      this.#told = this.#ask();
    }
    const told = this.#told;
    const answer = await untilStopped(told, signal);
    if (!answer.mayChange || this.#asked >= mostAsked) this.#final = answer;
    else if (this.#told === told) this.#told = undefined;
    return answer.tokens;
  }

  async #ask(): Promise<Told> {
    const { model = '' } = this.#settings;
    const signal = AbortSignal.timeout(longestMs);
    try {
      const told = await askServer(this.#settings, (address, body) =>
        askJson(address, { body, signal }, this.#settings),
      );
      if (told.tokens !== undefined)
        this.#log.info({ model, contextWindow: told.tokens }, 'the server of the model has told its window');
      return told;
    } catch (error) {
      this.#log.debug({ model, error }, 'the server of the model has not told its window');
      // One that has not started yet may answer the next time. One that is silent would hold up the next message, too.
      return { tokens: undefined, mayChange: !signal.aborted };
    }
  }
}

async function askServer(settings: ModelSettings, ask: Ask): Promise<Told> {
  const { model = '' } = settings;
  const url = new URL(settings.baseUrl ?? knownProvider(settings.provider)?.baseUrl ?? '');
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  const root = base.replace(/\/v1$/, '');
  if (settings.provider === 'ollama') return ofOllama(root, model, ask);
  const listed = listOf((await ask(`${base}/models`))?.['data']).map(objectOf);
  // llama.cpp has one model, under whatever name it is asked for.
  const entry = listed.find((one) => one?.['id'] === model) ?? (listed.length === 1 ? listed[0] : undefined);
  const names = ['max_model_len', 'max_context_length', 'context_length', 'context_window'];
  const said = names.map((name) => countOf(entry?.[name])).find((tokens) => tokens !== undefined && tokens > 0);
  if (said !== undefined) return { tokens: said, mayChange: false };
  switch (textOf(entry?.['owned_by'])) {
    case 'llamacpp':
      return ofLlamaCpp(root, ask);
    case 'library':
      return ofOllama(root, model, ask);
    case 'organization_owner':
      return ofLmStudio(root, model, ask);
    case undefined:
    default:
      return { tokens: undefined, mayChange: false };
  }
}

/** Ollama: what the running model has, else what its file sets. What the model could have says nothing, because Ollama gives it less. */
async function ofOllama(root: string, model: string, ask: Ask): Promise<Told> {
  const names = [model, `${model}:latest`];
  const running = listOf((await ask(`${root}/api/ps`))?.['models'])
    .map(objectOf)
    .find((one) => names.includes(textOf(one?.['name']) ?? '') || names.includes(textOf(one?.['model']) ?? ''));
  const loaded = countOf(running?.['context_length']);
  if (loaded !== undefined && loaded > 0) return { tokens: loaded, mayChange: false };
  const parameters = textOf((await ask(`${root}/api/show`, { model }))?.['parameters']) ?? '';
  const written = /^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1];
  return { tokens: written === undefined ? undefined : Number(written), mayChange: true };
}

async function ofLlamaCpp(root: string, ask: Ask): Promise<Told> {
  const props = await ask(`${root}/props`);
  const own = objectOf(props?.['default_generation_settings']);
  return { tokens: countOf(own?.['n_ctx']) ?? countOf(props?.['n_ctx']), mayChange: false };
}

async function ofLmStudio(root: string, model: string, ask: Ask): Promise<Told> {
  const about = await ask(`${root}/api/v0/models/${encodeURIComponent(model)}`);
  const loaded = countOf(about?.['loaded_context_length']);
  return loaded === undefined
    ? { tokens: countOf(about?.['max_context_length']), mayChange: true }
    : { tokens: loaded, mayChange: false };
}

/** Asks with the headers of the entry's calls, which hold its key. */
async function askJson(
  address: string,
  { body, signal }: { readonly body: object | undefined; readonly signal: AbortSignal },
  settings: ModelSettings,
): Promise<Fields | undefined> {
  const { headers } = openAiEndpoint(settings, { path: '', accept: 'application/json' });
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as const] : []));
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: pairs.map(([name, value]): [string, string] => [name, value]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal,
    ...(await throughProxy()),
  });
  if (!response.ok) await response.body?.cancel();
  return response.ok ? objectOf(parsedJson(await textOfBody(response))) : undefined;
}

async function textOfBody({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const part = read.value as Uint8Array; // what a body of fetch is made of
    bytes += part.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      throw new Error(`the answer has more than ${String(mostBytes)} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Whether a host is a machine of one's own: this one, one of a private network, or one that only a private network names. */
export function isOwnHost(host: string): boolean {
  if (host === '[::1]' || /^\[f[cd]/.test(host)) return true;
  if (/^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)) return /^[\d.]+$/.test(host);
  return host !== '' && (!/[.:]/.test(host) || /\.(?:localhost|local|internal|lan|svc)$/.test(host));
}
