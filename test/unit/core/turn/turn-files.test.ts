import { describe, expect, it } from 'vitest';
import { fileMediaTypes, type FileReading, type MessageFile } from '../../../../src/core/ports/message-file.ts';
import type { FileInput } from '../../../../src/core/turn/live/turn-services.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const note = { name: 'note.txt', contentType: 'text/plain', data: Buffer.from('buy milk').toString('base64') };

function files(read: (file: MessageFile, caller: string) => FileReading | Promise<FileReading>): FileInput {
  return {
    settings: { maxFileBytes: 1_000, maxFilesPerMessage: 4, maxFileCharacters: 20, allowedFileTypes: fileMediaTypes },
    reader: { read: (file, { caller }) => Promise.resolve(read(file, caller)) },
  };
}

const plainly = (file: MessageFile): FileReading => ({ text: Buffer.from(file.data, 'base64').toString() });

function open(options: TestAssistantOptions) {
  const test = testAssistant({ files: files(plainly), ...options });
  return { ...test, session: test.assistant.openSession({ channel: 'hub' }) };
}

describe('a message with files (contract/files.md)', () => {
  // proves service-13-08, service-13-09
  it('brings their text in each round of its turn as untrusted data, and is read once', async () => {
    const read: string[] = [];
    const model = fakeModel({ toolCalls: [call('get_case')] }, { text: 'Milk.' }, { text: 'Yes.' });
    const once = files((file) => {
      read.push(file.name);
      return plainly(file);
    });
    const { session } = open({ model, files: once, toolList: [fakeTool({ name: 'get_case', readOnly: true })] });
    await session.startNow({ text: 'What to buy?', attachments: [note] }).result;
    await session.startNow({ text: 'Sure?' }).result;
    const users = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
    const influencedBy = [{ origin: 'document', title: 'note.txt' }];
    const data = '<data of="file of the user">\n{"name":"note.txt","text":"buy milk"}\n</data>';
    const kept = { role: 'user', text: 'What to buy?\n[file: note.txt]', origin: 'user', influencedBy };
    expect(users[0]).toEqual([{ ...kept, text: `${data}\n${kept.text}`, origin: 'document' }]);
    expect(users[1]).toEqual(users[0]);
    expect(users[2]?.[0]).toEqual(kept);
    expect(read).toEqual(['note.txt']);
  });

  // proves service-13-06
  it('is refused before the model is asked where a file cannot be read', async () => {
    const model = fakeModel({ text: 'ok' });
    const { session, metrics } = open({ model, files: files(() => ({ unreadable: 'locked' })) });
    const turn = session.startNow({ text: 'look', attachments: [note] });
    const reader = readTurn(turn);
    expect(await turn.result).toMatchObject({ status: 'refused', code: 'file_unreadable' });
    expect(reader.events.map(({ type }) => type)).toEqual(['turn-started', 'error-occurred', 'turn-completed']);
    const message = '“note.txt” could not be read. It is protected by a password.';
    expect(reader.events[1]?.fields).toMatchObject({ code: 'file_unreadable', message, retryable: false });
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(metrics)).toContain('file_unreadable');
  });

  // proves service-16-02
  it('reads no other file once one cannot be read', async () => {
    const waiting = Promise.withResolvers<FileReading>();
    const signals: AbortSignal[] = [];
    const { settings } = files(plainly);
    const read: FileInput['reader']['read'] = (file, { signal }) => {
      signals.push(signal);
      if (file.name === 'bad.txt') return Promise.resolve({ unreadable: 'costly' });
      signal.addEventListener('abort', () => {
        waiting.reject(signal.reason as Error); // a turn aborts with an error
      });
      return waiting.promise;
    };
    const { session } = open({ model: fakeModel(), files: { settings, reader: { read } } });
    const attachments = [note, { ...note, name: 'bad.txt' }];
    const turn = session.startNow({ text: 'look', attachments });
    const reader = readTurn(turn);
    expect(await turn.result).toMatchObject({ status: 'refused', code: 'file_unreadable' });
    expect(reader.events[1]?.fields).toMatchObject({ message: expect.stringContaining('“bad.txt”') as string });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  // proves service-13-12
  it('may be sent again where too many files wait', async () => {
    const { session } = open({ model: fakeModel(), files: files(() => ({ unreadable: 'busy' })) });
    const turn = session.startNow({ text: 'look', attachments: [note] });
    const reader = readTurn(turn);
    expect(await turn.result).toMatchObject({ status: 'refused', code: 'overloaded' });
    expect(reader.events[1]?.fields).toMatchObject({ code: 'overloaded', retryable: true });
  });

  // proves service-13-07
  it('tells of each file that was cut, before the reply, and shares the room fairly', async () => {
    const model = fakeModel({ text: 'ok' });
    const { session } = open({ model });
    const long = (name: string) => ({ ...note, name, data: Buffer.from('0123456789abcdef').toString('base64') });
    const turn = session.startNow({
      text: 'look',
      attachments: [long('a.txt'), long('b.txt'), { ...note, data: 'eA==' }],
    });
    const reader = readTurn(turn);
    await turn.result;
    const told = reader.events.filter(({ type }) => type === 'error-occurred').map(({ fields }) => fields);
    expect(told.map(({ code }) => code)).toEqual(['file_cut', 'file_cut']);
    expect(told[0]?.['message']).toBe('Only the beginning of “a.txt” was read: 9 of 16 characters.');
    expect(model.requests[0]?.messages[0]?.text).toContain('"text":"0123456789"');
  });

  it('is stopped while its files are read', async () => {
    const until = Promise.withResolvers<FileReading>();
    const begun = Promise.withResolvers<undefined>();
    const { session } = open({
      model: fakeModel(),
      files: files(() => {
        begun.resolve(undefined);
        return until.promise;
      }),
    });
    const turn = session.startNow({ text: 'look', attachments: [note] });
    await begun.promise;
    await turn.stop('user');
    until.resolve({ text: 'late' });
    expect(await turn.result).toMatchObject({ status: 'stopped' });
  });
});
