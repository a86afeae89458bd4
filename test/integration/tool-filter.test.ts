import { describe, expect, it } from 'vitest';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { allOf } from '../support/in-process-helper.ts';
import { mcpHelper, offeredIn } from '../support/mcp/mcp-helper.ts';
import { startMcpServer } from '../support/mcp/real-mcp-server.ts';
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

describe('a server with 200 actions (contract/tool-filter.md)', () => {
  // proves service-11-50
  it('sends the model all of them where enableToolFiltering is false', async () => {
    const settings = { enableToolFiltering: false };
    const server = await scriptedServer({ scripts: [saying('Hi')], plugin: catalogue(), settings });
    await say(server, 'Where is my parcel?');
    expect(await toolsOf(server, 0)).toHaveLength(200);
  });

  // proves service-11-05
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

  // proves service-11-12
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

  // proves service-11-09
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

  // proves service-11-16
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

/** The text of a plugin with so many tools, whose descriptions have so many words. */
function heavy(count: number, words: number): string {
  return `export default { name: 'heavy', actions: Array.from({ length: ${String(count)} }, (_, index) => ({
      name: 'tool_' + index, description: 'Does number ' + index + '. ' + 'word '.repeat(${String(words)}),
      readOnly: true, parameters: { type: 'object', properties: {} }, execute: () => index + ' ran' })) };`;
}

describe('tools that are too many to be sent whole (contract/tool-filter.md#by-itself)', () => {
  // proves service-11-51
  it.each([
    ['129 tools', heavy(129, 1), {}, false],
    ['128 tools', heavy(128, 1), {}, true],
    ['tools over toolShare of the window', heavy(30, 200), { toolShare: 0.1 }, false],
    ['as many tools under it', heavy(30, 200), { toolShare: 0.9 }, true],
    ['few tools over it', heavy(6, 1_500), { toolShare: 0.3 }, false],
    ['too many tools with a choice that is off', heavy(129, 1), { enableToolFiltering: false }, true],
  ])('are chosen from, unless that is switched off: %s', async (_title, plugin, settings, isWhole) => {
    const overrides = { HELPER__MODELS__MAIN__CONTEXTWINDOW: 'toolShare' in settings ? '16000' : '128000' };
    const server = await scriptedServer({ scripts: [saying('Hi')], plugin, settings, overrides });
    expect(await say(server, 'number 3')).toBe('Hi');
    const sent = await toolsOf(server, 0);
    expect(sent.includes('find_tools')).toBe(!isWhole);
    if (!isWhole) expect(sent.length).toBeLessThan(22);
  });

  // proves service-11-52
  it('go along up to toolShare, and the best one whatever it weighs', async () => {
    const overrides = { HELPER__MODELS__MAIN__CONTEXTWINDOW: '16000' };
    const some = await scriptedServer({ scripts: [saying('Hi')], plugin: heavy(30, 500), overrides });
    await say(some, 'what does a word do?');
    const names = await toolsOf(some, 0);
    expect(names.length).toBeGreaterThan(3);
    expect(names.length).toBeLessThan(13);
    const one = await scriptedServer({ scripts: [saying('Hi')], plugin: heavy(3, 6_000), overrides });
    await say(one, 'word');
    expect(await toolsOf(one, 0)).toHaveLength(2);
  });

  // proves service-11-51
  it('are all sent to the demo model and to an agent, which take what there is', async () => {
    const overrides = { HELPER__CHATCLIENT: 'demo', HELPER__MODELS__DEMO__PROVIDER: 'demo' };
    const server = await scriptedServer({ scripts: [], plugin: heavy(129, 1), overrides });
    expect(server.server.report.warnings.map(({ code }) => code)).not.toContain('HLP1142');
  });

  // proves service-11-53, service-11-54
  it('are weighed and warned of when the server starts', async () => {
    const overrides = { HELPER__MODELS__MAIN__CONTEXTWINDOW: '16000' };
    const plugin = heavy(130, 500);
    const { server } = await scriptedServer({ scripts: [], plugin, overrides });
    const { toolWeight, warnings } = server.report;
    expect(toolWeight).toMatchObject({
      count: 130,
      words: expect.stringContaining('% of the context window') as unknown,
    });
    expect(toolWeight.bytes).toBeGreaterThan(130 * 2_500);
    expect(toolWeight.tokens).toBeGreaterThan(130 * 500);
    expect(toolWeight.share).toBeCloseTo(toolWeight.tokens / 16_000);
    const told = (from: typeof warnings): readonly string[] =>
      from.map(({ code }) => code).filter((code) => code === 'HLP1142' || code === 'HLP1143');
    expect(told(warnings)).toEqual(['HLP1142', 'HLP1143']);
    for (const enableToolFiltering of [true, false]) {
      const other = await scriptedServer({ scripts: [], plugin, overrides, settings: { enableToolFiltering } });
      expect(told(other.server.report.warnings)).toEqual(enableToolFiltering ? [] : ['HLP1142', 'HLP1143']);
    }
  });

  // proves service-11-51, service-11-53, service-11-54
  it('may come from MCP servers while the server runs', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `part_${String(index)}`, description: 'A part.' }));
    const servers = await Promise.all(['one', 'two'].map(() => startMcpServer('new', many)));
    const entries = servers.map(({ url }, index) => ({ name: `s${String(index)}`, serverUrl: url }));
    const { session, model, log } = await mcpHelper(entries, [saying('Hi')]);
    expect((await allOf(session.send('hi'))).at(-1)).toMatchObject({ status: 'completed', text: 'Hi' });
    expect(offeredIn(model, 0)).toContain('find_tools');
    expect(offeredIn(model, 0).length).toBeLessThan(25);
    const told = log.lines.filter(
      ({ fields, message }) => 'code' in fields || message.startsWith('what the tools weigh'),
    );
    expect(told).toContainEqual(expect.objectContaining({ level: 'warn', fields: { code: 'HLP1142' } }));
    expect(told).toContainEqual(
      expect.objectContaining({ level: 'info', fields: expect.objectContaining({ tools: 203 }) as unknown }),
    );
  });
});
