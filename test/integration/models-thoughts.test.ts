import { afterEach, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels } from '../support/opened-models.ts';
import { calling, chunk, ending, type ModelScript, saying, sending } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';
import { fakeTool } from '../support/fake-tool.ts';

const models = new OpenedModels();
afterEach(() => models.close());

/** What a user sees in the end, and the texts that were shown on the way there. */
class Screen extends CollectedText {
  shown = '';
  readonly takenBack: string[] = [];

  override text(escaped: string): void {
    super.text(escaped);
    this.shown += String(JSON.parse(`"${escaped}"`));
  }

  takeBack(): void {
    this.takenBack.push(this.shown);
    this.shown = '';
  }
}

/** Sends each piece as one delta, in a write of its own. */
function written(...pieces: readonly string[]): ModelScript {
  return async (exchange) => {
    for (const content of pieces) {
      await exchange.send(chunk({ content }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await exchange.send(ending());
    exchange.end();
  };
}

const langchain = (url: string) =>
  modelSettings({
    provider: '@langchain/openai',
    class: 'ChatOpenAI',
    options: { model: 'scripted', apiKey: 'none-at-all', configuration: { baseURL: url } },
  });

const ways: readonly (readonly [string, (script: ModelScript, ...more: ModelScript[]) => Promise<ChatModel>])[] = [
  ['the OpenAI wire', async (...scripts) => models.openOn(await models.server(...scripts))],
  [
    "LangChain's packages",
    async (...scripts) => models.open({ main: langchain((await models.server(...scripts)).url) }),
  ],
];

describe.each(ways)('a thought in the text of a reply over %s (contract/models.md#thoughts)', (_way, open) => {
  // proves configuration-3-85
  it.each([
    ['in pieces', ['<think>', '\nThe user says hi.\n', '</think>\n\n', 'Hello', ' you!']],
    ['with tags in pieces', [' \n<th', 'ink>plan', ' <b', ' </thi', 'nk>', '\n\n', ' Hello', ' you!']],
    ['in one piece', ['<think>plan</think>Hello you!']],
    ['that is empty', ['<think>\n\n</think>\n\nHello you!']],
    ['twice', ['<think>a</think>\n<think>b</think>\n\nHello you!']],
  ])('is neither shown nor part of the reply: %s', async (_title, pieces) => {
    const model = await open(written(...pieces));
    const screen = new Screen();
    const reply = await model.run(modelRequest(), screen);
    expect(reply.text).toBe('Hello you!');
    expect(screen.shown).toBe('Hello you!');
    expect(screen.takenBack).toEqual([]);
  });

  // proves configuration-3-86
  it.each([
    ['behind its line', ['The user says hi.\n', '</think>\n\n', 'Hello ', 'you!']],
    ['behind its words', ['The user says', ' hi.</think>Hello ', 'you!']],
    ['in pieces', ['The user says hi.', '\n</thi', 'nk>\n', '\nHello ', 'you!']],
  ])('without its opening tag is taken back once, and waits from then on: %s', async (_title, pieces) => {
    const model = await open(written(...pieces), written(...pieces), written('No', ' thought'), written('Live'));
    const first = new Screen();
    expect((await model.run(modelRequest(), first)).text).toBe('Hello you!');
    expect(first.shown).toBe('Hello you!');
    expect(first.takenBack).toHaveLength(1);
    const second = new Screen();
    expect((await model.run(modelRequest(), second)).text).toBe('Hello you!');
    expect(second.shown).toBe('Hello you!');
    expect(second.takenBack).toEqual([]);
    const third = new Screen();
    expect((await model.run(modelRequest(), third)).text).toBe('No thought');
    expect(third.shown).toBe('No thought');
  });

  // proves configuration-3-87
  it.each([
    'Use `<think>` and `</think>` as tags.',
    'It ends with `</think>` always.',
    '```xml\n</think>\n```\nThat ends it.',
    'A pair such as <think>x</think> is thought.',
    '<thinking about it> is no tag, 3 < 4 and 5 > 4.',
    ' <',
  ])('leaves an answer that speaks of the tags alone: %s', async (text) => {
    const model = await open(written(...(text.match(/[^]{1,5}/gu) ?? [])));
    const screen = new Screen();
    expect((await model.run(modelRequest(), screen)).text).toBe(text);
    expect(screen.shown).toBe(text);
    expect(screen.takenBack).toEqual([]);
  });
});

describe('a thought whose tags are escaped (contract/models.md#thoughts)', () => {
  // proves configuration-3-85
  it('is found all the same', async () => {
    const line = (content: string): string =>
      chunk({ content })
        .replaceAll('<', String.raw`\u003c`)
        .replaceAll('>', String.raw`\u003e`);
    const model = await models.openOn(
      await models.server(sending(line('<think>plan</think>'), line('Hi 1 < 2'), ending())),
    );
    const screen = new Screen();
    expect((await model.run(modelRequest(), screen)).text).toBe('Hi 1 < 2');
    expect(screen.shown).toBe('Hi 1 < 2');
  });
});

describe('a turn of a model that thinks aloud (contract/models.md#thoughts)', () => {
  // proves configuration-3-85
  it('shows, keeps and sends back answers only', async () => {
    const scripted = await models.server(
      async (exchange) => {
        await exchange.send(chunk({ content: '<think>secret plan</think>\n\nLet me look.' }));
        await calling({ name: 'get_order', arguments: { id: 1 } })(exchange);
      },
      saying('<think>', 'secret plan', '</think>', '\n\nIt is open.'),
      saying('Bye.'),
    );
    const { url } = await testHttp({
      model: await models.openOn(scripted),
      toolList: [fakeTool({ name: 'get_order', readOnly: true })],
    });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is 1?' } });
    await stream.closed;
    expect(stream.text()).toBe('Let me look.\n\nIt is open.');
    expect(stream.raw()).not.toContain('secret');
    expect(JSON.stringify(scripted.requests[1]?.body)).not.toContain('secret');
  });

  // proves configuration-3-86
  it('replaces a thought that was shown without its opening tag', async () => {
    const scripted = await models.server(
      calling({ name: 'get_order', arguments: { id: 1 } }),
      written('A secret', ' plan.\n', '</think>\n\n', 'It is ', 'open.'),
    );
    const { url } = await testHttp({
      model: await models.openOn(scripted),
      toolList: [fakeTool({ name: 'get_order', readOnly: true })],
    });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is 1?' } });
    await stream.closed;
    const replaced = stream.frames.findIndex(({ data }) => data?.['replace'] === true);
    expect(stream.frames[replaced]?.data?.['text']).toBe('');
    const after = stream.frames.slice(replaced + 1).filter(({ event }) => event === 'text');
    expect(after.map(({ data }) => data?.['text']).join('')).toBe('It is open.');
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed' });
  });
});
