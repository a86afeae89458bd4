import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openFolder, temporaryFolder, user, writeFiles } from '../support/document-folder.ts';
import { docxOf, pdfOf } from '../support/office-files.ts';

/** The file of an index. */
function indexFile(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? '');
}

function rowsOf(folder: string, sql: string): readonly unknown[] {
  const database = new SqliteDatabase(indexFile(folder), { readonly: true });
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

function chunkIds(folder: string): readonly unknown[] {
  return rowsOf(folder, 'select id from chunk order by id');
}

describe('a folder of documents (contract/document-folders.md#files)', () => {
  // proves service-2.11-50, service-2.11-52, service-2.11-53
  it('finds Markdown, text, HTML, PDF and Word documents by the words in them', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'notes.md': '# Returns\n\nAn item goes back within thirty days.\n\n## Refunds\n\nMoney comes within a week.\n',
      'opening_hours.txt': 'The shop in the harbour is open on Sundays.',
      'deep/er/gifts.html': '<html lang="en"><h1>Gifts</h1><p>Wrapping paper costs nothing.</p></html>',
      'manual.pdf': pdfOf('Press the green button twice.', 'Batteries last eleven hours.'),
      'jobs.docx': docxOf('Vacancies', 'We look for a carpenter.'),
      'ignored.bin': 'carpenter',
    });
    const docs = await openFolder(folder, { settings: { urlPrefix: 'https://shop.example.com/help', language: 'en' } });
    expect(docs.source.state).toMatchObject({ phase: 'ready', documents: 5, faults: [], faultCount: 0 });
    expect(await docs.find('When does the money come?')).toEqual([
      {
        content: 'Money comes within a week.',
        title: 'Returns › Refunds',
        sourceUrl: 'https://shop.example.com/help/notes.md',
        score: 10,
      },
    ]);
    expect(await docs.titles('Is the shop open on Sunday?')).toEqual(['opening hours']);
    expect(await docs.find('wrapping paper')).toMatchObject([
      { title: 'Gifts', sourceUrl: 'https://shop.example.com/help/deep/er/gifts.html' },
    ]);
    expect(await docs.find('How long do the batteries last?')).toMatchObject([
      { title: 'manual', sourceUrl: 'https://shop.example.com/help/manual.pdf#page=2', metadata: { page: '2' } },
    ]);
    expect(await docs.titles('carpenter')).toEqual(['Vacancies']);
  });

  // proves service-2.11-51
  it('reads only files that include names and exclude does not', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'a/one.markdown': 'the lighthouse one',
      'a/draft-two.markdown': 'the lighthouse two',
      'b/three.markdown': 'the lighthouse three',
      '.hidden/four.markdown': 'the lighthouse four',
    });
    const docs = await openFolder(folder, { settings: { include: ['a/**', '.hidden/**'], exclude: ['**/draft-*'] } });
    expect(await docs.titles('lighthouse')).toEqual(['one']);
  });

  // proves service-2.11-53, service-2.11-54
  it('takes title, address, language and further facts from front matter and from files beside a document', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'one.markdown': '---\ntitle: The One\nurl: /help/one\nauthor: Ann\ntags: [a, b]\n---\nA walrus sleeps.\n',
      'two.pdf': pdfOf('A walrus swims.'),
      'two.pdf.meta.yaml': 'title: The Two\nlanguage: en-GB\nedition: 3\n',
    });
    const docs = await openFolder(folder);
    const found = await docs.find('walrus');
    expect(found.map(({ title, sourceUrl, metadata }) => ({ title, sourceUrl, metadata }))).toEqual(
      expect.arrayContaining([
        { title: 'The One', sourceUrl: '/help/one', metadata: { author: 'Ann', tags: 'a, b' } },
        { title: 'The Two', sourceUrl: undefined, metadata: { edition: '3', page: '1' } },
      ]),
    );
  });

  // proves service-2.11-62
  it('finds words in other forms, without accents, and in scripts without spaces', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'de.markdown':
        '---\nlanguage: de\n---\n# Lieferung\n\nBestellungen werden in drei Tagen geliefert. Rückgaben sind möglich.\n',
      'en.markdown': '---\nlanguage: en\n---\n# Shipping\n\nParcels are delivered by bicycles.\n',
      'ja.markdown': '---\nlanguage: ja\n---\n# 返品\n\n商品は三十日以内に返品できます。\n',
      'pl.markdown': '---\nlanguage: pl\n---\n# Zwroty\n\nZamówienie można anulować przed wysyłką.\n',
    });
    const docs = await openFolder(folder);
    expect(await docs.titles('Wird meine Bestellung geliefert?', null, 1)).toEqual(['Lieferung']);
    expect(await docs.titles('ruckgabe', null, 1)).toEqual(['Lieferung']);
    expect(await docs.titles('Do you deliver by bicycle?', null, 1)).toEqual(['Shipping']);
    expect(await docs.titles('返品するには', null, 1)).toEqual(['返品']);
    expect(await docs.titles('Jak anulować zamówienia?', null, 1)).toEqual(['Zwroty']);
  });
});

