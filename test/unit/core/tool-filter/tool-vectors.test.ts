import { describe, expect, it } from 'vitest';
import { QuestionVectors } from '../../../../src/adapters/shared/question-vectors.ts';
import type { Embedded, Embedder, EmbedRequest } from '../../../../src/core/ports/embedder.ts';
import { ToolVectors } from '../../../../src/core/tool-filter/tool-vectors.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { endsAfter } from '../../../support/ends-after.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { asking, toolFilter } from '../../../support/tool-choice.ts';
import { wordVector } from '../../../support/word-vector.ts';

const tools = [
  fakeTool({ name: 'track_parcel', title: 'Track', description: 'Where the parcel is.' }),
  fakeTool({ name: 'get_invoice', title: 'Invoice', description: 'Returns the invoice.' }),
  fakeTool({ name: 'book_room', title: 'Book', description: 'Reserves the room.' }),
  fakeTool({ name: 'pay_rent', title: 'Rent', description: 'Pays the landlord.' }),
];
const toolbox = new Toolbox(tools);

/** An embedding model for which some words have the same meaning. `answer` replaces its answers. */
function embedding(answer?: (request: EmbedRequest) => Promise<readonly Embedded[]>) {
  const requests: EmbedRequest[] = [];
  const embedder: Embedder = {
    model: 'words',
    provider: 'test',
    identity: 'words',
    async embed(request) {
      requests.push(request);
      if (answer !== undefined) return answer(request);
      return request.texts.map((text) => ({
        vector: unit(wordVector(text, { dimensions: 512, same: [['parcel', 'delivery']] })),
      }));
    },
    close: () => Promise.resolve(),
  };
  const log = recordingLogger();
  const vectors = new ToolVectors({ embedder, questions: new QuestionVectors(embedder, log), log });
  return { requests, log, vectors, filter: toolFilter({ maxTools: 2, vectors }) };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

describe('tools with an embedding model (contract/tool-filter.md#meaning)', () => {
  // proves service-11-15
  it('are found by what they mean, where no word is shared', async () => {
    const { filter } = embedding();
    expect(await filter.choose(toolbox, asking('about my delivery'))).toEqual(['track_parcel']);
  });

  // proves service-11-15, service-18-22
  it('are near from toolFilterMinScore on, and others are not chosen, whatever words they share', async () => {
    const { vectors } = embedding();
    const strict = toolFilter({ maxTools: 2, minScore: 1, vectors });
    expect(await strict.choose(toolbox, asking('about my delivery'))).toEqual([]);
    expect(await strict.choose(toolbox, asking('my delivery and the rent'))).toEqual([]);
  });

  // proves service-11-15
  it('joins both kinds of ranks', async () => {
    const { filter } = embedding();
    expect(await filter.choose(toolbox, asking('delivery and invoice'))).toEqual(['track_parcel', 'get_invoice']);
  });

  // proves service-11-16
  it('are embedded once, with their examples; a new one alone later', async () => {
    const { filter, requests } = embedding();
    await filter.prepare(toolbox);
    await filter.prepare(toolbox);
    await filter.choose(toolbox, asking('the invoice'));
    const told = fakeTool({ name: 'say_it', title: 'Say', description: 'Says it.', examples: ['Speak up'] });
    await filter.prepare(new Toolbox([...tools, told]));
    const documents = requests.filter(({ purpose }) => purpose === 'document').map(({ texts }) => texts.length);
    expect(documents).toEqual([4, 1]);
    expect(requests.at(-1)?.texts).toEqual(['Say.\nSays it.\nSpeak up']);
  });

  it('are not embedded where all of them are sent', async () => {
    const { vectors, requests } = embedding();
    await toolFilter({ maxTools: 4, vectors }).prepare(toolbox);
    expect(requests).toEqual([]);
  });

  // proves service-11-17
  it('are chosen by words alone when the model fails, with one warning for all messages', async () => {
    const { filter, log, requests } = embedding(() => Promise.reject(new Error('away')));
    for (const text of ['the invoice', 'the room', 'the rent']) await filter.choose(toolbox, asking(text));
    expect(await filter.choose(toolbox, asking('the invoice'))).toContain('get_invoice');
    expect(log.lines.map(({ message }) => message)).toEqual([
      'tools have no vectors: they are chosen by words alone for now',
    ]);
    expect(requests).toHaveLength(1);
  });

  // proves service-11-17
  it('are chosen by words alone when the model does not answer a question, with one warning', async () => {
    const { filter, log } = embedding(async ({ purpose, texts }) => {
      if (purpose === 'question') throw new Error('away');
      return texts.map((text) => ({ vector: unit(wordVector(text, { dimensions: 512 })) }));
    });
    expect(await filter.choose(toolbox, asking('the invoice'))).toContain('get_invoice');
    await filter.choose(toolbox, asking('the rent'));
    expect(log.lines).toHaveLength(1);
  });

  // proves service-11-17
  it('keep one message waiting for half a second at most while vectors are made, and no other one', async () => {
    const { filter, vectors } = embedding(() => new Promise(() => undefined));
    const chosen = await endsAfter(500, () => filter.choose(toolbox, asking('the invoice')));
    expect(chosen).toContain('get_invoice');
    expect(await endsAfter(0, () => filter.choose(toolbox, asking('the rent')))).toContain('pay_rent');
    vectors.close();
  });

  it('end with the turn that is stopped', async () => {
    const { filter, vectors } = embedding(() => new Promise(() => undefined));
    const stop = new AbortController();
    const choosing = filter.choose(toolbox, asking('the invoice', { signal: stop.signal }));
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(choosing).rejects.toBe(reason);
    vectors.close();
  });

  it('are found by words where the model has no vector for them', async () => {
    const { filter } = embedding(async ({ texts }) =>
      texts.map((text) =>
        text.startsWith('Rent') ? { fault: 'is all zero' } : { vector: unit(wordVector(text, { dimensions: 512 })) },
      ),
    );
    expect(await filter.choose(toolbox, asking('the rent'))).toEqual(['pay_rent']);
  });
});
