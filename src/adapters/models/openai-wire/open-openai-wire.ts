import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { ModelSettings } from '../model-settings.ts';
import type { ReplyMemory } from '../reply-limits.ts';
import { OpenAiWireChatModel } from './openai-wire-chat-model.ts';
import { azureEndpoint, openAiEndpoint } from './wire-endpoint.ts';

/** Builds the model of an `openai` or `azure` entry with `api: chat`, or of a provider that speaks in OpenAI's way. @throws Error that names the setting at fault. */
export function openOpenAiWire(
  settings: ModelSettings,
  { memory, log }: { readonly memory: ReplyMemory; readonly log: Pick<Logger, 'debug'> },
): ChatModel {
  const provider = settings.provider ?? 'openai';
  const endpoint = provider === 'azure' ? azureEndpoint(settings) : openAiEndpoint(settings);
  const { temperature, maxOutputTokens } = settings;
  return new OpenAiWireChatModel({
    endpoint,
    provider,
    timeoutMs: settings.timeout,
    totalTimeoutMs: settings.totalTimeout,
    limits: settings,
    memory,
    log,
    showsThoughts: settings.showThinking === 'summary',
    extraFields: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { [endpoint.lengthField]: maxOutputTokens }),
      ...settings.options,
    },
  });
}