describe('the scores of a folder (contract/document-folders.md#scores)', () => {
  const texts = {
    'one.markdown': '---\nlanguage: en\n---\nThe ferry leaves at noon.',
    'two.markdown': '---\nlanguage: en\n---\nThe ferry is closed in winter.',
    'ja.markdown': '---\nlanguage: ja\n---\n返品は三十日以内です。',
  };

  // proves service-2.11-60, service-2.11-61
  it('are 10 for all of a question, less for a part of it, and have a threshold of 4, or of 2 for pairs of characters', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, texts);
    const { source } = await openFolder(folder);
    const ask = (query: string) =>
      source.search(
        { query, maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null },
        AbortSignal.timeout(5_000),
      );
    const { documents, defaultMinScore } = await ask('Is the ferry closed?');
    expect(defaultMinScore).toBe(4);
    expect(documents.map(({ content, score }) => [content.slice(0, 13), score])).toEqual([
      ['The ferry is ', 10],
      ['The ferry lea', expect.closeTo(3.87, 1)],
    ]);
    expect(await ask('返品')).toMatchObject({ defaultMinScore: 2, documents: [{ score: 10 }] });
    expect(await ask('quantum chromodynamics')).toMatchObject({ documents: [] });
  });

  // proves service-2.11-97
  it('keep a question that most words of a single document answer, and drop one that has one of them', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'returns.markdown': '---\nlanguage: en\n---\nGoods can be sent back within 30 days of their delivery.',
    });
    const { source } = await openFolder(folder);
    const outcomeOf = async (question: string) => (await source.explain(question, { roles: [] })).found[0]?.outcome;
    expect(await outcomeOf('Can goods be sent back after a month?')).toBe('found');
    expect(await outcomeOf('When does the museum open on bank holidays, days with snow included?')).toBe(
      'below-threshold',
    );
  });

  it('are explained: what was looked for, what is below the threshold, and what is hidden', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      ...texts,
      'staff.markdown': '---\nlanguage: en\nrequiredRoles: staff\n---\nThe ferry is closed for repair.',
    });
    const { source } = await openFolder(folder);
    const explanation = await source.explain('Is the ferry closed?', { roles: [] });
    expect(explanation.terms.map(({ variants, chunks }) => ({ variants, chunks }))).toEqual([
      { variants: ['ferri'], chunks: 2 },
      { variants: ['close'], chunks: 1 },
    ]);
    expect(explanation.threshold).toBe(4);
    expect(Object.fromEntries(explanation.found.map(({ file, outcome }) => [file, outcome]))).toEqual({
      'two.markdown': 'found',
      'staff.markdown': 'hidden',
      'one.markdown': 'below-threshold',
    });
    const hidden = await source.explain('repair', { roles: [] });
    expect(hidden.found).toMatchObject([{ file: 'staff.markdown', outcome: 'hidden' }]);
    const asStaff = await source.explain('Is the ferry closed?', { roles: ['staff'] });
    expect(asStaff.found.find(({ file }) => file === 'staff.markdown')).toMatchObject({ outcome: 'found' });
  });
});

