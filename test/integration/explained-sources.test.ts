import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { realServer } from '../support/real-server.ts';
import { saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

// A title below has control characters. The command must not print them to a terminal.
const plugin = `
  const answers = [
    { content: 'a', title: 'Below', score: 1 },
    { content: 'b', title: 'Best\\n\\u001b[31mof all', score: 9, sourceUrl: 'https://docs.example/best' },
    { content: 'c', title: 'Salaries', score: 5, requiredRoles: ['Boss'] },
    { content: 'd', title: 'North', score: 4, tenants: ['north-*'] },
  ];
  const asked = (request) => ({ ...answers[1], title: JSON.stringify(request.user?.roles) + request.query });
  let isStarted = false;
  export default {
    name: 'shelf',
    start: () => { isStarted = true; },
    providers: {
      ragSources: [
        { name: 'wiki', search: () => (isStarted ? answers : []) },
        { name: 'orders', search: (request) => [asked(request)], defaultMinScore: 9.5 },
        { name: 'private', search: () => answers, requiredRoles: ['Boss'] },
        { name: 'broken', search: () => { throw new Error('away'); } },
      ],
    },
  };`;

const pages = {
  'parcels.markdown': '# Delivery\n\nParcels take two days to reach a town.',
  'hours.markdown': '# Hours\n\nThe shop is open from nine.',
  'tea.markdown': '# Tea\n\nWe sell green and black tea.',
};

/** A server with these sources, and the output of `helper knowledge` for it. */
async function start(settings: object = {}) {
  const { directory, configuration } = await scriptedConfiguration({ scripts: [], plugin });
  const config = join(directory, 'helper.yaml');
  const storage = { type: 'embedded', path: join(directory, 'data') };
  writeFileSync(config, JSON.stringify({ ...configuration, useRag: true, storage, ...settings }));
  const { server } = await realServer({}, config);
  return {
    server,
    knowledge: async (...words: readonly string[]): Promise<string> => {
      const context = fakeContext(directory);
      await runCommand(['knowledge', '--config', config, ...words], context);
      return context.written();
    },
  };
}

describe('helper knowledge --query of sources that are no folders (contract/knowledge.md#command)', () => {
  // proves service-2.11-26
  it('says what each finds for whom, its threshold, and why the rest is left out', async () => {
    const { knowledge, server } = await start();
    expect(await knowledge('--query', 'Why?')).toBe(
      [
        'wiki (a plugin or callback)',
        '  threshold 2 (where none is set)',
        '     9.0  Best [31mof all (https://docs.example/best)',
        '     5.0  Salaries [may not be read]',
        '     4.0  North [may not be read]',
        '     1.0  Below [too little]',
        '',
        'orders (a plugin or callback)',
        '  threshold 9.5 (its own)',
        '     9.0  undefinedWhy? (https://docs.example/best) [too little]',
        '',
        'private (a plugin or callback)',
        '  may not be searched',
        '',
        'broken (a plugin or callback)',
        '  cannot be asked: away',
        '',
      ].join('\n'),
    );
    const boss = await knowledge('--query', 'Why?', '--as', 'Boss', '--tenant', 'north-1');
    await server.close();
    expect(await knowledge('--query', 'Why?', '--as', 'Boss', '--tenant', 'north-1')).toBe(boss);
    expect(await knowledge('--query', 'Why?', '--tenant', 'south-1')).toContain('North [may not be read]');
    expect(boss).toContain('     5.0  Salaries\n     4.0  North\n');
    expect(boss).toContain('["Boss"]Why?');
    expect(boss).not.toContain('may not be');
  });

  it('goes by ragMinScore where that is set, and asks nothing without a question', async () => {
    const { knowledge, server } = await start({ ragMinScore: 6 });
    expect(await knowledge('--query', 'Why?', '--as', 'Boss')).toContain(
      'threshold 6 (ragMinScore)\n     9.0  Best [31mof all (https://docs.example/best)\n     5.0  Salaries [too little]',
    );
    const listed = 'wiki (a plugin or callback)\n\norders (a plugin or callback)\n\nprivate';
    expect(await knowledge()).toContain(listed);
    await server.close();
    expect(await knowledge()).toContain(listed);
  });
});

/** A folder of pages under each of these names, a small model that writes keywords, and a question about the folders. */
async function folders(named: Readonly<Record<string, object>>, more: object = {}) {
  const small = await startScriptedModel({ otherwise: saying('{"keywords": ["parcels", "days"]}') });
  onTestFinished(() => small.close());
  const { directory, configuration } = await scriptedConfiguration({ scripts: [] });
  const path = join(directory, 'help');
  mkdirSync(path);
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(path, name), text);
  const config = join(directory, 'helper.yaml');
  const { models } = configuration as { readonly models: object }; // scriptedConfiguration names its model
  const settings = {
    ...configuration,
    models: { ...models, small: { provider: 'openai', model: 's', apiKey: 'none', baseUrl: small.url }, ...more },
    useRag: true,
    classifierChatClient: 'small',
    ragSources: Object.entries(named).map(([name, own]) => ({ type: 'files', name, path, language: 'en', ...own })),
    storage: { type: 'embedded', path: join(directory, 'data') },
  };
  writeFileSync(config, JSON.stringify(settings));
  const known = async (): Promise<string> => {
    const context = fakeContext(directory);
    await runCommand(['knowledge', '--config', config, '--query', 'My trousers are late'], context);
    return context.written();
  };
  return { config, known };
}

describe('helper knowledge --query of folders (contract/knowledge.md#command)', () => {
  // proves service-2.11-26
  it.each([
    ['', true],
    [', without a server too', false],
  ])('looks with the keywords of the small model, as a message does, and shows them%s', async (_title, isServed) => {
    const { config, known } = await folders({ help: {} });
    if (isServed) await realServer({}, config);
    await expect.poll(known).toContain('parcels.markdown)');
    const lines = (await known()).split('\n');
    expect(lines).toContain('  and for keywords of the small model: parcel (in 1), day (in 1)');
    expect(lines.find((line) => line.includes('parcels.markdown'))).not.toContain('[too little]');
  });

  // proves service-2.11-26
  it('looks without keywords in a folder whose vectors count, though another folder is looked through with them', async () => {
    const { url } = await startEmbeddingServer();
    const vectors = { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl: url };
    const { config, known } = await folders({ words: {}, meaning: { embeddings: 'vectors' } }, { vectors });
    await realServer({}, config);
    await expect.poll(known).toContain('3 of 3 parts');
    const [byWords, byMeaning] = (await known()).split('meaning (a folder)');
    expect(byWords).toContain('keywords of the small model');
    expect(byMeaning).toContain('from a cosine of');
    expect(byMeaning).not.toContain('keywords of the small model');
  });
});
