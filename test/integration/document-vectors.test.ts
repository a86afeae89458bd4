import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { EmbeddingSettings } from '../../src/adapters/models/embeddings/embedding-settings.ts';
import { openFolder, type OpenedFolder, temporaryFolder, user, writeFiles } from '../support/document-folder.ts';
import { type EmbeddingServer, sendRefusal, startEmbeddingServer } from '../support/embedding-server.ts';
import { openedEmbedder } from '../support/opened-embedders.ts';

const pages = {
  'returns.markdown': '# Returns\n\nGoods can be sent back within thirty days.',
  'shipping.markdown': '# Shipping\n\nParcels take two days to every town.',
  'opening.markdown': '# Opening hours\n\nThe shop is open from nine to five.',
};
const same = [
  ['automobile', 'vehicle', 'parcels'],
  ['refund', 'goods'],
];

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly index?: string;
  readonly folder?: string;
  readonly changes?: Partial<EmbeddingSettings>;
  readonly minCosine?: number;
}

/** A folder whose parts get their vectors from a server. */
async function openVectors(server: EmbeddingServer, given: Given = {}): Promise<OpenedFolder> {
  const folder = given.folder ?? temporaryFolder();
  writeFiles(folder, given.files ?? pages);
  const { embedder } = await openedEmbedder({ baseUrl: server.url, ...given.changes });
  return openFolder(folder, {
    embedder,
    settings: { language: 'en', minCosine: given.minCosine ?? 0.3, timeoutMs: 1_000 },
    ...(given.index !== undefined && { index: given.index }),
  });
}

async function whole(docs: OpenedFolder): Promise<void> {
  await docs.until(() => docs.source.state.vectors?.chunks === docs.source.state.chunks);
}

describe('meaning (contract/document-folders.md#meaning)', () => {
  // proves service-2.11-86, service-2.11-89
  it('finds what means the same in other words, in the background, and says what each counts', async () => {
    const server = await startEmbeddingServer({ same });
    const docs = await openVectors(server);
    await whole(docs);
    expect(docs.source.state).toMatchObject({ phase: 'ready', vectors: { model: 'vectors-1', chunks: 3 } });
    expect(server.texts()).toContain('Returns\nGoods can be sent back within thirty days.');
    const [found] = await docs.find('vehicle');
    expect(found).toMatchObject({ title: 'Shipping' });
    expect(found?.score).toBeGreaterThanOrEqual(4);
    const explained = await docs.source.explain('vehicle', { roles: [] });
    expect(explained.meaning).toEqual({ model: 'vectors-1', minCosine: 0.3 });
    expect(explained.found).toEqual([expect.objectContaining({ title: 'Shipping', words: 0, outcome: 'found' })]);
    expect(explained.found[0]?.cosine).toBeGreaterThan(0.3);
  });

  // proves service-2.11-86
  it('is worth the threshold at minCosine, and 10 at a cosine of 1; the better of words and meaning counts', async () => {
    const server = await startEmbeddingServer({ same });
    const docs = await openVectors(server);
    await whole(docs);
    const { found } = await docs.source.explain('Shipping of Parcels: two days every town', { roles: [] });
    const [best] = found;
    expect(best).toMatchObject({ title: 'Shipping', score: 10 });
    const { found: near } = await docs.source.explain('automobile', { roles: [] });
    const cosine = near[0]?.cosine ?? 0;
    expect(near[0]?.score).toBeCloseTo(4 + (6 * (cosine - 0.3)) / 0.7, 1);
  });

  // proves service-2.11-85
  it('finds nothing for a question that is near in neither', async () => {
    const server = await startEmbeddingServer({ same });
    const docs = await openVectors(server);
    await whole(docs);
    expect(await docs.find('Which composers wrote operas about volcanoes?')).toEqual([]);
  });

  // proves service-2.11-84
  it('joins both rankings: what is found by words and by meaning comes before what one of them finds', async () => {
    const server = await startEmbeddingServer({
      same: [
        ['cancel', 'revoke'],
        ['booking', 'reservation'],
      ],
    });
    const files = {
      'a.markdown': '# Meaning\n\nRevoke your reservation here.',
      'b.markdown':
        '# Words\n\nCancel booking, cancel order, cancel everything: numbers, tables, columns, lists, menus, forms, pages.',
      'c.markdown': '# Both\n\nCancel your reservation: revoke the booking.',
    };
    const docs = await openVectors(server, { files });
    await whole(docs);
    expect((await docs.titles('cancel booking'))[0]).toBe('Both');
    expect(await docs.titles('cancel booking')).toContain('Meaning');
  });

  // proves service-2.11-87
  it('looks at what the caller may read, and at nothing else', async () => {
    const server = await startEmbeddingServer({ same });
    const secret = '---\nrequiredRoles: [HR]\n---\n# Salaries\n\nA vehicle for every carrier.';
    const hidden = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [`hr/${String(index)}.markdown`, `${secret} ${String(index)}`]),
    );
    const docs = await openVectors(server, { files: { ...pages, ...hidden } });
    await whole(docs);
    expect(await docs.titles('automobile')).toEqual(['Shipping']);
    expect((await docs.titles('automobile', user(['HR'])))[0]).toBe('Salaries');
    const { found } = await docs.source.explain('automobile', { roles: [] });
    expect(found.filter(({ outcome }) => outcome === 'hidden').length).toBeGreaterThan(0);
  });
});

