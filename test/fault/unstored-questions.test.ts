import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import { databasesOfRun, hasPostgres } from '../support/databases/postgres.ts';
import { stallingProxy } from '../support/databases/stalling-proxy.ts';
import { makeFaultyDisk } from '../support/faulty-disk/faulty-disk.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { isHere } from '../support/tools-here.ts';

interface WireMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A plugin whose one action asks, and notes each run in a file. */
const pluginFor = (ledger: string): string => `
import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false };
export default { name: 'one', actions: [{
  name: 'change', description: 'Changes something.', parameters, requiresConfirmation: true,
  execute: ({ id }) => { appendFileSync(${JSON.stringify(ledger)}, id + '\\n'); return { changed: id }; },
}] };`;

/**
 * A model that calls the action for each word of the message, one round after the other; words with a `+` in one round. `beforeRound` is
 * awaited before the calls of a round.
 */
function changing(beforeRound: (round: number) => Promise<void> | void, told: string[]): ModelScript {
  return async (exchange) => {
    const messages = exchange.request.body['messages'] as readonly WireMessage[]; // OpenAI's protocol has this shape
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const rounds = String(messages[asked]?.content).split(' ');
    const done = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    if (done > 0) told.push(...messages.slice(asked).flatMap((m) => (m.role === 'tool' ? [String(m.content)] : [])));
    const ids = rounds[done]?.split('+');
    if (ids === undefined) return saying('I have heard.')(exchange);
    await beforeRound(done);
    return calling(...ids.map((id) => ({ id: `c-${id}`, name: 'change', arguments: { id } })))(exchange);
  };
}

interface Place {
  readonly start: () => ServerProcess;
  readonly data: string;
  readonly disk: NonNullable<ReturnType<typeof makeFaultyDisk>>;
  /** What the model was told of its calls. */
  readonly told: readonly string[];
  /** What ran. */
  readonly ran: () => readonly string[];
  /** How often the model was asked. */
  readonly asked: () => number;
}

type Settings = Readonly<Record<string, unknown>>;

async function place(
  settings: Settings,
  environment: Readonly<Record<string, string>> = {},
  beforeRound: (round: number) => Promise<void> | void = () => undefined,
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-unstored-'));
  const disk = makeFaultyDisk(folder);
  if (disk === undefined) throw new Error('this machine cannot compile the faulty disk');
  const told: string[] = [];
  const model = await startScriptedModel({ otherwise: changing(beforeRound, told) });
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const [ledger, plugin, config] = [join(folder, 'ledger'), join(folder, 'plugins/one'), join(folder, 'helper.yaml')];
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, 'index.js'), pluginFor(ledger));
  const main = { provider: 'openai', baseUrl: model.url, model: 'm', apiKey: 'none', maxRetries: 0 };
  const all = { appName: 'Unstored', models: { main }, chatClient: 'main', ...settings };
  // JSON is also YAML.
  writeFileSync(config, JSON.stringify({ ...all, actions: { plugins: [join(folder, 'plugins')] } }));
  const data = join(folder, 'data');
  const start = (): ServerProcess =>
    startServerProcess({ folder: data, config, environment: { ...disk.environment, ...environment } });
  const ran = (): readonly string[] => (existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : []);
  return { start, data, disk, told, ran, asked: () => model.requests.length };
}

const chat = (url: string, message: string): Promise<SseConversation> =>
  openSse(`${url}/helper/chat`, { body: { message } });

const notice = { code: 'question_not_stored', retryable: true };

async function approve(url: string, actionId: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ actionId, approved: true });
  return (await fetch(`${url}/helper/approve`, { method: 'POST', headers, body })).status;
}

/** Resolves once the storage works again. */
async function isWell(url: string): Promise<void> {
  await vi.waitUntil(async () => (await fetch(`${url}/readyz`)).status === 200, { interval: 100 });
}

/** Ends the process, and expects that its storage holds no open question and no turn that goes on. */
async function expectNothingOpen(server: ServerProcess, data: string): Promise<void> {
  await server.kill('SIGKILL');
  const stores = await openStores({ type: 'embedded', path: data });
  try {
    expect(await stores.journal.unfinished()).toEqual([]);
  } finally {
    await stores.journal.close();
  }
}

const questionsIn = ({ frames }: SseConversation): number =>
  frames.filter(({ event }) => event === 'confirmation').length;

beforeAll(buildIfStale);