describe('who may read a folder (contract/document-folders.md#access)', () => {
  // proves service-2.11-57
  it('is narrowed by the source, each folder and the document: all of them must agree', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'open.markdown': 'zebra in the open',
      'staff.markdown': '---\nrequiredRoles: [staff, boss]\n---\nzebra of the staff',
      'inner/.meta.yaml': 'requiredRoles: [staff]\n',
      'inner/plain.markdown': 'zebra of the inner folder',
      'inner/boss.markdown': '---\nrequiredRoles: boss\n---\nzebra of the boss',
      'beside.markdown': 'zebra with a neighbour',
      'beside.meta.yaml': 'requiredRoles: [boss]\n',
    });
    const docs = await openFolder(folder);
    const seenBy = async (...roles: string[]) => [...(await docs.titles('zebra', user(roles), 20))].sort();
    expect(await seenBy()).toEqual(['open']);
    expect(await seenBy('staff')).toEqual(['open', 'plain', 'staff']);
    expect(await seenBy('boss')).toEqual(['beside', 'open', 'staff']);
    expect(await seenBy('boss', 'staff')).toEqual(['beside', 'boss', 'open', 'plain', 'staff']);
    expect(await seenBy('Staff', 'nobody')).toEqual(['open']);
    expect(await docs.titles('zebra', null, 20)).toEqual(['open']);
    const closed = await openFolder(folder, { settings: { requiredRoles: ['member'] } });
    expect(await closed.titles('zebra', user(['staff', 'boss']), 20)).toEqual([]);
    expect(await closed.titles('zebra', user(['member']), 20)).toEqual(['open']);
  });

  // proves service-2.11-57, service-2.11-58
  it('goes by the tenant too, and whoever has none sees what is for all', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'all.markdown': 'zebra for all',
      'acme.markdown': '---\ntenants: [acme]\n---\nzebra for acme',
      'eu.markdown': '---\ntenants: [eu-*]\n---\nzebra for europe',
    });
    const docs = await openFolder(folder);
    const seenBy = async (tenant?: string) => [...(await docs.titles('zebra', user([], tenant), 20))].sort();
    expect(await seenBy()).toEqual(['all']);
    expect(await seenBy('acme')).toEqual(['acme', 'all']);
    expect(await seenBy('eu-west')).toEqual(['all', 'eu']);
    const closed = await openFolder(folder, { settings: { tenants: ['eu-*'] } });
    expect(await closed.titles('zebra', user([], 'acme'), 20)).toEqual([]);
    expect(await closed.titles('zebra', null, 20)).toEqual([]);
  });

  // proves service-2.11-59
  it('is decided before results are counted: what is hidden takes no place', async () => {
    const folder = temporaryFolder();
    const secrets = Array.from({ length: 30 }, (_, index) => [
      `secret-${String(index)}.md`,
      `---\nrequiredRoles: [staff]\n---\n# Zebra zebra\n\nzebra zebra zebra ${String(index)}`,
    ]);
    writeFiles(folder, {
      ...(Object.fromEntries(secrets) as Record<string, string>),
      'public.markdown': `A long text that names a zebra once. ${'Filler words stand here. '.repeat(30)}`,
    });
    const docs = await openFolder(folder);
    expect(await docs.titles('zebra', user([]), 1)).toEqual(['public']);
    expect(await docs.titles('zebra', user(['staff']), 1)).toEqual(['Zebra zebra']);
  });

  // proves service-2.11-55, service-2.11-56
  it('fails closed: facts that cannot be understood leave the document out, and say so', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'fine.markdown': 'zebra',
      'empty-role.markdown': '---\nrequiredRoles:\n---\nzebra',
      'number.markdown': '---\nrequiredRoles: [staff, 7]\n---\nzebra',
      'misspelt.markdown': '---\nrequired_roles: [staff]\n---\nzebra',
      'open-end.markdown': '---\nrequiredRoles: [staff]\nzebra',
      'broken.markdown': '---\nrequiredRoles: [staff\n---\nzebra',
      'inner/.meta.yaml': 'requiredRoles: {staff: yes}\n',
      'inner/below.markdown': 'zebra',
      'page.html': '---\nrequiredRoles: [boss]\n---\n<p>zebra</p>',
      'toml.markdown': '+++\nrequiredRoles = ["boss"]\n+++\nzebra',
      'folder/.meta.yaml/nothing': '',
      'folder/below.markdown': 'zebra',
      'T19.meta.yaml': 'requiredRoles: [boss]\n',
      't19.markdown': 'zebra',
      'nobodys.meta.yaml': 'requiredRoles: [staff]\n',
      'linked.markdown': 'zebra',
      'lost.markdown': 'zebra',
      'shouted.markdown': 'zebra',
      'shouted.META.yaml': 'requiredRoles: [boss]\n',
    });
    const outside = temporaryFolder();
    writeFiles(outside, { 'facts.yaml': 'requiredRoles: [staff]\n' });
    symlinkSync(join(outside, 'facts.yaml'), join(folder, 'linked.meta.yaml'));
    symlinkSync('nowhere', join(folder, 'lost.meta.yaml'));
    const docs = await openFolder(folder);
    expect(await docs.titles('zebra', user(['staff']), 20)).toEqual(['fine']);
    expect(docs.faults()).toEqual({
      'empty-role.markdown': 'has requiredRoles that are not a list of names in its front matter',
      'number.markdown': 'has requiredRoles that are not a list of names in its front matter',
      'misspelt.markdown': 'has "required_roles" instead of "requiredRoles" in its front matter',
      'open-end.markdown': 'begins with front matter that does not end',
      'broken.markdown': 'has YAML that is not valid in its front matter',
      'inner/below.markdown': 'has requiredRoles that are not a list of names in its file .meta.yaml',
      'folder/below.markdown': 'has a file .meta.yaml that is not a regular file',
      'T19.meta.yaml': 'belongs to no document',
      't19.markdown': 'has a file of facts beside it whose name is nearly, but not exactly, its own',
      'nobodys.meta.yaml': 'belongs to no document',
      'linked.markdown': 'has a file linked.meta.yaml that is a link out of the folder',
      'lost.markdown': 'has a file lost.meta.yaml that cannot be read (ENOENT)',
    });
    expect(docs.logged('a document is left out')).toHaveLength(12);
  });
});

