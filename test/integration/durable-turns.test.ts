import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callbackSecret, type CallbackReceiver, json, silent, startCallback } from '../support/callback-receiver.ts';
import { type HubRecord, RawHubClient } from '../support/hub-raw-client.ts';
import { calling, hangingAfter, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';

interface Setting {
  readonly scripts: readonly ModelScript[];
  readonly hitlMode?: 'Native' | 'Blocking';
  readonly durableTurns?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The things that outlive the processes of a test: a model, the action `cancel_order` of another system, and a folder. */
async function world({ scripts, hitlMode = 'Native', durableTurns = true, environment = {} }: Setting) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-durable-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const receiver = await startCallback({
    version: 1,
    actions: [
      {
        name: 'cancel_order',
        description: 'Cancels an order.',
        parameters: { type: 'object', additionalProperties: true },
      },
    ],
  });
  receiver.answer = json({ result: 'cancelled' });
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const settings = {
    appName: 'Test',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
    actions: { plugins: [], callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }] },
    hitlMode,
    server: { durableTurns },
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const start = (): ServerProcess => startServerProcess({ folder, config, environment });
  return { start, model, receiver };
}

const ask = (url: string): Promise<SseConversation> =>
  openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'cancel order 7' } });

const goOn = (url: string, id: string): Promise<SseConversation> =>
  openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });

/** What a client has seen on all its streams: the text after all replacements, the numbers of events, and how often the turn ended. */
function seenBy(...streams: readonly SseConversation[]) {
  const frames = streams.flatMap((stream) => stream.frames).filter(({ data }) => data !== undefined);
  let text = '';
  for (const { event, data } of frames) {
    if (event !== 'text') continue;
    text = data?.['replace'] === true ? String(data['text']) : text + String(data?.['text']);
  }
  return {
    text,
    numbers: frames.map(({ data }) => Number(data?.['seq'])),
    replaced: frames.filter(({ data }) => data?.['replace'] === true).length,
    ends: frames.filter(({ event }) => event === 'end').map(({ data }) => data),
  };
}

/** Waits until the client has seen this text. Resolves with the id of the client's last event. */
async function sawText(stream: SseConversation, text: string): Promise<string> {
  await vi.waitFor(() => {
    expect(stream.text()).toBe(text);
  });
  return String(stream.frames.at(-1)?.id);
}

async function approve(url: string, actionId: unknown) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ actionId, approved: true });
  const response = await fetch(`${url}/helper/approve`, { method: 'POST', headers, body });
  const answer: unknown = await response.json();
  return { status: response.status, ...Object.fromEntries(Object.entries(answer ?? {})) };
}

/** The events of a turn as `Resume` gives them on a new connection of the hub. */
async function resumedOnHub(url: string, turnId: unknown): Promise<{ result: unknown; events: readonly HubRecord[] }> {
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  client.call('Resume', 'resume', { turnId, afterSeq: 0 });
  const result = await client.result('resume');
  await client.event('TurnCompleted');
  const named = client.records.filter(({ type, target }) => type === 1 && target !== 'Connected');
  const events = named.map(({ arguments: values }) => (values as readonly HubRecord[])[0] ?? {}); // each event has one object
  client.socket.terminate();
  return { result, events };
}

function posted(receiver: CallbackReceiver): number {
  return receiver.posts().length;
}

