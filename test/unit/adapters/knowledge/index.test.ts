import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReadDocument } from '../../../../src/adapters/knowledge/files/reader/messages.ts';
import { makeChunks } from '../../../../src/adapters/knowledge/files/reader/make-chunks.ts';
import { FactFiles } from '../../../../src/adapters/knowledge/files/worker/fact-files.ts';
import { findFiles, findLimits } from '../../../../src/adapters/knowledge/files/worker/find-files.ts';
import { openIndex } from '../../../../src/adapters/knowledge/files/worker/index-database.ts';
import { IndexSearch } from '../../../../src/adapters/knowledge/files/worker/index-search.ts';
import { IndexWriter } from '../../../../src/adapters/knowledge/files/worker/index-writer.ts';
import { temporaryFolder } from '../../../support/document-folder.ts';

const settings = { name: 'docs', path: '/', requiredRoles: [], trusted: false, refreshMs: 1_000, timeoutMs: 1_000 };

function openMemory() {
  const { database } = openIndex(null);
  onTestFinished(() => {
    database.close();
  });
  const search = new IndexSearch(database, settings);
  const find = (query: string, roles: readonly string[] = []) => {
    const reader = { roles, tenant: null };
    const answer = search.answer({ kind: 'search', query, maxResults: 10, reader });
    return answer.kind === 'found' ? answer.documents : [];
  };
  return { database, writer: new IndexWriter(database), search, find };
}

function documentOf(title: string, text: string, roles: readonly (readonly string[])[] = []): ReadDocument {
  const chunks = makeChunks([{ path: [], text }], { title, language: 'en' });
  return { title, url: null, language: 'en', metadata: {}, audience: { roles, tenants: [] }, chunks };
}

const store = (path: string, document: ReadDocument) =>
  ({ kind: 'store', path, stamp: '1', hash: path, document }) as const;

