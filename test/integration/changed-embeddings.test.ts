import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Embedder } from '../../src/core/ports/embedder.ts';
import { openFolder, type OpenedFolder, temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { type EmbeddingServer, sendVectors, startEmbeddingServer } from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';
import { saying, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const pages = {
  'returns.markdown': '# Returns\n\nGoods can be sent back within thirty days.',
  'shipping.markdown': '# Shipping\n\nParcels take two days to every town.',
  'opening.markdown': '# Opening hours\n\nThe shop is open from nine to five.',
};
const same = [['automobile', 'vehicle', 'carriage', 'parcels']];

interface Models {
  readonly earlier: EmbeddingServer;
  readonly later: EmbeddingServer;
  readonly one: Embedder;
  readonly two: Embedder;
}

/** Two models, whose vectors are of different lengths. */
async function twoModels(): Promise<Models> {
  const earlier = await startEmbeddingServer({ same });
  const later = await startEmbeddingServer({ same, dimensions: 128 });
  const { embedder: one } = await openedEmbedder({ baseUrl: earlier.url, model: 'vectors-1' });
  const { embedder: two } = await openedEmbedder({ baseUrl: later.url, model: 'vectors-2', timeout: 60_000 });
  return { earlier, later, one, two };
}

/**
 * Holds the answers to requests for vectors of documents until the returned function is called. The first `answered` requests and all
 * questions are answered at once.
 */
function hold(server: EmbeddingServer, answered = 0): () => void {
  const gate = Promise.withResolvers<undefined>();
  onTestFinished(() => gate.resolve(undefined));
  let count = 0;
  server.answerWith((request, response) => {
    // Texts of documents have a title on a line of its own.
    const isQuestion = !request.texts.some((text) => text.includes('\n'));
    if (!isQuestion) count += 1;
    if (isQuestion || count <= answered) sendVectors(response, request, { same, dimensions: 128 });
    else void gate.promise.then(() => sendVectors(response, request, { same, dimensions: 128 }));
  });
  return () => gate.resolve(undefined);
}

interface Place {
  readonly folder: string;
  readonly index: string;
}

/** A folder whose documents have vectors of the first model. Its source is closed. */
async function indexed(one: Embedder, files: Readonly<Record<string, string>> = pages): Promise<Place> {
  const place = { folder: temporaryFolder(), index: temporaryFolder() };
  writeFiles(place.folder, files);
  const first = await open(place, one);
  await whole(first);
  await first.source.close();
  return place;
}

function open({ folder, index }: Place, embedder: Embedder, others: readonly Embedder[] = []): Promise<OpenedFolder> {
  const settings = { language: 'en', minCosine: 0.3, timeoutMs: 2_000 };
  return openFolder(folder, { embedder, others, index, settings });
}

async function whole(docs: OpenedFolder): Promise<void> {
  await docs.until(() => docs.source.state.vectors?.chunks === docs.source.state.chunks);
}

async function titlesOf(docs: OpenedFolder, query: string): Promise<readonly string[]> {
  const { found } = await docs.source.explain(query, { roles: [] });
  return found.filter(({ outcome }) => outcome === 'found').map(({ title }) => title);
}

async function askedBy(docs: OpenedFolder, query: string): Promise<string | undefined> {
  return (await docs.source.explain(query, { roles: [] })).meaning?.model;
}

describe('the earlier model of a folder (contract/document-folders.md#vectors)', () => {
  // proves service-2.11-94
  it('is asked for questions, and finds by its vectors, until all texts have new ones', async () => {
    const { earlier, later, one, two } = await twoModels();
    const place = await indexed(one);
    const release = hold(later);
    const docs = await open(place, two, [one]);
    await docs.until(() => docs.source.state.vectors?.answering === 'vectors-1' && later.requests.length > 0);
    expect(docs.source.state.vectors).toMatchObject({ model: 'vectors-2', chunks: 0 });
    expect(await titlesOf(docs, 'vehicle')).toEqual(['Shipping']);
    expect(await askedBy(docs, 'vehicle')).toBe('vectors-1');
    expect(await docs.titles('vehicle')).toEqual(['Shipping']);
    expect(earlier.texts()).toContain('vehicle');
    expect(later.texts()).not.toContain('vehicle');
    release();
    await docs.until(() => docs.source.state.vectors?.answering === undefined);
    expect(docs.source.state.vectors).toMatchObject({ model: 'vectors-2', chunks: 3 });
    expect(await titlesOf(docs, 'automobile')).toEqual(['Shipping']);
    expect(await askedBy(docs, 'automobile')).toBe('vectors-2');
    expect(earlier.texts()).not.toContain('automobile');
    await docs.until(() => modelsIn(place.index).join(' ') === 'vectors-2');
  });

  // proves service-2.11-94
  it('is asked nothing more once no entry is that model: words count, and new vectors as they come', async () => {
    const { earlier, later, one, two } = await twoModels();
    const place = await indexed(one);
    const release = hold(later);
    const docs = await open(place, two);
    await docs.until(() => later.requests.length > 0);
    expect(await titlesOf(docs, 'vehicle')).toEqual([]);
    expect(await titlesOf(docs, 'thirty days')).toEqual(['Returns']);
    expect(docs.source.state.vectors?.answering).toBeUndefined();
    release();
    await whole(docs);
    expect(await titlesOf(docs, 'automobile')).toEqual(['Shipping']);
    expect(earlier.texts().filter((text) => !text.includes('\n'))).toEqual([]);
  });

  // proves service-2.11-94
  it('goes on in the next process, as long as its entry is there', async () => {
    const { later, one, two } = await twoModels();
    const place = await indexed(one);
    hold(later);
    for (let life = 0; life < 2; life += 1) {
      const docs = await open(place, two, [one]);
      await docs.until(() => docs.source.state.vectors?.answering === 'vectors-1');
      expect(await titlesOf(docs, 'vehicle')).toEqual(['Shipping']);
      await docs.source.close();
    }
  });

  // proves service-2.11-95
  it('is replaced at once: questions that are under way still find', async () => {
    const { earlier, later, one, two } = await twoModels();
    const place = await indexed(one);
    const release = hold(later);
    const docs = await openFolder(place.folder, {
      ...{ embedder: two, others: [one], index: place.index },
      settings: { language: 'en', minCosine: 0.3, timeoutMs: 40_000 },
    });
    await docs.until(() => docs.source.state.vectors?.answering === 'vectors-1');
    const gate = Promise.withResolvers<undefined>();
    earlier.answerWith((request, response) => {
      void gate.promise.then(() => sendVectors(response, request, { same }));
    });
    const underWay = titlesOf(docs, 'vehicle');
    await vi.waitFor(() => expect(earlier.texts()).toContain('vehicle'));
    release();
    await docs.until(() => docs.source.state.vectors?.answering === undefined);
    expect(await titlesOf(docs, 'automobile')).toEqual(['Shipping']);
    gate.resolve(undefined);
    expect(await underWay).toEqual(['Shipping']);
  });

  // proves service-2.11-95
  it('sends no text twice, though the process ends in between', async () => {
    const { later, one, two } = await twoModels();
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, number) => [`${String(number)}.markdown`, `# Page ${String(number)}\n\nText.`]),
    );
    const place = await indexed(one, files);
    hold(later, 2);
    const first = await open(place, two, [one]);
    await first.until(() => first.source.state.vectors !== undefined && later.requests.length >= 3);
    await first.source.close();
    const answered = later.requests.slice(0, 2).flatMap(({ texts }) => texts);
    const before = later.requests.length;
    later.answerWith(undefined);
    const second = await open(place, two, [one]);
    await whole(second);
    const sent = later.requests.slice(before).flatMap(({ texts }) => texts);
    expect(answered).toHaveLength(64);
    expect(sent).toHaveLength(150 - 64);
    expect(sent.filter((text) => answered.includes(text))).toEqual([]);
  });
});

