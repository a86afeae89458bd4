import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { ModelSettings } from '../model-settings.ts';
import type { ReplyMemory } from '../reply-limits.ts';
import { OpenAiWireChatModel } from './openai-wire-chat-model.ts';
import { azureEndpoint, openAiEndpoint } from './wire-endpoint.ts';

/** Builds the model of an `openai` or `azure` entry with `api: chat`. @throws Error that names the setting at fault. */
export function openOpenAiWire(settings: ModelSettings, memory: ReplyMemory): ChatModel {
  const provider = settings.provider === 'azure' ? 'azure' : 'openai';
  const endpoint = provider === 'azure' ? azureEndpoint(settings) : openAiEndpoint(settings);
  const { temperature, maxOutputTokens } = settings;
  return new OpenAiWireChatModel({
    endpoint,
    provider,
    timeoutMs: settings.timeout,
    totalTimeoutMs: settings.totalTimeout,
    limits: settings,
    memory,
    extraFields: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { [endpoint.lengthField]: maxOutputTokens }),
      ...settings.options,
    },
  });
}
