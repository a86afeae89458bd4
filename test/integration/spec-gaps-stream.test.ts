import { describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../src/core/identity/principal.ts';
import { checkCard } from '../../src/core/cards/check-card.ts';
import { afterGrace } from '../support/after-grace.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { openSse } from '../support/sse-client.ts';
import { readTurn, testAssistant } from '../support/test-assistant.ts';
import { testHttp } from '../support/test-http.ts';

const ask = '/helper/chat?message=hello';

async function statusOf(url: string, body: unknown): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
}

describe('the resume buffer (contract/sse.md#coming-back)', () => {
  // proves wire-4-15
  it('keeps 1 MiB of a turn: what lies before it can no longer be resumed', async () => {
    // The end holds the whole reply once more, so this is more than 1 MiB with the first part, and less without it.
    const [first400, last200] = ['x'.repeat(400_000), 'y'.repeat(200_000)];
    const model = fakeModel({ text: first400, toolCalls: [call('get_case')] }, { text: last200 });
    const tool = fakeTool({ name: 'get_case', readOnly: true });
    const { url } = await testHttp({ model, toolList: [tool] });
    const first = await openSse(url + ask);
    await first.closed;
    const turnId = String(first.headers['x-turn-id']);
    const from = (seq: number) => openSse(url + ask, { headers: { 'last-event-id': `${turnId}:${String(seq)}` } });
    expect((await from(0)).status).toBe(204);
    const late = await from(2);
    await late.closed;
    expect(late.text()).toBe(`\n\n${last200}`);
  });

  // proves wire-4-16
  it('keeps 64 MiB in all, and forgets the turn that ended first', async () => {
    // The words stand in the buffer twice, once in their event and once in the end: about 1 MB a turn.
    const { assistant } = testAssistant({ model: fakeModel({ text: 'x'.repeat(510_000) }) });
    const ids: string[] = [];
    for (let count = 0; count < 70; count += 1) {
      const turn = assistant.openSession({ channel: 'sse' }).startNow({ text: 'x' });
      ids.push(turn.id);
      await turn.result;
    }
    const found = await Promise.all(ids.map((id) => assistant.findTurn(id, anonymousPrincipal('test'))));
    const kept = found.map((turn) => turn !== undefined);
    const first = kept.indexOf(true);
    expect(first).toBeGreaterThan(0);
    expect(kept.slice(first)).not.toContain(false);
    expect(kept.length - first).toBeGreaterThan(60);
    expect(kept.length - first).toBeLessThan(67);
    await assistant.close();
  });

  // proves wire-2-04
  it('plays a turn again with the numbers and the words every reader gets', async () => {
    const { url, assistant } = await testHttp({ model: fakeModel({ text: 'Hi.' }) });
    const stream = await openSse(url + ask);
    await stream.closed;
    const turn = await assistant.findTurn(String(stream.headers['x-turn-id']), anonymousPrincipal('test'));
    if (turn === undefined) throw new Error('the turn is forgotten');
    const all = readTurn(turn).events;
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const shown = stream.frames.flatMap(({ data }) => (data === undefined ? [] : [data]));
    expect(shown).toEqual(all.slice(1).map(({ fields }) => fields));
  });
});

