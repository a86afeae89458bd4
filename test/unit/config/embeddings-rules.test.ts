import { describe, expect, it } from 'vitest';
import { loadText } from './load-from-text.ts';

const vectors = '{ kind: embeddings, provider: openai, model: v, apiKey: none';

/** The minimal configuration with further models and lines. */
function textWith(models: string, lines = ''): string {
  const chat = lines.includes('chatClient: v') && !lines.includes('classifier') ? lines : `chatClient: demo\n${lines}`;
  return `appName: Desk\nactions: none\nmodels: { demo: { provider: demo }, ${models} }\n${chat}`;
}

function faultsOf(models: string, lines?: string): readonly string[] {
  return loadText(textWith(models, lines)).faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('entries with kind: embeddings (contract/models.md#embeddings)', () => {
  it('are named by embeddingGenerator and by folders', () => {
    const { settings } = loadText(textWith(`v: ${vectors} }`, 'embeddingGenerator: v\n'));
    expect(settings?.embeddingGenerator).toBe('v');
    expect(settings?.models['demo']?.kind).toBe('chat');
  });

  // proves configuration-3-81
  it.each([
    ['chatClient: v\n', 'chatClient: must name a model that answers, and models.v has kind: embeddings'],
    ['classifierChatClient: v\n', 'classifierChatClient: must name a model that answers, and models.v has kind'],
    ['embeddingGenerator: demo\n', 'embeddingGenerator: must name an entry with kind: embeddings, and models.demo is'],
    ['embeddingGenerator: w\n', 'embeddingGenerator: "w" names no entry of models; models has demo, v'],
    [
      'ragSources: [{ type: files, name: a, path: ., embeddings: demo }]\n',
      'ragSources[0].embeddings: must name an entry with kind: embeddings, and models.demo is a model that answers',
    ],
  ])('are told from models that answer: %s', (lines, expected) => {
    expect(faultsOf(`v: ${vectors} }`, lines)).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    ['temperature: 1', 'models.v.temperature: has no effect with kind: embeddings'],
    ['showThinking: summary', 'models.v.showThinking: has no effect with kind: embeddings'],
    ['maxOutputTokens: 5', 'models.v.maxOutputTokens: has no effect with kind: embeddings'],
    ['api: responses', 'models.v.api: has no effect with kind: embeddings'],
    ['fallbacks: [w]', 'models.v.fallbacks: has no effect with kind: embeddings'],
  ])('take nothing that is about answers: %s', (field, expected) => {
    expect(faultsOf(`v: ${vectors}, ${field} }, w: ${vectors} }`)).toEqual([expect.stringContaining(expected)]);
  });

  // proves configuration-3-81
  it('are not the demo model, nor fallbacks of models that answer', () => {
    expect(faultsOf('v: { kind: embeddings, provider: demo }')).toEqual([
      expect.stringContaining('models.v.provider: the demo model has no embeddings'),
    ]);
    expect(faultsOf(`v: ${vectors} }, w: { provider: demo, fallbacks: [v] }`)).toEqual([
      expect.stringContaining('models.w.fallbacks[0]: must name a model that answers'),
    ]);
  });

  it('need what their provider needs, and a service of yours takes no model', () => {
    expect(faultsOf('v: { kind: embeddings, provider: openai, model: v }')).toEqual([
      expect.stringContaining('models.v.apiKey: missing'),
    ]);
    const service =
      '{ type: http, name: a, url: "http://127.0.0.1/", secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3, minCosine: 0.3 }';
    expect(faultsOf(`v: ${vectors} }`, `ragSources: [${service}]\n`)).toEqual([
      expect.stringContaining('ragSources[0].minCosine: has no effect: the source is of the type http'),
    ]);
  });
});