describe('an index (contract/document-folders.md#index)', () => {
  it('never gives the number of a part to another one', () => {
    const { database, writer } = openMemory();
    const numbers = () => database.prepare('select id from chunk').pluck().all();
    writer.write([store('a.markdown', documentOf('A', 'one'))]);
    expect(numbers()).toEqual([1]);
    writer.write([{ kind: 'remove', path: 'a.markdown' }]);
    writer.write([store('b.markdown', documentOf('B', 'two'))]);
    expect(numbers()).toEqual([2]);
  });

  it('keeps nothing of a document that was removed, not even its words', () => {
    const { database, writer, search, find } = openMemory();
    writer.write([store('a.markdown', documentOf('Alone', 'aardvark'))]);
    expect(find('aardvark')).toHaveLength(1);
    writer.write([{ kind: 'remove', path: 'a.markdown' }]);
    search.forget();
    expect(find('aardvark')).toEqual([]);
    while (writer.tidy());
    database.exec("insert into words (words) values ('optimize')");
    expect(database.prepare('select count(*) from vocabulary').pluck().get()).toBe(0);
  });

  it('is in one piece once all of it has been joined: each lookup looks through every piece', () => {
    const { database, writer, search, find } = openMemory();
    const pieces = () => database.prepare('select count(distinct segid) from words_idx').pluck().get();
    for (let number = 0; number < 30; number += 1) {
      writer.write([
        store(`${String(number)}.markdown`, documentOf(`Page ${String(number)}`, `word${String(number)}`)),
      ]);
    }
    expect(pieces()).toBeGreaterThan(1);
    writer.joinAll();
    while (writer.tidy());
    expect(pieces()).toBe(1);
    search.forget();
    expect(find('word29')).toMatchObject([{ content: 'word29' }]);
  });

  // proves service-2.11-74
  it('tries files that cost too much once a process', () => {
    const { writer } = openMemory();
    const left = { kind: 'leave-out', stamp: '1', hash: 'h', fault: 'took too long' } as const;
    writer.write([
      { ...left, path: 'slow.pdf', isCost: true },
      { ...left, path: 'bad.pdf', isCost: false },
    ]);
    writer.retryCostly();
    const stamps = [...writer.known().values()].map(({ path, stamp, hash }) => [path, stamp, hash]);
    expect(stamps).toEqual(
      expect.arrayContaining([
        ['slow.pdf', '', ''],
        ['bad.pdf', '1', 'h'],
      ]),
    );
  });

  // proves service-2.11-77
  it('whose folder has gone cannot be opened, and makes no folder in its place', () => {
    const folder = join(temporaryFolder(), 'gone');
    expect(() => openIndex(join(folder, 'documents.sqlite'))).toThrow('ENOENT');
    expect(existsSync(folder)).toBe(false);
  });

  it('counts words of a title three times', () => {
    const { writer, find } = openMemory();
    const filler = Array.from({ length: 200 }, (_, index) =>
      store(`f${String(index)}.md`, documentOf(`F${String(index)}`, 'filler')),
    );
    writer.write([
      ...filler,
      store('body.markdown', documentOf('Other', 'Something about badgers here.')),
      store('title.markdown', documentOf('Badgers', 'Something about them here.')),
    ]);
    expect(find('badgers').map(({ title }) => title)).toEqual(['Badgers', 'Other']);
  });

  it('scores by what the caller may read: words of hidden documents leave no trace', () => {
    const scores = [false, true].map((isHiddenThere) => {
      const { writer, find } = openMemory();
      writer.write([store('a.markdown', documentOf('A', 'a ferry')), store('b.markdown', documentOf('B', 'a boat'))]);
      const secret = documentOf('S', 'a merger of quokkas and a ferry', [['staff']]);
      if (isHiddenThere) writer.write([store('s.markdown', secret), store('t.markdown', secret)]);
      return ['ferry merger', 'ferry boat', 'boat quokkas'].map((query) => find(query).map(({ score }) => score));
    });
    expect(scores[0]?.flat()).not.toHaveLength(0);
    expect(scores[1]).toEqual(scores[0]);
  });

  it('finds what a question without one rare word is about, and nothing for words that it does not have', () => {
    const { writer, find } = openMemory();
    const common = Array.from({ length: 1_500 }, (_, index) =>
      store(`f${String(index)}.md`, documentOf(`F${String(index)}`, 'common words everywhere')),
    );
    writer.write([...common, store('rare.markdown', documentOf('Rare', 'common words about an okapi'))]);
    expect(find('common words').length).toBeGreaterThan(0);
    expect(find('common okapi')[0]).toMatchObject({ title: 'Rare', score: 10 });
    expect(find('xylophone')).toEqual([]);
  });

  it.each(['"', '*', 'a" OR "b', 'NEAR(a b)', 'title:secret', '-- drop', '^a', '{a b}', 'AND', '\0', '🦓'])(
    'takes the question %j for words alone',
    (question) => {
      const { writer, find } = openMemory();
      writer.write([store('a.markdown', documentOf('A', 'aardvark', [['staff']]))]);
      expect(find(question)).toEqual([]);
    },
  );
});

describe('the files of facts in a folder (contract/document-folders.md#facts)', () => {
  it('are about all documents below them, or about the one beside them with or without its ending', () => {
    const files = new FactFiles();
    for (const file of ['.meta.yaml', 'a/.meta.yml', 'a/b.meta.yaml', 'a/b.pdf.meta.yaml', 'c.meta.yaml'])
      files.add(file);
    expect(files.about('a/b.pdf')).toEqual(['.meta.yaml', 'a/.meta.yml', 'a/b.meta.yaml', 'a/b.pdf.meta.yaml']);
    expect(files.about('a/b.markdown')).toEqual(['.meta.yaml', 'a/.meta.yml', 'a/b.meta.yaml']);
    expect(files.about('b.markdown')).toEqual(['.meta.yaml']);
    expect(files.unused()).toEqual(['c.meta.yaml']);
  });
});

describe('a folder of 100,000 files (contract/document-folders.md#bad-files)', () => {
  // proves service-2.11-72, wire-11-08
  it('gives the first 20,000 by name, and names the limit', async () => {
    const folder = temporaryFolder();
    for (let part = 0; part < 100; part += 1) {
      const name = join(folder, String(part).padStart(2, '0'));
      mkdirSync(name);
      for (let file = 0; file < 1_000; file += 1) closeSync(openSync(join(name, `${String(file)}.md`), 'w'));
    }
    const { files, faults } = await findFiles({ path: folder }, new AbortController().signal);
    expect(files).toHaveLength(findLimits.documents);
    expect(files.at(-1)?.path.startsWith('19/')).toBe(true);
    expect(faults).toEqual([
      { file: '.', reason: 'holds 100,000 documents: those behind the first 20,000 are left out' },
    ]);
  });
});