const modes = ['Native', 'Blocking'] as const;
const faults = ['held', 'ENOSPC', 'EIO', 'sync EIO'] as const;

describe.skipIf(!isHere('compiler'))(
  'a question that the disk does not take (contract/restarts.md#storage-that-fails; needs cc)',
  () => {
    // proves wire-11-70, wire-11-72, wire-11-73
    it.each(modes.flatMap((hitlMode) => faults.map((fault) => [fault, hitlMode] as const)))(
      'is told as such while the disk is still out of order, the turn ends, and nothing is asked later (%s, %s)',
      async (fault, hitlMode) => {
        const { start, data, disk, told, ran } = await place({ hitlMode, language: 'German' });
        const server = start();
        const url = await server.url;
        disk.become(fault);
        const turn = await chat(url, 'one');
        const { data: failure } = await turn.next('failure');
        expect(failure).toMatchObject({ ...notice, message: expect.stringContaining('nichts geändert') as unknown });
        expect((await turn.next('end')).data).toMatchObject({ status: 'completed', text: 'I have heard.' });
        expect(told).toEqual([expect.stringContaining('[failed]')]);
        expect(told[0]).toContain('nobody was asked: the question could not be stored');
        disk.become('sound');
        await isWell(url);
        expect(questionsIn(turn)).toBe(0);
        expect(ran()).toEqual([]);
        await expectNothingOpen(server, data);
      },
    );

    // proves wire-11-70
    it('is told as such to the reader of the hub', async () => {
      const { start, disk, ran } = await place({ hitlMode: 'Native' });
      const url = await start().url;
      const { connection, events, faults: broken } = await officialClient(`${url}/helper-hub`);
      disk.become('held');
      const result = await connection.invoke<{ readonly status: string }>('SendMessage', 'one+two');
      expect(result.status).toBe('completed');
      expect(events.filter(({ name }) => name === 'ErrorOccurred').map(({ fields }) => fields)).toMatchObject([
        notice,
        notice,
      ]);
      const ended = events.filter(({ name }) => name === 'ActionCompleted');
      expect(ended.map(({ fields }) => fields['status'])).toEqual(['failed', 'failed']);
      disk.become('sound');
      await isWell(url);
      expect(events.map(({ name }) => name)).not.toContain('ConfirmationRequested');
      const numbers = events.flatMap(({ fields: { seq } }) => (seq === undefined ? [] : [seq]));
      expect(numbers).toEqual(numbers.map((_seq, index) => index + 1));
      expect(ran()).toEqual([]);
      expect(broken()).toEqual([]);
    });

    // proves wire-11-61
    it('is put once, where the disk is well again in time', async () => {
      const { start, disk, ran } = await place({ hitlMode: 'Native' });
      const server = start();
      const url = await server.url;
      disk.become('ENOSPC');
      const turn = await chat(url, 'one');
      await vi.waitUntil(() => server.printed().includes('the storage failed'));
      disk.become('sound');
      const { data: question } = await turn.next('confirmation');
      expect(await approve(url, question?.['actionId'])).toBe(200);
      expect((await turn.next('end')).data).toMatchObject({ status: 'completed' });
      expect(questionsIn(turn)).toBe(1);
      expect(turn.frames.map(({ event }) => event)).not.toContain('failure');
      expect(ran()).toEqual(['one']);
    });

    // proves wire-5-41
    it('is on the disk soon after it is shown, though nothing else is stored', async () => {
      const { start, disk } = await place({ hitlMode: 'Native' });
      const url = await start().url;
      await approve(url, 'unknown');
      const turn = await chat(url, 'one');
      await turn.next('confirmation');
      disk.become('counted');
      await vi.waitUntil(() => disk.syncs() > 0);
      expect(questionsIn(turn)).toBe(1);
    });

    // proves wire-11-72
    it.each(modes)('is put to nobody by the next process, when this one is killed meanwhile (%s)', async (hitlMode) => {
      const { start, data, disk, ran, asked } = await place({ hitlMode });
      const server = start();
      const before = await server.url;
      disk.become('held');
      const turn = await chat(before, 'one');
      await turn.next('failure');
      await turn.next('end');
      await server.kill('SIGKILL');
      disk.become('sound');
      const next = start();
      const url = await next.url;
      const id = turn.frames.at(-1)?.id ?? '';
      const again = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
      expect(again.status).toBe(204);
      expect(asked()).toBe(2);
      expect(ran()).toEqual([]);
      await expectNothingOpen(next, data);
    });

    // proves wire-11-70, wire-11-71, wire-11-72
    it('is told as such at once also in a turn that was stored before, whose rest comes once the disk is well', async () => {
      const breaking = { now: (): void => undefined };
      const { start, data, disk, told, ran } = await place({ hitlMode: 'Native' }, {}, (round) => {
        if (round === 1) breaking.now();
      });
      breaking.now = () => {
        disk.become('held');
      };
      const server = start();
      const url = await server.url;
      const turn = await chat(url, 'one two');
      const { data: question } = await turn.next('confirmation');
      expect(await approve(url, question?.['actionId'])).toBe(200);
      const early = await turn.next('failure');
      expect(early.data).toMatchObject(notice);
      await vi.waitUntil(() => told.some((text) => text.includes('nobody was asked')));
      expect(turn.frames.map(({ event }) => event)).not.toContain('end');
      disk.become('sound');
      // It comes again in its place.
      expect((await turn.next('failure')).data).toMatchObject(notice);
      expect((await turn.next('end')).data).toMatchObject({ status: 'completed' });
      expect(questionsIn(turn)).toBe(1);
      expect(ran()).toEqual(['one']);
      await expectNothingOpen(server, data);
    });

    // proves wire-11-70, wire-11-72
    it.each([
      ['goes on', false],
      ['is killed, and the next one goes on', true],
    ])('of a durable turn is told as such at once, and put by nobody: the process %s', async (_what, isKilled) => {
      const outage = Promise.withResolvers<undefined>();
      const { start, data, disk, told, ran } = await place(
        { hitlMode: 'Native', server: { durableTurns: true, disconnectGrace: '10m' } },
        {},
        () => outage.promise,
      );
      const server = start();
      const turn = await chat(await server.url, 'one');
      await vi.waitUntil(() => turn.frames.some(({ retry }) => retry !== undefined));
      disk.become('held');
      outage.resolve(undefined);
      expect((await turn.next('failure')).data).toMatchObject(notice);
      const id = turn.frames.at(-1)?.id ?? '';
      const living = isKilled ? await nextProcess(server, start, disk) : server;
      disk.become('sound');
      const url = await living.url;
      const rest = isKilled ? await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } }) : turn;
      if (!isKilled || rest.status === 200)
        expect((await rest.next('end')).data).toMatchObject({ status: 'completed' });
      expect(questionsIn(turn) + questionsIn(rest)).toBe(0);
      expect(told.every((text) => text.includes('nobody was asked'))).toBe(true);
      expect(ran()).toEqual([]);
      await expectNothingOpen(living, data);
    });
  },
);