describe('a turn with server.durableTurns whose server is killed (contract/events.md and contract/restarts.md)', () => {
  // proves wire-2-71, wire-3-94, wire-4-81, wire-5-56
  it.each(['Native', 'Blocking'] as const)(
    'in the middle of its reply goes on: no gap, the half reply replaced, the whole one, one end (%s)',
    async (hitlMode) => {
      const { start, model } = await world({
        scripts: [hangingAfter('Half a reply'), saying('The whole reply.')],
        hitlMode,
      });
      const first = start();
      const before = await ask(await first.url);
      const lastId = await sawText(before, 'Half a reply');
      await first.kill('SIGKILL');
      await before.closed;
      expect(seenBy(before).ends).toEqual([]);

      const second = start();
      const url = await second.url;
      const after = await goOn(url, lastId);
      const { data: end } = await after.next('end');
      await after.closed;
      expect(end).toMatchObject({ status: 'completed', text: 'The whole reply.' });
      const seen = seenBy(before, after);
      expect(seen).toMatchObject({ text: 'The whole reply.', replaced: 1 });
      expect(seen.ends).toHaveLength(1);
      expect(seen.numbers).toEqual([...new Set(seen.numbers)].toSorted((a, b) => a - b));
      const { result, events } = await resumedOnHub(url, end?.['turnId']);
      expect(result).toMatchObject({ turnId: end?.['turnId'], running: false });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
      expect(model.requests).toHaveLength(2);
      await second.kill('SIGTERM');
    },
  );

  // proves wire-5-56
  it.each(['Native', 'Blocking'] as const)(
    'after its action has run asks the model for the rest, and runs nothing again (%s)',
    async (hitlMode) => {
      const cancel = calling({ name: 'cancel_order', arguments: { id: 7 } });
      const scripts = [cancel, hangingAfter('It is can'), saying('It is cancelled.')];
      const { start, model, receiver } = await world({ scripts, hitlMode });
      const first = start();
      const firstUrl = await first.url;
      const before = await ask(firstUrl);
      const { data } = await before.next('confirmation');
      expect(await approve(firstUrl, data?.['actionId'])).toMatchObject({ status: 200 });
      const lastId = await sawText(before, 'It is can');
      await first.kill('SIGKILL');

      const second = start();
      const url = await second.url;
      const after = await goOn(url, lastId);
      expect((await after.next('end')).data).toMatchObject({ status: 'completed', text: 'It is cancelled.' });
      expect(seenBy(before, after)).toMatchObject({ text: 'It is cancelled.', replaced: 1 });
      expect(posted(receiver)).toBe(1);
      expect(model.requests).toHaveLength(3);
      const again = await approve(url, data?.['actionId']);
      expect(again).toMatchObject({ status: 404, outcome: 'approved', action: { status: 'succeeded' } });
      await second.kill('SIGTERM');
    },
  );

  // proves wire-3-94, wire-4-81
  it('after its end is told by the next process, with Last-Event-ID and Resume, for server.resumeWindow', async () => {
    const { start } = await world({ scripts: [saying('All of it.')] });
    const first = start();
    const before = await ask(await first.url);
    const { data: end, id: endId } = await before.next('end');
    const turnId = String(end?.['turnId']);
    await first.kill('SIGKILL');

    const second = start();
    const url = await second.url;
    const after = await goOn(url, `${turnId}:0`);
    await after.closed;
    expect(after.frames.at(-1)).toMatchObject({ event: 'end', id: endId, data: end });
    expect(after.text()).toBe('All of it.');
    expect((await goOn(url, String(endId))).status).toBe(204);
    expect((await resumedOnHub(url, turnId)).result).toMatchObject({ turnId, running: false });
    await second.kill('SIGTERM');
  });

  // proves wire-4-81
  it('after its end is unknown to the next process once server.resumeWindow is over', async () => {
    const environment = { HELPER__SERVER__RESUMEWINDOW: '1ms' };
    const { start } = await world({ scripts: [saying('All of it.')], environment });
    const first = start();
    const before = await ask(await first.url);
    const { data: end } = await before.next('end');
    await first.kill('SIGKILL');
    const second = start();
    expect((await goOn(await second.url, `${String(end?.['turnId'])}:0`)).status).toBe(204);
    await second.kill('SIGTERM');
  });
});

