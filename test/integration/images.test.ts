import { describe, expect, it } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { bluePixel, fileOf } from '../support/images.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const cat = { name: 'cat.png', contentType: 'image/png', data: bluePixel };
const pdf = { name: 'a.pdf', contentType: 'image/png', data: fileOf('application/pdf') };
const shown = [
  { type: 'text', text: 'What is this?\n[image: cat.png]' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${bluePixel}` } },
];

function seeing(settings: object = {}): Promise<ScriptedServer> {
  const scripts = [saying('A cat.'), saying('A cat.'), saying('A cat.')];
  return scriptedServer({ scripts, settings: { enableImageInput: true, ...settings } });
}

describe('images of a message (contract/images.md)', () => {
  // proves service-2.5-01
  it('reach the model over the hub; what is no image is left out with a warning', async () => {
    const { url, model } = await seeing();
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'What is this?', { attachments: [cat, pdf] });
    expect(await client.event('TurnStarted')).toMatchObject({
      warnings: [{ code: 'image_type_dropped', name: 'a.pdf' }],
    });
    expect(await client.result('1')).toMatchObject({ status: 'completed', text: 'A cat.' });
    expect((await model.request(0)).body['messages']).toContainEqual({ role: 'user', content: shown });
    client.call('SendMessage', '2', 'Really?');
    await client.result('2');
    const later = (await model.request(1)).body['messages'];
    expect(later).toContainEqual({ role: 'user', content: 'What is this?\n[image: cat.png]' });
    expect(JSON.stringify(later)).not.toContain('image_url');
  });

  // proves service-2.5-01
  it('reach the model over a POST (contract/sse.md#asking)', async () => {
    const { url, model } = await seeing();
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'What is this?', attachments: [cat] } });
    expect((await stream.next('end')).data).toMatchObject({ status: 'completed' });
    expect((await model.request(0)).body['messages']).toContainEqual({ role: 'user', content: shown });
  });

  // proves service-2.5-02
  it('may be as many and as large as the settings say, over both ways in', async () => {
    const { url, model } = await seeing();
    const largest = { ...cat, data: fileOf('image/png', 4_194_304) };
    const attachments = [largest, largest, largest, largest];
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'look', { attachments });
    expect(await client.result('1')).toMatchObject({ status: 'completed' });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'look', attachments } });
    expect((await stream.next('end')).data).toMatchObject({ status: 'completed' });
    for (const index of [0, 1]) {
      const text = JSON.stringify((await model.request(index)).body['messages']);
      expect(text.split('"image_url":').length - 1).toBe(4);
      expect(text).toContain(largest.data);
    }
  });

  it.each([
    ['too_many_images', [cat, cat, cat]],
    ['image_too_large', [{ ...cat, data: fileOf('image/png', 1_001) }]],
  ])('refuse their turn as %s, over both ways in', async (code, attachments) => {
    const { url } = await seeing({ maxImagesPerMessage: 2, maxImageBytes: 1_000 });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'look', { attachments });
    expect(await client.result('1')).toMatchObject({ status: 'refused', code, text: '' });
    expect(await client.event('ErrorOccurred')).toMatchObject({ code, retryable: false });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'look', attachments } });
    expect((await stream.next('failure')).data).toMatchObject({ code });
    expect((await stream.next('end')).data).toMatchObject({ status: 'refused', code });
  });

  it('over what a message may have in all end the connection with the names of the settings, a POST with 413', async () => {
    const { url } = await seeing({ maxImagesPerMessage: 1, maxImageBytes: 1_000 });
    const attachments = [{ ...cat, data: fileOf('image/png', 500_000) }];
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'look', { attachments });
    const close = await client.next(({ type }) => type === 7);
    expect(close['error']).toContain('(maxMessageLength, maxImageBytes and maxImagesPerMessage)');
    const body = JSON.stringify({ message: 'look', attachments });
    const headers = { 'content-type': 'application/json' };
    const posted = await fetch(`${url}/helper/chat`, { method: 'POST', headers, body });
    expect([posted.status, await posted.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
  });

  it('are told to a client as they are set, and as nothing while they are off (contract/images.md, Connected)', async () => {
    const settingsOf = async (url: string): Promise<unknown> => {
      const client = await RawHubClient.connect(`${url}/helper-hub`, { events: false });
      return (await client.event('Connected'))['settings'];
    };
    const { url } = await seeing({ maxImagesPerMessage: 2, maxImageBytes: 1_000, allowedImageTypes: ['image/gif'] });
    expect(await settingsOf(url)).toMatchObject({
      enableImageInput: true,
      maxImageBytes: 1_000,
      maxImagesPerMessage: 2,
      allowedImageTypes: ['image/gif'],
    });
    const off = await realServer();
    expect(await settingsOf(off.url)).toMatchObject({
      enableImageInput: false,
      maxImageBytes: 0,
      maxImagesPerMessage: 0,
      allowedImageTypes: [],
    });
  });
});
