import type { HelperSettings, ModelSettings } from './settings.ts';

type HostedKeys = 'hostedTools' | 'hostedMcpServers' | 'chatClient' | 'models';

/** The OpenAI API that `chatClient` uses: the one of its entry. An entry that names none uses `responses` when hosted tools are set. */
export function chatApi(settings: Pick<HelperSettings, HostedKeys>): 'chat' | 'responses' {
  const model = chatEntry(settings);
  if (model?.api !== undefined) return model.api;
  return isOfOpenAi(model) && wantsHosted(settings) ? 'responses' : 'chat';
}

/** Whether the settings name hosted tools or MCP servers of the provider. */
export function wantsHosted({ hostedTools, hostedMcpServers }: Pick<HelperSettings, HostedKeys>): boolean {
  return hostedTools.length > 0 || hostedMcpServers.length > 0;
}

/** Whether the model that answers has a provider with tools of its own (contract/hosted-tools.md). */
export function hasHostedTools(settings: Pick<HelperSettings, HostedKeys>): boolean {
  return isOfOpenAi(chatEntry(settings)) && chatApi(settings) === 'responses';
}

/** The names of the hosted tools that are on. */
export function hostedToolsOn(settings: Pick<HelperSettings, HostedKeys>): HelperSettings['hostedTools'] {
  return hasHostedTools(settings) ? settings.hostedTools : [];
}

function chatEntry({ models, chatClient }: Pick<HelperSettings, HostedKeys>): ModelSettings | undefined {
  return chatClient !== undefined && Object.hasOwn(models, chatClient) ? models[chatClient] : undefined;
}

function isOfOpenAi(model: ModelSettings | undefined): boolean {
  if (model === undefined || model.plugin !== undefined) return false;
  return model.provider === 'openai' || model.provider === 'azure';
}
