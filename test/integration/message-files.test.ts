import { describe, expect, it, onTestFinished } from 'vitest';
import { MessageFiles } from '../../src/adapters/knowledge/files/message-files.ts';
import type { MessageFile } from '../../src/core/ports/message-file.ts';
import { recordingLogger } from '../support/quiet.ts';

function opened(): MessageFiles {
  const reader = new MessageFiles(recordingLogger());
  onTestFinished(() => reader.close());
  return reader;
}

function text(name: string): MessageFile {
  return { name, mediaType: 'text/plain', data: Buffer.from(name).toString('base64') };
}

const { signal } = new AbortController();

describe('the reader of the files of messages (contract/files.md#reading)', () => {
  // proves service-13-12
  it('lets callers take turns, so that nobody waits for all the files of somebody else', async () => {
    const reader = opened();
    const read: string[] = [];
    const ask = async (caller: string, name: string): Promise<void> => {
      expect(await reader.read(text(name), { caller, signal })).toEqual({ text: name });
      read.push(name);
    };
    await Promise.all([ask('one', 'a1'), ask('one', 'a2'), ask('one', 'a3'), ask('two', 'b1')]);
    expect(read).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  // proves service-13-12
  it('takes so many and no more, and gives up what waits when it is closed', async () => {
    const reader = opened();
    const waiting = Array.from({ length: 201 }, (_, index) =>
      reader.read(text(String(index)), { caller: String(index), signal }),
    );
    expect(await reader.read(text('more'), { caller: 'x', signal })).toEqual({ unreadable: 'busy' });
    await reader.close();
    expect(new Set((await Promise.all(waiting)).map((reading) => JSON.stringify(reading)))).toEqual(
      new Set(['{"unreadable":"busy"}']),
    );
  });

  // proves service-16-01
  it('gives room to a caller with fewer files, and the caller with the most gives up the newest', async () => {
    const reader = opened();
    const crowd = Array.from({ length: 201 }, (_, index) =>
      reader.read(text(String(index)), { caller: 'many', signal }),
    );
    expect(await reader.read(text('more'), { caller: 'many', signal })).toEqual({ unreadable: 'busy' });
    const one = reader.read(text('one'), { caller: 'one', signal });
    expect(await crowd.at(-1)).toEqual({ unreadable: 'busy' });
    expect(await one).toEqual({ text: 'one' });
    expect(await crowd.at(-2)).toEqual({ text: '199' });
  });

  it('forgets a file whose turn was stopped, while it waits and before', async () => {
    const reader = opened();
    const stopped = new AbortController();
    const first = reader.read(text('first'), { caller: 'one', signal });
    const second = reader.read(text('second'), { caller: 'one', signal: stopped.signal });
    stopped.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    await expect(reader.read(text('third'), { caller: 'one', signal: stopped.signal })).rejects.toThrow('stopped');
    expect(await first).toEqual({ text: 'first' });
  });
});
