import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openFolder, temporaryFolder, writeFiles } from '../../support/document-folder.ts';

const program = new URL('../../../src/adapters/knowledge/files/worker/index-worker.ts', import.meta.url).href;

/** The program of the indexes with two changes: its thread dies at the question "die", and does not answer the question "wait". */
const mortalProgram = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const on = parentPort.on.bind(parentPort);
    parentPort.on = (name, hear) => on(name, (message) => {
      if (message.question?.query === 'die') process.exit(7);
      if (message.question?.query !== 'wait') hear(message);
    });
    await import('${program}');`)}`,
);

async function openMortal() {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a.markdown': 'an albatross' });
  return openFolder(folder, { program: mortalProgram });
}

describe('the thread of the indexes (contract/document-folders.md#index)', () => {
  // proves service-2.11-68
  it('that ends by itself rejects what it was asked, is told of, and begins again', async () => {
    const docs = await openMortal();
    await expect(Promise.all([docs.titles('wait'), docs.titles('die')])).rejects.toThrow(
      'the thread of the document indexes ended',
    );
    expect(docs.source.state.phase).toBe('failed');
    expect(docs.logged('the thread of the document indexes has ended: it is started again')).toHaveLength(1);
    await expect(docs.titles('albatross')).rejects.toThrow('is not running');
    await docs.until(() => docs.source.state.phase === 'ready');
    expect(await docs.titles('albatross')).toEqual(['a']);
  });

  it('gives a search up with the reason of its signal', async () => {
    const { source } = await openMortal();
    const stop = new AbortController();
    const request = { query: 'wait', maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null };
    const asked = source.search(request, stop.signal);
    stop.abort(new Error('the user has stopped'));
    await expect(asked).rejects.toThrow('the user has stopped');
    await expect(source.search(request, stop.signal)).rejects.toThrow('the user has stopped');
  });

  // proves service-2.11-69
  it('lets 200 questions wait and refuses the next one at once', async () => {
    const docs = await openMortal();
    const waiting = Array.from({ length: 200 }, () => docs.titles('wait').catch(() => 'given up'));
    await expect(docs.titles('albatross')).rejects.toThrow('too many questions wait already');
    await docs.source.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']));
  });

  it('answers nothing any more once its source is closed, and can be closed twice', async () => {
    const docs = await openMortal();
    await Promise.all([docs.source.close(), docs.source.close()]);
    await docs.source.close();
    await expect(docs.titles('albatross')).rejects.toThrow('is not running');
  });

  it.each([2, 3])('lets a process with %s folders close all of them and end by itself', (count) => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.markdown': 'an albatross' });
    const program = join(import.meta.dirname, '../../support/closing-process.ts');
    const { status, stdout } = spawnSync(process.execPath, [program, folder, String(count)], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'closed\n' });
  });

  it('works on no question that was given up before its turn', async () => {
    const folder = temporaryFolder();
    const words = Array.from({ length: 1_500 }, (_, index) => `w${String(index)}`);
    const text = `# Albatross\n\n${words.join(' ')}`;
    writeFiles(folder, Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${String(index)}.md`, text])));
    const docs = await openFolder(folder);
    const stop = new AbortController();
    const query = words.join(' ');
    const request = { query, maxResults: 50, recentMessages: [], user: null, pageName: null, pageData: null };
    const asked = Array.from({ length: 200 }, () => docs.source.search(request, stop.signal).catch(() => 'given up'));
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => post.mockRestore());
    stop.abort();
    expect(await docs.titles('albatross', null, 1)).toEqual(['Albatross']);
    expect(post.mock.calls).toMatchObject([[{ kind: 'ask', question: { query: 'albatross' } }]]);
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['given up']));
  });
});
