import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import { openOpenAiWire } from '../../src/adapters/models/openai-wire/open-openai-wire.ts';
import { OpenAiWireChatModel } from '../../src/adapters/models/openai-wire/openai-wire-chat-model.ts';
import type { ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { modelSettings as settings, OpenedModels, secretKey as key } from '../support/opened-models.ts';
import { calling, chattering, saying, type ScriptedModel } from '../support/scripted-model.ts';

const tools: readonly ToolDeclaration[] = [
  {
    name: 'get_order',
    description: 'Returns an order.',
    parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  },
];
const models = new OpenedModels();
afterEach(() => models.close());
const server = models.server.bind(models);

describe('the wire model as a LangChain model (architecture.md 4)', () => {
  async function langChainModel(scripted: ScriptedModel): Promise<OpenAiWireChatModel> {
    const model = models.keep(openOpenAiWire(settings({ baseUrl: scripted.url })));
    if (!(model instanceof OpenAiWireChatModel)) throw new Error('another class was opened');
    return Promise.resolve(model);
  }

  it('answers invoke', async () => {
    const model = await langChainModel(await server(saying('Hello there')));
    const message = await model.invoke([new SystemMessage('Be kind.'), new HumanMessage('Hi')]);
    expect(message.text).toBe('Hello there');
    expect(message.usage_metadata).toEqual({ input_tokens: 12, output_tokens: 5, total_tokens: 17 });
    expect(message.response_metadata['model_name']).toBe('scripted');
  });

  it('streams', async () => {
    const model = await langChainModel(await server(saying('a "b" ', 'c')));
    const texts: string[] = [];
    for await (const part of await model.stream('Hi')) texts.push(part.text);
    expect(texts.filter((text) => text !== '')).toEqual(['a "b" ', 'c']);
  });

  it('closes the socket when a stream is left early', async () => {
    const scripted = await server(chattering);
    const model = await langChainModel(scripted);
    for await (const part of await model.stream('Hi')) if (part.text !== '') break;
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('binds tools and hands their calls on', async () => {
    const scripted = await server(
      calling({ name: 'get_order', arguments: { id: 7 } }, { name: 'get_order', arguments: '{bad' }),
    );
    const model = await langChainModel(scripted);
    const declared = { type: 'function', function: { ...tools[0] } };
    const history = [
      new HumanMessage('Where is 7?'),
      new AIMessage({ content: '', tool_calls: [{ id: 'x', name: 'get_order', args: { id: 6 } }] }),
      new ToolMessage({ content: '{}', tool_call_id: 'x' }),
    ];
    const message = await model.bindTools([declared], { tool_choice: 'any' }).invoke(history);
    expect(message.tool_calls).toMatchObject([{ id: 'call_1', name: 'get_order', args: { id: 7 } }]);
    expect(message.invalid_tool_calls).toMatchObject([{ id: 'call_2', args: '{bad' }]);
    const { body } = await scripted.request(0);
    expect(body['tools']).toEqual([declared]);
    expect(body['tool_choice']).toBe('required');
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'x' },
    ]);
  });

  it('keeps the key out of what LangChain serialises', async () => {
    const model = await langChainModel(await server());
    expect(JSON.stringify(model)).not.toContain(key);
  });
});
