import { describe, expect, it } from 'vitest';
import { CallerRoom } from '../../../../src/core/limits/caller-room.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { bluePixel, fileOf, imagesOn } from '../../../support/images.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const cat = { name: 'IMG_1.png', contentType: 'image/png', data: bluePixel };
const shown = { name: 'IMG_1.png', mediaType: 'image/png', data: bluePixel };

function open(options: TestAssistantOptions) {
  const test = testAssistant({ images: imagesOn, ...options });
  return { ...test, session: test.assistant.openSession({ channel: 'hub' }) };
}

describe('a message with images (contract/images.md)', () => {
  // proves service-2.5-05
  it('shows them to the model in each round of their turn, and only their names in later turns', async () => {
    const toolList = [fakeTool({ name: 'get_case', readOnly: true })];
    const model = fakeModel({ toolCalls: [call('get_case')] }, { text: 'A cat.' });
    const { session } = open({ model, toolList });
    await session.startNow({ text: 'What is this?', attachments: [cat] }).result;
    await session.startNow({ text: 'And now?' }).result;
    const users = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
    const first = { role: 'user', text: 'What is this?\n[image: IMG_1.png]', origin: 'user' };
    expect(users[0]).toEqual([{ ...first, images: [shown] }]);
    expect(users[1]).toEqual(users[0]);
    expect(users[2]).toEqual([first, { role: 'user', text: 'And now?', origin: 'user' }]);
  });

  it('needs no text', async () => {
    const model = fakeModel({ text: 'A cat.' });
    const { session } = open({ model });
    expect(await session.startNow({ text: '', attachments: [cat] }).result).toMatchObject({ status: 'completed' });
    expect(model.requests[0]?.messages).toEqual([
      { role: 'user', text: '[image: IMG_1.png]', origin: 'user', images: [shown] },
    ]);
  });

  it('keeps a snapshot of the conversation small: it has their names alone', async () => {
    const { session, snapshots } = open({ model: fakeModel({ text: 'A cat.' }) });
    const attachments = [{ ...cat, data: fileOf('image/png', 60_000) }];
    await session.startNow({ text: 'What is this?', attachments }).result;
    expect(JSON.stringify(session.transcript)).not.toContain('AAAAAAAA');
    expect((await snapshots.save(session)).length).toBeLessThan(4_000);
  });

  it.each([
    // proves wire-2-53
    ['too_many_images', 'Too many pictures. The limit is 1 per message.', [cat, cat]],
    // proves wire-2-53
    [
      'image_too_large',
      'A picture is too large: at most 0.01 MB are allowed.',
      [{ ...cat, data: fileOf('image/png', 20_000) }],
    ],
  ])(
    'is refused as %s before the model or the rate is asked (contract/images.md)',
    async (code, message, attachments) => {
      const model = fakeModel({ text: 'ok' });
      const images = { ...imagesOn, maxImagesPerMessage: 1, maxImageBytes: 10_486 };
      const { session } = open({ model, images, rateLimitPerUser: 1 });
      const turn = session.startNow({ text: 'look', attachments });
      const reader = readTurn(turn);
      expect(await turn.result).toMatchObject({ status: 'refused', code });
      expect(reader.events.map(({ type }) => type)).toEqual(['turn-started', 'error-occurred', 'turn-completed']);
      expect(reader.events[1]?.fields).toMatchObject({ code, message, retryable: false });
      expect(model.requests).toEqual([]);
      expect(await session.startNow({ text: 'look', attachments: [cat] }).result).toMatchObject({
        status: 'completed',
      });
    },
  );

  it('holds its room from its arrival to the end of its turn, while it waits too', async () => {
    const release = Promise.withResolvers<undefined>();
    const imageRoom = new CallerRoom({ perUser: Infinity, perAddress: Infinity, inAll: 2 * bluePixel.length });
    const model = fakeModel({ text: 'ok', until: release.promise }, { text: 'ok' });
    const { session, assistant } = open({ model, imageRoom });
    const message = { text: 'look', attachments: [cat] };
    const running = await session.send(message);
    const waiting = session.send(message);
    const other = assistant.openSession({ channel: 'hub' });
    expect(await other.startNow(message).result).toMatchObject({ status: 'refused', code: 'overloaded' });
    release.resolve(undefined);
    await running.result;
    expect(await (await waiting).result).toMatchObject({ status: 'completed' });
    expect(await other.startNow(message).result).toMatchObject({ status: 'completed' });
  });

  it('gives its room back when it is dropped before its turn', async () => {
    const imageRoom = new CallerRoom({ perUser: Infinity, perAddress: Infinity, inAll: bluePixel.length });
    const { session } = open({ model: fakeModel({ text: 'ok', until: new Promise(() => undefined) }), imageRoom });
    await session.send({ text: 'first' });
    const waiting = session.send({ text: 'look', attachments: [cat] });
    await session.stop('user');
    expect(await (await waiting).result).toMatchObject({ status: 'stopped' });
    await Promise.resolve();
    expect(imageRoom.has(undefined, bluePixel.length)).toBe(true);
  });

  // proves service-2.5-05
  it('has them again when another process goes on with its turn', async () => {
    const stores = memoryStores();
    const before = open({
      ...stores,
      tapePolicy: 'always',
      model: fakeModel({ toolCalls: [call('close_case')] }),
      toolList: [fakeTool()],
    });
    const turn = before.session.startNow({ text: 'Close what this shows.', attachments: [cat] });
    await readTurn(turn).next('confirmation-requested');
    await before.assistant.drain(0);
    const model = fakeModel({ text: 'Closed.' });
    const after = open({ ...stores, tapePolicy: 'always', model, toolList: [fakeTool()] });
    await after.assistant.takeUpTurns();
    const taken = await after.assistant.findTurn(turn.id, before.session.principal);
    const asked = (await stores.journal.ofTurn(turn.id))[0];
    await after.assistant.answerConfirmation(
      { actionId: asked?.actionId ?? '', approved: true },
      before.session.principal,
    );
    expect(await taken?.result).toMatchObject({ status: 'completed', text: 'Closed.' });
    expect(model.requests[0]?.messages[0]).toMatchObject({ role: 'user', images: [shown] });
  });
});
