/**
 * Names of the OpenTelemetry semantic conventions for generative AI, version 1.41.1. Written down here because the published
 * constants are marked to vanish. What the conventions have no name for begins with `helper.`.
 */
export const attribute = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCall: 'gen_ai.tool.call.id',
  errorType: 'error.type',
  turn: 'helper.turn.id',
  channel: 'helper.channel',
  continued: 'helper.turn.continued',
  turnStatus: 'helper.turn.status',
  actionStatus: 'helper.action.status',
  confirmation: 'helper.confirmation.id',
  confirmationOutcome: 'helper.confirmation.outcome',
  confirmationBy: 'helper.confirmation.by',
  promptPart: 'helper.prompt.part',
} as const;

/** Set only with `observabilityIncludeSensitiveData`. */
export const sensitive = {
  user: 'user.id',
  instructions: 'gen_ai.system_instructions',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  tools: 'gen_ai.tool.definitions',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

const knownProviders: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  '@langchain/anthropic': 'anthropic',
  '@langchain/aws': 'aws.bedrock',
  '@langchain/deepseek': 'deepseek',
  '@langchain/google': 'gcp.gemini',
  '@langchain/google-genai': 'gcp.gemini',
  '@langchain/groq': 'groq',
  '@langchain/mistralai': 'mistral_ai',
  '@langchain/xai': 'x_ai',
};

/** A provider as the conventions call it; one that they do not know stays as it is. */
export function providerName(provider: string): string {
  return knownProviders[provider] ?? provider;
}