describe('a turn without server.durableTurns whose server is killed (contract/restarts.md)', () => {
  // proves wire-4-81
  it('before it asked anything is unknown to the next process: Last-Event-ID is 204', async () => {
    const { start } = await world({ scripts: [hangingAfter('Half a reply')], durableTurns: false });
    const first = start();
    const before = await ask(await first.url);
    const lastId = await sawText(before, 'Half a reply');
    await first.kill('SIGKILL');
    const second = start();
    expect((await goOn(await second.url, lastId)).status).toBe(204);
    await second.kill('SIGTERM');
  });
});

describe('an open question with hitlMode Blocking whose server is killed (contract/restarts.md)', () => {
  // proves wire-5-28, wire-5-55, wire-8-83
  it.each([false, true])(
    'is cancelled in the next process, and its turn told to be interrupted, once (durableTurns: %s)',
    async (durableTurns) => {
      const scripts = [calling({ name: 'cancel_order', arguments: { id: 7 } })];
      const environment = { HELPER__LANGUAGE: 'German' };
      const { start, model, receiver } = await world({ scripts, hitlMode: 'Blocking', durableTurns, environment });
      const first = start();
      const before = await ask(await first.url);
      const { id = '', data } = await before.next('confirmation');
      await first.kill('SIGKILL');
      await before.closed;

      const second = start();
      const url = await second.url;
      const after = await goOn(url, id);
      await after.closed;
      expect(after.frames.map(({ event }) => event).filter(Boolean)).toEqual(['failure', 'end']);
      const [failure, end] = after.frames.slice(-2);
      expect(failure?.data).toMatchObject({ code: 'interrupted', retryable: true });
      expect(failure?.data?.['message']).toContain('Der Server wurde unterbrochen');
      expect(end?.data).toMatchObject({ status: 'failed', code: 'interrupted' });
      const state = await fetch(`${url}/helper/approve?actionId=${String(data?.['actionId'])}`);
      expect(await state.json()).toEqual({ actionId: data?.['actionId'], outcome: 'cancelled' });
      expect(await approve(url, data?.['actionId'])).toMatchObject({ status: 404, outcome: 'cancelled' });
      expect(posted(receiver)).toBe(0);
      expect(model.requests).toHaveLength(1);
      await second.kill('SIGTERM');
    },
  );

  // proves wire-5-55
  it('beside an action that ran tells what it came to, before it says that the turn was interrupted', async () => {
    const ids = [7, 8].map((id) => ({ id: `call_${String(id)}`, name: 'cancel_order', arguments: { id } }));
    const { start, receiver } = await world({ scripts: [calling(...ids)], hitlMode: 'Blocking', durableTurns: false });
    const first = start();
    const firstUrl = await first.url;
    const before = await ask(firstUrl);
    const asked = [await before.next('confirmation'), await before.next('confirmation')];
    const [ran, open] = asked.map(({ data }) => String(data?.['actionId']));
    await approve(firstUrl, ran);
    await vi.waitFor(async () => {
      const state = await fetch(`${firstUrl}/helper/approve?actionId=${String(ran)}`);
      expect(await state.json()).toMatchObject({ action: { status: 'succeeded' } });
    });
    await first.kill('SIGKILL');

    receiver.answer = silent;
    const second = start();
    const url = await second.url;
    const { events } = await resumedOnHub(url, asked[0]?.data?.['turnId']);
    const completed = events.filter((event) => 'status' in event && 'callId' in event);
    expect(completed.map(({ status }) => status)).toContain('succeeded');
    expect(events.at(-1)).toMatchObject({ status: 'failed', code: 'interrupted' });
    const states = await Promise.all(
      [ran, open].map(async (id) => (await fetch(`${url}/helper/approve?actionId=${String(id)}`)).json()),
    );
    expect(states).toMatchObject([{ outcome: 'approved', action: { status: 'succeeded' } }, { outcome: 'cancelled' }]);
    expect(posted(receiver)).toBe(1);
    await second.kill('SIGTERM');
  });
});