async function nextProcess(
  server: ServerProcess,
  start: () => ServerProcess,
  disk: Place['disk'],
): Promise<ServerProcess> {
  await server.kill('SIGKILL');
  disk.become('sound');
  return start();
}

describe.skipIf(!hasPostgres || !isHere('compiler'))('a question that PostgreSQL does not take', () => {
  const database = databasesOfRun();

  // proves wire-11-70, wire-11-72
  it('is told as such while the database does not answer, and the turn ends', async () => {
    const proxy = await stallingProxy(await database());
    const environment = { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: proxy.url };
    const { start, told, ran } = await place({ hitlMode: 'Native' }, environment);
    const url = await start().url;
    proxy.stall();
    const turn = await chat(url, 'one');
    expect((await turn.next('failure')).data).toMatchObject(notice);
    expect((await turn.next('end')).data).toMatchObject({ status: 'completed' });
    expect(questionsIn(turn)).toBe(0);
    expect(told).toEqual([expect.stringContaining('nobody was asked')]);
    expect(ran()).toEqual([]);
  });

  // proves wire-11-70
  it('is told as such to the reader of the hub, whose earlier calls cannot be looked up either', async () => {
    const proxy = await stallingProxy(await database());
    const environment = { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: proxy.url };
    const { start, ran } = await place({ hitlMode: 'Native' }, environment);
    const { connection, events } = await officialClient(`${await start().url}/helper-hub`);
    proxy.stall();
    await connection.invoke('SendMessage', 'one');
    expect(events.find(({ name }) => name === 'ErrorOccurred')?.fields).toMatchObject(notice);
    expect(events.map(({ name }) => name)).not.toContain('ConfirmationRequested');
    expect(ran()).toEqual([]);
  });
});
