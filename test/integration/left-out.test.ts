import type { StreamResponse, Task } from '@a2a-js/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { a2aClient, asking, taskOf, textOf } from '../support/a2a-client.ts';
import { eventsOf, posting } from '../support/agui-agent.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { bluePixel, fileOf } from '../support/images.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const dot = { name: 'dot.png', contentType: 'image/png', data: bluePixel };
const pdf = { name: 'a.pdf', contentType: 'image/png', data: fileOf('application/pdf') };
const text = { name: 'a.exe', contentType: 'text/plain', data: 'TVo=' };

const onlyJpeg = { enableImageInput: true, allowedImageTypes: ['image/jpeg'] };
const ofType = {
  code: 'image_type_dropped',
  message: 'Left out, because pictures of this type are not taken: dot.png.',
  reason: 'type',
};

async function served(
  settings: object = onlyJpeg,
  scripts = [saying('Hm.'), saying('Hm.'), saying('Hm.'), saying('Hm.')],
) {
  const endpoints = Object.fromEntries(
    ['openai', 'agui'].map((name) => [name, { enabled: true, requireAuthorization: false }]),
  );
  return scriptedServer({ scripts, settings: { a2aServerEnabled: true, endpoints, ...settings } });
}

describe('what was left out of a message (contract/errors.md#codes-in-events)', () => {
  // proves service-18-30, service-18-31, wire-27-01
  it.each([
    ['pictures are off', {}, dot, 'disabled', 'Left out, because such attachments are switched off: dot.png.'],
    ['all attachments are off', {}, text, 'disabled', 'Left out, because such attachments are switched off: a.exe.'],
    [
      ...(['it is no picture', { enableImageInput: true }, pdf, 'no_image'] as const),
      'Left out, because it is no picture that can be read: a.pdf.',
    ],
    ['its type is not taken', onlyJpeg, dot, 'type', ofType.message],
    [
      ...(['no such file is read', { enableFileInput: true }, text, 'type'] as const),
      'Left out, because files of this type are not taken: a.exe.',
    ],
  ])(
    'is told with its reason where %s, over the hub and as a failure frame',
    async (_why, settings, sent, reason, message) => {
      const { url } = await served(settings);
      const code = sent === text && 'enableFileInput' in settings ? 'file_type_dropped' : 'image_type_dropped';
      const hub = await RawHubClient.connect(`${url}/helper-hub`);
      hub.call('SendMessage', '1', 'Look', { attachments: [sent] });
      expect(await hub.event('TurnStarted')).toMatchObject({ warnings: [{ code, name: sent.name, reason }] });
      expect(await hub.event('ErrorOccurred')).toMatchObject({ seq: 2, code, message, retryable: false, reason });
      expect(await hub.result('1')).toMatchObject({ status: 'completed', text: 'Hm.' });
      const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Look', attachments: [sent] } });
      expect((await stream.next('failure')).data).toMatchObject({ code, message, retryable: false, reason });
      expect((await stream.next('end')).data).toMatchObject({ status: 'completed', text: 'Hm.' });
    },
  );

  // proves service-18-31
  it('is told once for each reason, in the configured language, with the first five names', async () => {
    const { url } = await served({ ...onlyJpeg, language: 'German' });
    const attachments = [pdf, ...Array.from({ length: 7 }, (_, index) => ({ ...dot, name: `${String(index)}.png` }))];
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Look', attachments } });
    await stream.closed;
    const told = stream.frames.filter(({ event }) => event === 'failure').map(({ data }) => data?.['message']);
    expect(told).toEqual([
      'Weggelassen, weil es kein lesbares Bild ist: a.pdf.',
      'Weggelassen, weil Bilder dieses Typs nicht angenommen werden: 0.png, 1.png, 2.png, 3.png, 4.png, +2.',
    ]);
  });

  // proves service-18-31
  it('is told without a name where it has none', async () => {
    const { url } = await served();
    const { contentType, data } = dot;
    const stream = await openSse(`${url}/helper/chat`, {
      body: { message: 'Look', attachments: [{ contentType, data }] },
    });
    const { data: told } = await stream.next('failure');
    expect(told?.['message']).toBe('Left out, because pictures of this type are not taken.');
  });

  // proves wire-27-02
  it('is a custom event over AG-UI', async () => {
    const { url } = await served();
    const source = { type: 'data', value: bluePixel, mimeType: 'image/png' };
    const content = [{ type: 'image', source, metadata: { filename: 'dot.png' } }];
    const told = await eventsOf(
      await posting(url, { threadId: 't', runId: 'r', messages: [{ role: 'user', content }] }),
    );
    const custom = told.filter((event) => event.type === 'CUSTOM' && event['name'] === 'ErrorOccurred');
    expect(custom).toMatchObject([{ value: { code: 'image_type_dropped', reason: 'type', retryable: false } }]);
    expect(told.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  });

  // proves wire-27-03
  it('is in the metadata of an A2A task and of its status updates', async () => {
    const { url } = await served();
    const client = await a2aClient(url);
    const raw = { $case: 'raw' as const, value: Buffer.from(bluePixel, 'base64') };
    const picture = { metadata: undefined, filename: 'dot.png', mediaType: 'image/jpeg', content: raw };
    const sent = (): ReturnType<typeof asking> => asking('Look', { message: { parts: [textOf('Look'), picture] } });
    const task: Task = await taskOf(client.sendMessage(sent()));
    expect(task.metadata).toEqual({ warnings: [ofType] });
    expect(task.status?.message).toBeUndefined();
    const updates: StreamResponse[] = [];
    for await (const update of client.sendMessageStream(sent())) updates.push(update);
    const { payload } = updates.at(-1) ?? {};
    expect(payload).toMatchObject({ $case: 'statusUpdate', value: { metadata: { warnings: [ofType] } } });
    const whole = await taskOf(client.sendMessage(asking('Hello')));
    expect(whole.metadata).toBeUndefined();
  });

  // proves wire-27-04
  it('is in `warnings` of a completion, and of the chunk with its reason', async () => {
    const { url } = await served();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
    const content = [{ type: 'image_url' as const, image_url: { url: `data:image/png;base64,${bluePixel}` } }];
    const asked = { model: 'helper', messages: [{ role: 'user' as const, content }] };
    const unnamed = { ...ofType, message: 'Left out, because pictures of this type are not taken.' };
    expect(await client.chat.completions.create(asked)).toMatchObject({ warnings: [unnamed] });
    const chunks: object[] = [];
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) chunks.push(chunk);
    expect(chunks.filter((chunk) => 'warnings' in chunk)).toEqual([chunks.at(-1)]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], warnings: [unnamed] });
    const plain = await client.chat.completions.create({
      model: 'helper',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(plain).not.toHaveProperty('warnings');
  });

  // proves wire-27-04
  it('is in `warnings` of a response, with the files that were cut, and of the last event of its stream', async () => {
    const { url } = await served({ ...onlyJpeg, enableFileInput: true, maxFileCharacters: 1_000 });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
    const file_data = `data:text/plain;base64,${Buffer.from('word '.repeat(400)).toString('base64')}`;
    const input: OpenAI.Responses.ResponseInput = [
      {
        role: 'user',
        content: [
          { type: 'input_file', filename: 'long.txt', file_data },
          { type: 'input_image', image_url: `data:image/png;base64,${bluePixel}`, detail: 'auto' },
        ],
      },
    ];
    const warnings = [{ code: 'image_type_dropped', reason: 'type' }, { code: 'file_cut' }];
    expect(await client.responses.create({ model: 'helper', input })).toMatchObject({ status: 'completed', warnings });
    const events: object[] = [];
    for await (const event of await client.responses.create({ model: 'helper', input, stream: true }))
      events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { warnings } });
  });
});
