import { listOfOne, number, text, word, yes } from './attributes.ts';

/**
 * Names of the OpenTelemetry semantic conventions for generative AI, version 1.41.1. They are repeated here because the published constants
 * are deprecated. Names that the conventions lack begin with `helper.`.
 */
export const attribute = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  errorType: 'error.type',
} as const;

/** The attributes of spans, each under its name. A function writes the attribute with the value that it is given. */
export const says = {
  operation: word(attribute.operation),
  provider: word(attribute.provider),
  agent: word('gen_ai.agent.name'),
  workflow: word('gen_ai.workflow.name'),
  conversation: text('gen_ai.conversation.id'),
  requestModel: word(attribute.requestModel),
  isStream: yes('gen_ai.request.stream'),
  responseModel: word('gen_ai.response.model'),
  finishReasons: listOfOne('gen_ai.response.finish_reasons'),
  /** Seconds. */
  timeToFirstChunk: number('gen_ai.response.time_to_first_chunk'),
  inputTokens: number('gen_ai.usage.input_tokens'),
  outputTokens: number('gen_ai.usage.output_tokens'),
  toolName: text('gen_ai.tool.name'),
  toolType: word('gen_ai.tool.type'),
  toolCall: text('gen_ai.tool.call.id'),
  errorType: text(attribute.errorType),
  turn: text('helper.turn.id'),
  channel: word('helper.channel'),
  tenant: word('helper.tenant'),
  isContinued: yes('helper.turn.continued'),
  turnStatus: word('helper.turn.status'),
  actionStatus: word('helper.action.status'),
  confirmation: text('helper.confirmation.id'),
  confirmationOutcome: text('helper.confirmation.outcome'),
  confirmationBy: text('helper.confirmation.by'),
  promptPart: word('helper.prompt.part'),
  guardrail: word('helper.guardrail'),
  verdict: word('helper.guardrail.verdict'),
  dataSource: text('gen_ai.data_source.id'),
  documents: number('helper.retrieval.documents'),
} as const;

/** Attributes that are sent only with `observabilityIncludeSensitiveData`. */
export const saysOfUsers = {
  user: text('user.id'),
  instructions: text('gen_ai.system_instructions'),
  input: text('gen_ai.input.messages'),
  output: text('gen_ai.output.messages'),
  tools: text('gen_ai.tool.definitions'),
  toolArguments: text('gen_ai.tool.call.arguments'),
  toolResult: text('gen_ai.tool.call.result'),
} as const;

const knownProviders: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  '@langchain/anthropic': 'anthropic',
  '@langchain/aws': 'aws.bedrock',
  '@langchain/deepseek': 'deepseek',
  '@langchain/google': 'gcp.gemini',
  '@langchain/google-genai': 'gcp.gemini',
  '@langchain/groq': 'groq',
  '@langchain/mistralai': 'mistral_ai',
  '@langchain/xai': 'x_ai',
};

/** The name of a provider in the conventions. An unknown provider keeps its name. */
export function providerName(provider: string): string {
  return knownProviders[provider] ?? provider;
}