/** A process on a folder of pages, whose configuration the test rewrites. */
async function server(models: object, more: object) {
  const folder = temporaryFolder();
  const model = await startScriptedModel({ otherwise: saying('Well.') });
  onTestFinished(() => model.close());
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFiles(docs, pages);
  const config = join(folder, 'helper.yaml');
  const write = (entries: object, changed: object): void => {
    const main = { provider: 'openai', baseUrl: model.url, model: 'main', apiKey: 'none' };
    const written = {
      ...{ appName: 'Shop', chatClient: 'main', models: { main, ...entries }, actions: 'none', useRag: true },
      ragSources: [{ type: 'files', name: 'docs', path: docs, language: 'en', minCosine: 0.3 }],
      storage: { path: join(folder, 'data') },
      ...changed,
    };
    writeFileSync(config, JSON.stringify(written));
  };
  write(models, more);
  const url = await startServerProcess({ folder: join(folder, 'data'), config }).url;
  const reload = async (entries: object, changed: object): Promise<string> => {
    write(entries, changed);
    const context = fakeContext(folder);
    await runCommand(['reload', '--config', config], context);
    return context.written() + context.complained();
  };
  /** Asks a question. Resolves with whether the model got the page about shipping. */
  const finds = async (message: string): Promise<boolean> => {
    const chat = await openSse(`${url}/helper/chat`, { body: { message } });
    await chat.next('end');
    return JSON.stringify(model.requests.at(-1)?.body['messages']).includes('Parcels take two days');
  };
  const until = async (message: string, isFound: boolean): Promise<void> => {
    await vi.waitFor(async () => expect(await finds(message)).toBe(isFound), { interval: 50 });
  };
  return { reload, finds, until };
}