describe('keywords of a folder (contract/document-folders.md#scores)', () => {
  // proves service-2.11-83
  it('find what shares no word with the question, and need not all be there', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, pages);
    const docs = await openFolder(folder, { settings: { language: 'en' } });
    expect(docs.source.keywordLanguages?.()).toEqual(['en']);
    const question = 'My trousers are too tight, what now?';
    expect(await docs.titlesWith(question, [])).toEqual([]);
    expect(await docs.titlesWith(question, ['goods', 'sent', 'days'])).toEqual(['Returns']);
    expect(await docs.titlesWith(question, ['opera', 'volcano', 'composer', 'days'])).toEqual([]);
    expect((await docs.find(question)).map(({ score }) => score)).toEqual([]);
  });

  // proves service-2.11-82
  it('are not wanted where the meaning counts', async () => {
    const docs = await openVectors(await startEmbeddingServer());
    expect(docs.source.keywordLanguages?.()).toBeUndefined();
  });
});

describe('vectors (contract/document-folders.md#vectors)', () => {
  // proves service-2.11-90
  it('outlive restarts: no text is sent twice, whatever file it stands in', async () => {
    const server = await startEmbeddingServer({ same });
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    const first = await openVectors(server, { folder, index });
    await whole(first);
    await first.source.close();
    const before = server.texts().length;
    const again = await openVectors(server, {
      folder,
      index,
      files: {
        ...pages,
        'deep/copy.markdown': pages['returns.markdown'],
        'new.markdown': '# Gifts\n\nWrapping paper costs nothing.',
      },
    });
    await again.until(() => again.source.state.vectors?.chunks === 5);
    expect(server.texts().slice(before)).toEqual(['Gifts\nWrapping paper costs nothing.']);
  });

  // proves service-2.11-91
  it('of another model replace them in the background', async () => {
    const server = await startEmbeddingServer({ same });
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    const first = await openVectors(server, { folder, index });
    await whole(first);
    await first.source.close();
    const held = Promise.withResolvers<undefined>();
    const other = await startEmbeddingServer({ same, dimensions: 128 });
    other.answerWith((_, response) => {
      void held.promise.then(() => sendRefusal(response, 503, 'not yet'));
    });
    const changed = await openVectors(other, { folder, index, changes: { model: 'vectors-2' } });
    expect(await changed.titles('thirty days')).toContain('Returns');
    expect(vectorsIn(index)).toEqual(['vectors-1']);
    held.resolve(undefined);
    await changed.source.close();
    other.answerWith(undefined);
    const made = await openVectors(other, { folder, index, changes: { model: 'vectors-2' } });
    await whole(made);
    expect((await made.find('automobile'))[0]).toMatchObject({ title: 'Shipping' });
    await made.until(() => vectorsIn(index).join(' ') === 'vectors-2');
  });

  // proves service-2.11-90
  it('of the same model at another address, or with another key, stay', async () => {
    const index = temporaryFolder();
    const folder = temporaryFolder();
    const first = await openVectors(await startEmbeddingServer({ same }), { folder, index });
    await whole(first);
    await first.source.close();
    const moved = await startEmbeddingServer({ same });
    const again = await openVectors(moved, { folder, index, changes: { apiKey: 'sk-another-key-of-today' } });
    await whole(again);
    expect((await again.find('vehicle'))[0]).toMatchObject({ title: 'Shipping' });
    expect(moved.texts()).toEqual(['vehicle']);
  });
});

/** The embedding models whose vectors an index has. */
function vectorsIn(folder: string): readonly string[] {
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite')) ?? '';
  const database = new SqliteDatabase(join(folder, name), { readonly: true });
  try {
    const sql = 'select distinct identity from model join vector on vector.model = model.id';
    return database
      .prepare(sql)
      .pluck()
      .all()
      .map((identity) => String(identity).split(' ')[0] ?? '');
  } finally {
    database.close();
  }
}
