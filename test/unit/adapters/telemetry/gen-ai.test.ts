import { expect, it } from 'vitest';
import { providerName } from '../../../../src/adapters/telemetry/gen-ai.ts';
import { knownProviders } from '../../../../src/core/base/known-providers.ts';

// proves wire-6-40
it('a provider that is named has its name of the conventions in traces and metrics (contract/operations.md#traces)', () => {
  expect(Object.fromEntries(Object.keys(knownProviders).map((name) => [name, providerName(name)]))).toEqual({
    ...{ anthropic: 'anthropic', deepseek: 'deepseek', groq: 'groq', ollama: 'ollama', openrouter: 'openrouter' },
    ...{ bedrock: 'aws.bedrock', google: 'gcp.gemini', mistral: 'mistral_ai', xai: 'x_ai' },
  });
});