describe('a folder that changes (contract/document-folders.md#changes)', () => {
  // proves service-2.11-63
  it('is looked through again: what is new, changed, renamed or gone is found so', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.markdown': 'an albatross', 'b.markdown': 'a buffalo', 'c.markdown': 'a camel' });
    const docs = await openFolder(folder);
    expect(docs.source.state.documents).toBe(3);
    writeFiles(folder, { 'a.markdown': 'an antelope', 'd.markdown': 'a dolphin' });
    unlinkSync(join(folder, 'b.markdown'));
    renameSync(join(folder, 'c.markdown'), join(folder, 'e.markdown'));
    await docs.until(async () => (await docs.titles('antelope dolphin camel', null, 9)).length === 3);
    expect([...(await docs.titles('antelope dolphin camel', null, 9))].sort()).toEqual(['a', 'd', 'e']);
    expect(await docs.titles('albatross buffalo', null, 9)).toEqual([]);
    expect(docs.source.state).toMatchObject({ documents: 3, chunks: 3 });
  });

  // proves service-2.11-64
  it('takes a document from those whom new facts keep out, though its own file is the same', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'inner/a.markdown': 'an albatross' });
    const docs = await openFolder(folder);
    expect(await docs.titles('albatross')).toEqual(['a']);
    writeFiles(folder, { 'inner/.meta.yaml': 'requiredRoles: [staff]' });
    await docs.until(async () => (await docs.titles('albatross')).length === 0);
    expect(await docs.titles('albatross', user(['staff']))).toEqual(['a']);
    rmSync(join(folder, 'inner/.meta.yaml'));
    await docs.until(async () => (await docs.titles('albatross')).length === 1);
  });

  // proves service-2.11-65
  it('keeps its index when it cannot be read, says so, and recovers', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'docs');
    writeFiles(path, { 'a.markdown': 'an albatross' });
    const docs = await openFolder(path);
    renameSync(path, `${path}-away`);
    await docs.until(() => docs.source.state.phase === 'failed');
    expect(docs.faults()).toEqual({ '.': 'cannot be read (ENOENT)' });
    expect(docs.logged('a folder of documents has a fault')).toEqual([
      { file: '.', reason: 'cannot be read (ENOENT)' },
    ]);
    expect(await docs.titles('albatross')).toEqual(['a']);
    renameSync(`${path}-away`, path);
    await docs.until(() => docs.source.state.phase === 'ready');
    expect(docs.faults()).toEqual({});
  });

  // proves service-2.11-71
  it('follows links to files in it, as mounted configurations have them, and to nothing else', async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    writeFiles(outside, { 'secret.markdown': 'an albatross', 'folder/secret.markdown': 'an albatross' });
    writeFiles(folder, { '..2026_data/real.markdown': 'an albatross' });
    symlinkSync('..2026_data', join(folder, '..data'));
    symlinkSync('..data/real.markdown', join(folder, 'real.markdown'));
    symlinkSync(join(outside, 'secret.markdown'), join(folder, 'out.markdown'));
    symlinkSync(join(outside, 'folder'), join(folder, 'out'));
    symlinkSync('nowhere.markdown', join(folder, 'lost.markdown'));
    const docs = await openFolder(folder);
    expect(await docs.titles('albatross', null, 9)).toEqual(['real']);
    expect(docs.faults()).toEqual({
      'out.markdown': 'is a link out of the folder',
      'lost.markdown': 'is a link that leads nowhere (ENOENT)',
    });
  });
});

