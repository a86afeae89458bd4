import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareParts } from '../../src/app/open-core.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { temporaryFolder } from '../support/document-folder.ts';
import { recordingLogger } from '../support/quiet.ts';

const folder = { type: 'files', name: 'help', path: '.' };
const service = {
  type: 'http',
  name: 'search',
  url: 'https://search.example/documents',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};
const vectors = { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none' };
const models = { demo: { provider: 'demo' }, vectors, others: { ...vectors, model: 'w' } };

/** The codes of the warnings that a server with these settings gives before it is opened. */
async function codesOf(settings: object): Promise<readonly string[]> {
  const file = join(temporaryFolder(), 'helper.yaml');
  const written = { appName: 'Test', chatClient: 'demo', models, actions: 'none', storage: { type: 'memory' } };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ ...written, ...settings }));
  const parts = await prepareParts(loadSettings({ file, environment: {} }).settings, recordingLogger());
  onTestFinished(() => parts.resources.close(0));
  return parts.prepared.warnings().map(({ code }) => code);
}

describe('warnings about documents (contract/knowledge.md#sources)', () => {
  it.each([
    ['no folder', { useRag: true, ragSources: [service] }, ['HLP1023']],
    [
      'folders with embeddings of their own',
      { useRag: true, ragSources: [{ ...folder, embeddings: 'others' }] },
      ['HLP1023'],
    ],
    ['no documents at all', {}, ['HLP1023']],
    ['documents that are off', { ragSources: [folder] }, ['HLP1036', 'HLP1023']],
    // proves configuration-10-05
    [
      'routing by meaning',
      { strongChatClient: 'strong', routingStrategy: 'Semantic', models: { ...models, strong: { provider: 'demo' } } },
      [],
    ],
    ['a folder', { useRag: true, ragSources: [folder] }, []],
    [
      'one folder that has none of its own',
      {
        useRag: true,
        ragSources: [
          { ...folder, embeddings: 'others' },
          { ...folder, name: 'more' },
        ],
      },
      [],
    ],
  ])('embeddingGenerator with %s', async (_name, settings, codes) => {
    expect(await codesOf({ embeddingGenerator: 'vectors', ...settings })).toEqual(codes);
  });

  it.each([
    ['useRag without a source', { useRag: true }, ['HLP1040']],
    ['sources without useRag', { ragSources: [folder] }, ['HLP1036']],
    ['both', { useRag: true, ragSources: [folder] }, []],
  ])('%s', async (_name, settings, codes) => {
    expect(await codesOf(settings)).toEqual(codes);
  });
});
