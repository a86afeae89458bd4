/** A provider of models that can be named without its address or its package (contract/models.md#providers). */
export interface KnownProvider {
  /** For people. */
  readonly title: string;
  /** The address of its chat completions and embeddings, where it is spoken to in OpenAI's way. */
  readonly baseUrl?: string;
  /** The LangChain package through which it is spoken to, the class of its models, and the protocol that it speaks. */
  readonly package?: { readonly name: string; readonly class: string; readonly speaks: string };
  /** Whether calls need a key. */
  readonly needsKey: boolean;
  /** Whether it makes vectors in OpenAI's way, too. */
  readonly hasEmbeddings?: boolean;
}

/** Whom a configuration can name, beside `openai`, `azure`, `demo` and packages. */
export const knownProviders: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    title: 'Anthropic',
    package: { name: '@langchain/anthropic', class: 'ChatAnthropic', speaks: 'Anthropic Messages' },
    needsKey: true,
  },
  bedrock: {
    title: 'Amazon Bedrock',
    package: { name: '@langchain/aws', class: 'ChatBedrockConverse', speaks: 'Amazon Bedrock Converse' },
    needsKey: false,
  },
  deepseek: { title: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', needsKey: true },
  google: {
    title: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
    hasEmbeddings: true,
  },
  groq: { title: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', needsKey: true },
  mistral: { title: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', needsKey: true, hasEmbeddings: true },
  ollama: { title: 'Ollama', baseUrl: 'http://localhost:11434/v1', needsKey: false, hasEmbeddings: true },
  openrouter: {
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    hasEmbeddings: true,
  },
  xai: { title: 'xAI', baseUrl: 'https://api.x.ai/v1', needsKey: true },
};

/** The provider of this name; undefined for every other name. */
export function knownProvider(name: string | undefined): KnownProvider | undefined {
  return name !== undefined && Object.hasOwn(knownProviders, name) ? knownProviders[name] : undefined;
}