describe('the index of a folder (contract/document-folders.md#index)', () => {
  // proves service-2.11-66
  it('outlives a restart: what has not changed is not read again', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, { 'a.markdown': 'an albatross', 'b.markdown': 'a buffalo' });
    const first = await openFolder(folder, { index });
    await first.until(() => first.source.state.chunks === 2);
    await first.source.close();
    const before = chunkIds(index);
    writeFiles(folder, { 'b.markdown': 'a bison' });
    const second = await openFolder(folder, { index });
    expect(await second.titles('albatross bison', null, 9)).toHaveLength(2);
    await second.source.close();
    expect(before).toEqual([1, 2]);
    expect(chunkIds(index)).toEqual([1, 3]);
    expect(statSync(indexFile(index)).mode & 0o077).toBe(0);
  });

  // proves service-2.11-67
  it.each([
    ['at its beginning', 0],
    ['in the middle', 4_096 * 3],
  ])('that is damaged %s is named, put aside and made anew', async (_where, at) => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, { 'a.markdown': 'an albatross', 'b.markdown': 'a buffalo' });
    const first = await openFolder(folder, { index });
    await first.source.close();
    const file = indexFile(index);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, at));
    const second = await openFolder(folder, { index });
    expect(await second.titles('albatross buffalo', null, 9)).toHaveLength(2);
    expect(second.logged('the index of documents is damaged: it is made anew')).toMatchObject([
      { putAside: `${file}.damaged` },
    ]);
    expect(readdirSync(index)).toContain(`${file.split('/').at(-1) ?? ''}.damaged`);
  });

  it('is made anew when its documents are said to be in another language', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    writeFiles(folder, { 'a.markdown': 'Bestellungen' });
    const first = await openFolder(folder, { index, settings: { language: 'en' } });
    expect(await first.titles('Bestellung')).toEqual([]);
    await first.source.close();
    const second = await openFolder(folder, { index, settings: { language: 'de' } });
    expect(await second.titles('Bestellung')).toEqual(['a']);
  });

  it('is in one piece when it was made anew: each word is looked up in every piece', async () => {
    const [folder, index] = [temporaryFolder(), temporaryFolder()];
    // This gives more parts than the server writes at once.
    const names = Array.from({ length: 450 }, (_, number) => `page${String(number)}.txt`);
    writeFiles(folder, Object.fromEntries(names.map((name) => [name, `All about ${name}.`])));
    const docs = await openFolder(folder, { index });
    expect(docs.source.state.documents).toBe(450);
    expect(rowsOf(index, 'select count(distinct segid) from words_idx')).toEqual([1]);
  });

  // proves service-2.11-68
  it('that cannot be written is a fault of the source, and no fault of the server', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.markdown': 'an albatross', 'not-a-folder': '' });
    const docs = await openFolder(folder, { index: join(folder, 'not-a-folder') });
    expect(docs.source.state.phase).toBe('failed');
    expect(docs.faults()['.']).toMatch(/cannot be read|cannot be indexed/);
    await expect(docs.titles('albatross')).rejects.toThrow();
  });
});
