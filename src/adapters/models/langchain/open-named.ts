import type { KnownProvider } from '../../../core/base/known-providers.ts';
import type { ChatModel } from '../../../core/ports/chat-model.ts';
import { agentOfProxy, hasProxy } from '../../shared/network/network.ts';
import type { ModelSettings } from '../model-settings.ts';
import { anthropicCache } from './anthropic-cache.ts';
import { bedrockCache } from './bedrock-cache.ts';
import { type LangChainServices, openPackageModel } from './open-langchain.ts';

/** Builds a model of a provider that is named, and is spoken to through a package that the server brings along. */
export async function openNamedModel(
  settings: ModelSettings,
  spoken: NonNullable<KnownProvider['package']>,
  services: LangChainServices,
): Promise<ChatModel> {
  const isBedrock = settings.provider === 'bedrock';
  const options = isBedrock ? await bedrockOptions(settings) : anthropicOptions(settings);
  const cache = isBedrock ? bedrockCache(settings.model) : anthropicCache;
  return openPackageModel(
    { ...settings, class: spoken.class, options: { ...options, ...settings.options } },
    { provider: settings.provider ?? spoken.name, package: spoken.name },
    { ...services, cache },
  );
}

function anthropicOptions({ baseUrl, headers = {} }: ModelSettings): Readonly<Record<string, unknown>> {
  return {
    ...(baseUrl === undefined ? {} : { anthropicApiUrl: baseUrl }),
    ...(Object.keys(headers).length === 0 ? {} : { clientOptions: { defaultHeaders: headers } }),
  };
}

/** Without a key, the credentials of the environment hold, as for every program of AWS. */
async function bedrockOptions(settings: ModelSettings): Promise<Readonly<Record<string, unknown>>> {
  const { apiKey, baseUrl, options = {} } = settings;
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  if (options['region'] === undefined && region === undefined)
    throw new Error('options.region is missing, and so is AWS_REGION of the environment');
  if (baseUrl !== undefined && !baseUrl.startsWith('https://')) throw new Error('baseUrl must be an https address');
  const { NodeHttpHandler } = await import('@smithy/node-http-handler');
  return {
    ...(apiKey === undefined ? {} : { bedrockBearerToken: apiKey }),
    ...(region === undefined ? {} : { region }),
    ...(baseUrl === undefined ? {} : { endpointHost: new URL(baseUrl).host }),
    // By itself the client of AWS speaks HTTP/2, which goes through no proxy.
    clientOptions: { requestHandler: new NodeHttpHandler(hasProxy() ? { httpsAgent: agentOfProxy('https:') } : {}) },
  };
}
