import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textHashOf } from '../../src/adapters/knowledge/files/text-hash.ts';
import type { PassageVectorStore } from '../../src/core/ports/passage-vector-store.ts';
import { hasPostgres, ownPostgres, postgresOfRun, type PostgresStorage } from '../support/databases/postgres.ts';
import type { PostgresServer } from '../support/databases/postgres-server.ts';
import { openFolder, type OpenedFolder, temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { type EmbeddingServer, sendRefusal, sendVectors, startEmbeddingServer } from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';
import { openReplica, type ReplicaStores, sharedOf } from '../support/replicas/replica-stores.ts';

const notKept = 'vectors of documents are not kept in the database for now: the model is asked for all';

/** Pages of one passage each. */
function pages(count: number): Readonly<Record<string, string>> {
  const page = (number: number): string => `# Page ${String(number)}\n\nHere zebra${String(number)} lives.`;
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`${String(number)}.markdown`, page(number)]));
}

const postgres = postgresOfRun();

/** An empty database, of the server of the run unless of another. */
async function newDatabase(server?: PostgresServer): Promise<PostgresStorage> {
  const url = await (server ?? (await postgres())).newDatabase();
  return { type: 'postgres', path: '', url, maxConnections: 4 };
}

/** Opens a folder in a process without a lasting disk: its index is in memory. */
async function openOn(
  stores: Pick<ReplicaStores, 'passageVectors'>,
  folder: string,
  model: EmbeddingServer,
): Promise<OpenedFolder> {
  const kept: PassageVectorStore = sharedOf(stores.passageVectors);
  const { embedder } = await openedEmbedder({ baseUrl: model.url });
  return openFolder(folder, { embedder, kept, settings: { language: 'en', minCosine: 0.3 } });
}

function whole(docs: OpenedFolder): Promise<void> {
  return docs.until(() => {
    const { phase, chunks, vectors } = docs.source.state;
    return phase === 'ready' && chunks > 0 && vectors?.chunks === chunks;
  });
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return folder;
}

describe.skipIf(!hasPostgres)('vectors in PostgreSQL (contract/document-folders.md#vectors-in-the-database)', () => {
  // proves configuration-5-88, configuration-5-91
  it('are there for every replica and after every start, also while the model is away, and find the same', async () => {
    const storage = await newDatabase();
    const model = await startEmbeddingServer({ same: [['automobile', 'vehicle']] });
    const folder = folderOf({ ...pages(70), 'car.markdown': '# Parking\n\nA vehicle stands here.' });
    const [one, other] = [await openReplica(storage), await openReplica(storage)];
    const first = await openOn(one, folder, model);
    await whole(first);
    expect(model.texts()).toHaveLength(71);
    const [before] = (await first.source.explain('automobile', { roles: [] })).found;
    const asked = model.texts().length;
    await first.source.close();
    await one.end();
    model.answerWith((request, response) => {
      if (request.texts.join() === 'automobile') sendVectors(response, request, { same: [['automobile', 'vehicle']] });
      else sendRefusal(response, 503, 'away');
    });
    const again = await openOn(other, folder, model);
    await whole(again);
    expect(model.texts()).toHaveLength(asked);
    expect((await again.source.explain('automobile', { roles: [] })).found[0]).toEqual(before);
    model.answerWith(undefined);
    const changed = model.texts().length;
    writeFiles(folder, { '7.markdown': '# Page 7\n\nSomething else stands here now.' });
    await again.until(() => model.texts().length > changed);
    await whole(again);
    expect(model.texts().slice(changed)).toEqual(['Page 7\nSomething else stands here now.']);
    const kept = JSON.stringify(await (await postgres()).query(storage.url, 'select * from passage_vector'));
    expect(kept).toContain(textHashOf('Page 7\nHere zebra7 lives.'));
    expect(kept).not.toMatch(/zebra|vehicle|Page|markdown/u);
  });

  // proves configuration-5-89
  it('are made once by replicas that index at the same time, and by another one where the first one fails', async () => {
    const storage = await newDatabase();
    const model = await startEmbeddingServer();
    const folder = folderOf(pages(70));
    let isRefused = false;
    model.answerWith((request, response) => {
      if (!isRefused) sendRefusal(response, 401, 'not this time');
      else sendVectors(response, request);
      isRefused = true;
    });
    const replicas = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    const opened = await Promise.all(replicas.map((replica) => openOn(replica, folder, model)));
    await Promise.all(opened.map(whole));
    const [, ...answered] = model.requests;
    const texts = answered.flatMap((request) => request.texts);
    expect(new Set(texts).size).toBe(70);
    expect(texts).toHaveLength(70);
  });

  // proves configuration-5-90
  it('are made by the model while the database is away, and are kept once it is back', async () => {
    const server = await ownPostgres();
    const storage = await newDatabase(server);
    const model = await startEmbeddingServer();
    const folder = folderOf(pages(70));
    const replica = await openReplica(storage);
    let isStopped = false;
    model.answerWith((request, response) => {
      // The database goes while the second batch is made.
      const stopped = !isStopped && model.requests.length > 1 ? server.stop() : Promise.resolve();
      isStopped ||= model.requests.length > 1;
      void stopped.then(() => sendVectors(response, request));
    });
    const docs = await openOn(replica, folder, model);
    await whole(docs);
    expect(await docs.titles('zebra69')).toContain('Page 69');
    expect(docs.logged(notKept)).toHaveLength(1);
    expect(new Set(model.texts().filter((text) => text.startsWith('Page'))).size).toBe(70);
    await server.run();
    await docs.until(async () => {
      const rows = await server.query(storage.url, 'select 1 from passage_vector where numbers is not null');
      return rows.length === 70;
    });
    expect(docs.source.state).toMatchObject({ phase: 'ready' });
  });

  // proves configuration-5-90
  it('are made by the model when the database answers too late', async () => {
    const storage = await newDatabase();
    const model = await startEmbeddingServer();
    const replica = await openReplica(storage);
    const holding = new Client({ connectionString: storage.url });
    onTestFinished(() => holding.end());
    await holding.connect();
    await holding.query('begin; lock table passage_vector in access exclusive mode');
    const docs = await openOn(replica, folderOf(pages(40)), model);
    expect(await docs.titles('zebra39')).toContain('Page 39');
    await whole(docs);
    // PostgreSQL itself would have given up the lock later.
    expect(docs.logged(notKept)).toMatchObject([{ error: { name: 'TimeoutError' } }]);
  });
});
