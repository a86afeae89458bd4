import { describe, expect, it } from 'vitest';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { toolCatalogue } from '../support/tool-catalogue.ts';

/** The text of a plugin with the 200 tools of the catalogue, which read. */
function catalogue(): string {
  const actions = toolCatalogue({ examples: true }).tools.map(({ name, description, examples }) => ({
    name,
    description,
    examples,
  }));
  return `const actions = ${JSON.stringify(actions)};
    export default {
      name: 'many',
      actions: actions.map((action) => ({ ...action, readOnly: true, parameters: { type: 'object' }, execute: () => action.name + ' ran' })),
    };`;
}

/** The names of the tools that the model was sent. */
async function toolsOf({ model }: ScriptedServer, index: number): Promise<readonly string[]> {
  const { tools = [] } = (await model.request(index)).body as { tools?: readonly { function: { name: string } }[] }; // the OpenAI wire
  return tools.map((tool) => tool.function.name);
}

async function say(server: ScriptedServer, message: string): Promise<string> {
  const chat = await openSse(`${server.url}/helper/chat`, { body: { message } });
  await chat.next('end');
  return chat.text();
}

const vectorsAt = (baseUrl: string) => ({
  vectors: { kind: 'embeddings', provider: 'openai', model: 'v', apiKey: 'none', baseUrl, maxRetries: 0 },
});

describe('a server with 200 actions (contract/tool-filter.md)', { timeout: 60_000 }, () => {
  it('sends the model all of them unless enableToolFiltering is on', async () => {
    const server = await scriptedServer({ scripts: [saying('Hi')], plugin: catalogue() });
    await say(server, 'Where is my parcel?');
    expect(await toolsOf(server, 0)).toHaveLength(200);
  });

  it('sends 20 and find_tools with it, or as many as toolFilterMaxTools says', async () => {
    const settings = { enableToolFiltering: true };
    const usual = await scriptedServer({ scripts: [saying('Hi')], plugin: catalogue(), settings });
    await say(usual, 'Where is my parcel?');
    const names = await toolsOf(usual, 0);
    expect(names).toHaveLength(21);
    expect(names).toEqual(expect.arrayContaining(['track_parcel', 'find_tools']));
    const few = await scriptedServer({
      scripts: [saying('Hi')],
      plugin: catalogue(),
      settings: { ...settings, toolFilterMaxTools: 3 },
    });
    await say(few, 'Where is my parcel?');
    expect(await toolsOf(few, 0)).toHaveLength(4);
  });

  it('lets the model find others in the middle of a turn and call them, and keeps them for the conversation', async () => {
    const server = await scriptedServer({
      scripts: [
        calling({ name: 'find_tools', arguments: { query: 'block a bank card' } }),
        calling({ name: 'block_card', arguments: {} }),
        saying('Blocked.'),
        saying('Yes.'),
      ],
      plugin: catalogue(),
      settings: { enableToolFiltering: true, toolFilterMaxTools: 3 },
    });
    const client = await RawHubClient.connect(`${server.url}/helper-hub`);
    client.call('SendMessage', '1', 'Is it going to rain?');
    expect(await client.event('ActionExecuting')).toMatchObject({ action: 'find_tools' });
    expect(await client.result('1')).toMatchObject({ status: 'completed', text: 'Blocked.' });
    expect(await toolsOf(server, 0)).not.toContain('block_card');
    expect(await toolsOf(server, 1)).toContain('block_card');
    expect(JSON.stringify((await server.model.request(2)).body)).toContain('block_card ran');
    client.call('SendMessage', '2', 'Sure?');
    await client.result('2');
    expect(await toolsOf(server, 3)).toContain('block_card');
  });

  it('keeps what a follow-up needs', async () => {
    const server = await scriptedServer({
      scripts: [saying('It is 12 euros.'), saying('It is 20 euros.')],
      plugin: catalogue(),
      settings: { enableToolFiltering: true, toolFilterMaxTools: 5 },
    });
    const client = await RawHubClient.connect(`${server.url}/helper-hub`);
    client.call('SendMessage', '1', 'What is in invoice 17?');
    await client.result('1');
    client.call('SendMessage', '2', 'and the second one?');
    await client.result('2');
    expect(await toolsOf(server, 1)).toContain('get_invoice');
  });

  it('finds tools by what they mean with embeddingGenerator, and asks for the vector of each once', async () => {
    const vectors = await startEmbeddingServer({ same: [['parcel', 'vehicle']] });
    const server = await scriptedServer({
      scripts: [saying('Hi'), saying('Hi')],
      plugin: catalogue(),
      models: vectorsAt(vectors.url),
      settings: { enableToolFiltering: true, embeddingGenerator: 'vectors', toolFilterMinScore: 0.2 },
    });
    await say(server, 'vehicle');
    await say(server, 'vehicle');
    expect(await toolsOf(server, 1)).toContain('track_parcel');
    const texts = vectors.texts();
    expect(texts.filter((text) => text.startsWith('Track parcel.'))).toHaveLength(1);
    expect(texts.filter((text) => text !== 'vehicle')).toHaveLength(200);
  });

  it('goes by words alone while the embedding model is away', async () => {
    const server = await scriptedServer({
      scripts: [saying('Hi')],
      plugin: catalogue(),
      models: vectorsAt('http://127.0.0.1:1/v1'),
      settings: { enableToolFiltering: true, embeddingGenerator: 'vectors' },
    });
    expect(await say(server, 'Where is my parcel?')).toBe('Hi');
    expect(await toolsOf(server, 0)).toContain('track_parcel');
  });
});
