import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { factsOf, finding, textsOf } from '../support/remembering.ts';
import { saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration, scriptedServer } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const user = 'amethyst-ann';
const ann = await makeToken({ sub: user });
const planted = { said: 'malachite', fact: 'chalcedony' } as const;
const jwt = { jwt: { secret: tokenSecret } };

interface Place {
  readonly folder: string;
  /** `helper erase` of the user, without a server. */
  readonly erase: () => Promise<number>;
  readonly start: (settings?: object) => ServerProcess;
}

/** A folder of the storage, and servers for it: a small model finds one fact in every message. */
async function place(): Promise<Place> {
  const small = await startScriptedModel({
    otherwise: saying(finding({ kind: 'fact', text: `Collects ${planted.fact}.` })),
  });
  onTestFinished(() => small.close());
  const scripts = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => saying(text));
  const settings = { auth: jwt, actions: 'none', classifierChatClient: 'small', useMemoryContext: true };
  const { directory, configuration } = await scriptedConfiguration({
    scripts,
    settings,
    models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'helper-erased-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    erase: () => {
      const context = fakeContext(directory, { HELPER__STORAGE__PATH: folder });
      return runCommand(['erase', '--user', `id:${user}`, '--config', join(directory, 'helper.yaml')], context);
    },
    start: (more = {}) => {
      const config = join(directory, 'helper.yaml');
      writeFileSync(config, JSON.stringify({ ...configuration, chatHistoryProvider: 'storage', ...more }));
      return startServerProcess({ folder, config });
    },
  };
}

/**
 * Has a conversation of two turns that is long enough to fill whole pages of the database. Resolves with its id once its fact is
 * remembered.
 */
async function talk(url: string): Promise<string> {
  const hub = await connectAs(url, ann);
  for (const text of ['first', 'second']) {
    const message = `${text} ${`${planted.said} `.repeat(300)}`;
    expect(await hub.invoke('SendMessage', message)).toMatchObject({ status: 'completed' });
  }
  await textsOf(url, ann, 1);
  return String((await listOf(url, ann))[0]?.id);
}

/** All bytes of the database and its log. */
function bytesOf(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.startsWith('helper.db'));
  return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
}

/** Parts of the sealed texts of a conversation, as they stand in the files. */
function sealedParts(folder: string): readonly string[] {
  const database = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
  const texts = database.prepare('select text from conversation_turn').pluck().all().map(String);
  database.close();
  const parts = texts.flatMap((text) => [text.slice(0, 40), text.slice(-40)]);
  return parts.filter((part) => bytesOf(folder).includes(part));
}

const has = (folder: string, parts: readonly string[]): readonly string[] => {
  const bytes = bytesOf(folder);
  return parts.filter((part) => bytes.includes(part));
};

const gone = (folder: string, parts: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(has(folder, parts)).toEqual([]), { interval: 100 });

describe('what was erased (contract/sessions.md#erasing)', () => {
  // proves service-2.9-83
  it.each([
    ['all that is kept of a user', 'user-data'],
    ['a conversation', 'conversations'],
    ['a fact', 'memory'],
  ] as const)('is in no file of the storage any more: %s', async (_what, address) => {
    const { folder, start } = await place();
    const url = await start().url;
    const id = await talk(url);
    const sealed = sealedParts(folder);
    expect(sealed.length).toBeGreaterThan(1);
    const factId = String((await factsOf(url, ann))[0]?.id);
    const { path, parts } = {
      'user-data': { path: 'user-data', parts: [planted.fact, planted.said, user, ...sealed] },
      conversations: { path: `conversations/${id}`, parts: sealed },
      memory: { path: `memory?id=${factId}`, parts: [planted.fact] },
    }[address];
    expect(has(folder, parts).length).toBeGreaterThan(0);
    const { status } = await asUser(`${url}/helper/${path}`, ann, { method: 'DELETE' });
    expect(status).toBeLessThan(300);
    await gone(folder, parts);
  });

  // proves service-2.9-83
  it('is in no file of the storage after the next start where the server is killed at once', async () => {
    const { folder, start } = await place();
    const first = start();
    const url = await first.url;
    await talk(url);
    const parts = [planted.fact, planted.said, user, ...sealedParts(folder)];
    await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    await first.kill('SIGKILL');
    expect(has(folder, parts)).not.toEqual([]);
    await start().url;
    await gone(folder, parts);
  });

  // proves service-2.9-83
  it('is in no file of the storage once helper erase has ended', async () => {
    const { folder, start, erase } = await place();
    const server = start();
    await talk(await server.url);
    await server.kill('SIGKILL');
    const parts = [planted.fact, planted.said, user, ...sealedParts(folder)];
    expect(await erase()).toBe(0);
    expect(has(folder, parts)).toEqual([]);
  });

  // proves service-2.9-87
  it.each([
    ['those of an erased user', 'storage', 'user-data'],
    ['a deleted conversation', 'storage', 'conversation'],
    ['those of an erased user, which were never kept', null, 'user-data'],
  ] as const)(
    'is not put back from a snapshot after a restart where conversations are kept no more: %s',
    async (_what, chatHistoryProvider, erased) => {
      const { start } = await place();
      const first = start({ chatHistoryProvider });
      const url = await first.url;
      const hub = await connectAs(url, ann);
      await hub.invoke('SendMessage', 'Hello');
      const saved = await asUser(`${url}/helper/session?connectionId=${String(hub.connectionId)}`, ann);
      expect(saved.status).toBe(200);
      const path = erased === 'user-data' ? erased : `conversations/${String((await listOf(url, ann))[0]?.id)}`;
      await asUser(`${url}/helper/${path}`, ann, { method: 'DELETE' });
      await first.kill('SIGKILL');

      const later = await start({ chatHistoryProvider: null }).url;
      const session = `${later}/helper/session?connectionId=`;
      const again = await connectAs(later, ann);
      const restored = await asUser(`${session}${String(again.connectionId)}`, ann, {
        method: 'POST',
        body: saved.body,
      });
      expect(restored).toMatchObject({ status: 400, body: { code: 'snapshot_refused' } });
    },
  );

  // proves service-2.9-84
  it('is erased as often as endpoints.transports.rateLimit allows, then 429', async () => {
    const { url } = await scriptedServer({
      scripts: [],
      settings: { auth: jwt, endpoints: { transports: { rateLimit: { max: 2, window: '60s' } } } },
    });
    const erase = () =>
      fetch(`${url}/helper/user-data`, { method: 'DELETE', headers: { authorization: `Bearer ${ann}` } });
    expect([(await erase()).status, (await erase()).status]).toEqual([200, 200]);
    const refused = await erase();
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  });
});