describe('a stream (contract/sse.md)', () => {
  // proves wire-2-32, wire-4-02
  it('takes attachments in a POST, and drops images with a warning while image input is off', async () => {
    const model = fakeModel({ text: 'I see nothing.' });
    const { url, assistant } = await testHttp({ model });
    const attachments = [{ name: 'cat.png', contentType: 'image/png', data: 'AAAA' }];
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'look', attachments } });
    await stream.closed;
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed' });
    const turn = await assistant.findTurn(String(stream.headers['x-turn-id']), anonymousPrincipal('test'));
    const started = turn === undefined ? undefined : readTurn(turn).events[0];
    expect(started?.fields['warnings']).toEqual([{ code: 'image_type_dropped', name: 'cat.png', reason: 'disabled' }]);
  });

  // proves wire-2-17
  it('carries navigation as a frame', async () => {
    const tool = fakeTool({
      readOnly: true,
      execute: () => ({ value: 1, navigate: { page: 'case', params: { id: 7 } } }),
    });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'There.' });
    const pageList = [{ name: 'case', title: 'A case', url: '/cases/{id}', description: '', requiredRoles: [] }];
    const { url } = await testHttp({ model, toolList: [tool], pageList });
    const stream = await openSse(url + ask);
    expect((await stream.next('navigation')).data).toMatchObject({ page: 'case', url: '/cases/7', title: 'A case' });
    await stream.closed;
  });

  // proves wire-4-20
  it('whose client has gone keeps an open confirmation for the grace, and ends it then', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Done.' });
    const graceMs = 61_234;
    const { url, assistant, journal } = await testHttp({ model, toolList: [tool], disconnectGraceMs: graceMs });
    const stream = await openSse(url + ask);
    const actionId = String((await stream.next('confirmation')).data?.['actionId']);
    await afterGrace(
      graceMs,
      () => stream.close(),
      () => assistant.runningTurns === 0,
    );
    await expect.poll(() => assistant.runningTurns).toBe(0);
    expect(await journal.find(actionId)).toMatchObject({ state: 'done', answer: 'cancelled' });
    expect(await statusOf(`${url}/helper/approve`, { actionId, approved: true })).toBe(404);
    expect(tool.runs).toHaveLength(0);
  });

  // proves wire-4-19
  it('whose client has gone can be answered within the grace, and is read to its end by who resumes it', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Done.' });
    const { url } = await testHttp({ model, toolList: [tool], disconnectGraceMs: 60_000 });
    const lost = await openSse(url + ask);
    const { id, data } = await lost.next('confirmation');
    lost.close();
    expect(await statusOf(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: true })).toBe(200);
    const again = await openSse(url + ask, { headers: { 'last-event-id': String(id) } });
    await again.closed;
    expect(again.text()).toBe('Done.');
    expect(tool.runs).toHaveLength(1);
  });
});

describe('a card (contract/cards.md)', () => {
  const card = (element: object): unknown => ({ type: 'AdaptiveCard', version: '1.5', body: [element] });
  const text = { type: 'TextBlock', text: 'hi' };

  // proves wire-7-01
  it('keeps every element of the subset', () => {
    const kept = [
      text,
      { type: 'FactSet', facts: [{ title: 'a', value: 'b' }] },
      { type: 'Image', url: '/a.png' },
      { type: 'Table', rows: [{ type: 'TableRow', cells: [{ type: 'TableCell', items: [text] }] }] },
      { type: 'ColumnSet', columns: [{ type: 'Column', items: [text] }] },
      { type: 'Container', items: [text] },
      {
        type: 'ActionSet',
        actions: [
          { type: 'Action.Submit', title: 'ok', data: { a: 1 } },
          { type: 'Action.OpenUrl', title: 'open', url: '/orders' },
        ],
      },
      ...['Text', 'Number', 'Date', 'Toggle', 'ChoiceSet'].map((kind) => ({ type: `Input.${kind}`, id: kind })),
      ...['Bar', 'Line', 'Pie', 'Donut'].map((kind) => ({ type: `Chart.${kind}`, data: [] })),
    ];
    const check = checkCard({ type: 'AdaptiveCard', version: '1.5', body: kept }, { images: [], links: [] });
    expect(check).toEqual({ ok: true, card: { type: 'AdaptiveCard', version: '1.5', body: kept } });
  });

  it.each([
    // proves wire-7-02
    ['selectAction', { ...text, selectAction: { type: 'Action.OpenUrl', url: 'javascript:alert(1)' } }],
    [
      'inlineAction',
      { type: 'Input.Text', id: 'a', inlineAction: { type: 'Action.OpenUrl', url: 'javascript:alert(1)' } },
    ],
    // proves wire-7-02
    ['backgroundImage', { type: 'Container', items: [], backgroundImage: 'https://evil.example/pixel.png' }],
    ['fallback', { ...text, fallback: { type: 'Image', url: 'https://evil.example/pixel.png' } }],
  ])('drops %s, which could carry an address past the rules', (_title, element) => {
    const check = checkCard(card(element), { images: [], links: [] });
    expect(JSON.stringify(check)).not.toMatch(/javascript:|evil\.example/);
  });

  // proves wire-7-04
  it('takes an image host with its port, as cards.imageHosts may name it', () => {
    const image = { type: 'Image', url: 'https://images.example.com:8443/a.png' };
    expect(checkCard(card(image), { images: ['images.example.com:8443'], links: [] })).toMatchObject({
      card: { body: [image] },
    });
    expect(checkCard(card(image), { images: ['images.example.com'], links: [] })).toMatchObject({ card: { body: [] } });
  });
});