const entry = (model: string, { url }: EmbeddingServer): object => ({
  ...{ kind: 'embeddings', provider: 'openai', apiKey: 'none', model, baseUrl: url },
});

describe('a reload (contract/document-folders.md#vectors)', () => {
  // proves service-2.11-98
  it('takes another embeddingGenerator, and finds by the earlier one until that is ready', async () => {
    const { earlier, later } = await twoModels();
    const models = { a: entry('vectors-1', earlier), b: entry('vectors-2', later) };
    const { reload, finds, until } = await server(models, { embeddingGenerator: 'a' });
    await until('vehicle', true);
    const release = hold(later);
    expect(await reload(models, { embeddingGenerator: 'b' })).toContain('Taken: embeddingGenerator.');
    await vi.waitFor(() => expect(later.requests.length).toBeGreaterThan(0));
    expect(await finds('carriage')).toBe(true);
    expect(earlier.texts()).toContain('carriage');
    release();
    await vi.waitFor(async () => {
      expect(await finds('automobile')).toBe(true);
      expect(later.texts()).toContain('automobile');
    });
    expect(later.texts()).not.toContain('carriage');
  });

  // proves service-2.11-98
  it('takes one where there was none, and none where there was one', async () => {
    const { earlier } = await twoModels();
    const models = { a: entry('vectors-1', earlier) };
    const { reload, finds, until } = await server(models, {});
    expect(await finds('vehicle')).toBe(false);
    expect(await reload(models, { embeddingGenerator: 'a' })).toContain('Taken: embeddingGenerator.');
    await until('vehicle', true);
    expect(await reload({}, {})).toContain('Taken: models, embeddingGenerator.');
    expect(await finds('vehicle')).toBe(false);
    expect(await finds('Do parcels get to my town?')).toBe(true);
  });

  // proves service-2.11-98
  it('asks an entry nothing more that is another model now', async () => {
    const { earlier, later } = await twoModels();
    const { reload, finds, until } = await server({ a: entry('vectors-1', earlier) }, { embeddingGenerator: 'a' });
    await until('vehicle', true);
    const release = hold(later);
    expect(await reload({ a: entry('vectors-2', later) }, { embeddingGenerator: 'a' })).toContain('Taken: models.');
    await vi.waitFor(() => expect(later.requests.length).toBeGreaterThan(0));
    expect(await finds('carriage')).toBe(false);
    release();
    await until('automobile', true);
    expect(earlier.texts()).not.toContain('carriage');
    expect(earlier.texts()).not.toContain('automobile');
  });
});

/** The embedding models whose vectors an index has. */
function modelsIn(folder: string): readonly string[] {
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite')) ?? '';
  const database = new SqliteDatabase(join(folder, name), { readonly: true });
  try {
    const sql = 'select distinct identity from model join vector on vector.model = model.id';
    const identities = database.prepare(sql).pluck().all();
    return identities.map((identity) => String(identity).split(' ')[0] ?? '');
  } finally {
    database.close();
  }
}
