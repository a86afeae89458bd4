import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSnapshotKey } from '../../src/adapters/snapshots/snapshot-key.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { startServerProcess } from '../support/server-process.ts';
import { makeToken, rsaKeyPair, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const [one, two, three] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
];
const idOf = (key: string): string => readSnapshotKey(key).id;

interface Files {
  readonly folder: string;
  readonly write: (name: string, text: string) => void;
  readonly configure: (changed: object) => void;
}

/** A folder for a configuration and the files of its keys. */
function files(): Files {
  const folder = mkdtempSync(join(tmpdir(), 'helper-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  const base = {
    appName: 'Shop',
    chatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    actions: 'none',
    storage: { path: join(folder, 'data') },
  };
  return {
    folder,
    write,
    configure: (changed) => {
      write('helper.yaml', JSON.stringify({ ...base, ...changed }));
    },
  };
}

/** A real process over that folder. */
async function started({ folder }: Files) {
  const config = join(folder, 'helper.yaml');
  const running = startServerProcess({ folder: join(folder, 'data'), config });
  const url = await running.url;
  const reload = async (): Promise<string> => {
    const context = fakeContext(folder);
    await runCommand(['reload', '--config', config], context);
    return context.written() + context.complained();
  };
  const statusWith = async (token: string): Promise<number> => {
    const answer = await fetch(`${url}/helper/tour`, { headers: { authorization: `Bearer ${token}` } });
    await answer.text();
    return answer.status;
  };
  return { ...running, url, reload, statusWith };
}

/** A conversation over the hub that can be saved and restored. */
async function conversation(url: string) {
  const client = await RawHubClient.connect(`${url}/helper-hub`, { events: false });
  onTestFinished(() => {
    client.socket.terminate();
  });
  const { connectionId } = await client.event('Connected');
  const address = `${url}/helper/session?connectionId=${String(connectionId)}`;
  const save = async (): Promise<string> =>
    ((await (await fetch(address)).json()) as { readonly snapshot: string }).snapshot; // contract/sessions.md#snapshots
  return {
    save,
    /** The id of the key that seals now. */
    sealedBy: async (): Promise<string | undefined> => (await save()).split('.')[1],
    restore: async (snapshot: string): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ snapshot }) });
      await answer.text();
      return answer.status;
    },
  };
}

describe('changed keys of dataProtection (contract/operations.md#secrets)', () => {
  // proves configuration-7-22, configuration-7-25
  it('count without a restart: the first one seals, all of them open, and one that is gone opens nothing', async () => {
    const folder = files();
    folder.write('seal', one);
    folder.write('keys.json', JSON.stringify({ keys: [three] }));
    folder.configure({ dataProtection: { keys: ['${file:seal}'], keyFile: 'keys.json' } });
    const server = await started(folder);
    const { save, sealedBy, restore } = await conversation(server.url);
    const first = await save();
    expect(await sealedBy()).toBe(idOf(one));
    folder.write('keys.json', JSON.stringify({ keys: [one] }));
    folder.write('seal', two);
    await expect.poll(sealedBy).toBe(idOf(two));
    expect(await restore(first)).toBe(200);
    expect(await restore(await save())).toBe(200);
    folder.write('keys.json', JSON.stringify({ keys: [three] }));
    await expect.poll(() => restore(first)).toBe(400);
    await expect.poll(server.printed).toContain('"taken":["dataProtection.keys"]');
    expect(server.printed()).not.toContain(two);
  });

  // proves configuration-7-25
  it('are taken by a reload, which says so when what was sealed until now stays closed', async () => {
    const folder = files();
    folder.configure({ dataProtection: { keys: [one] } });
    const server = await started(folder);
    const { sealedBy } = await conversation(server.url);
    folder.configure({ dataProtection: { keys: [two, one] } });
    expect(await server.reload()).toContain('Taken: dataProtection.keys.\n');
    expect(await sealedBy()).toBe(idOf(two));
    expect(server.printed()).not.toContain('stays closed');
    folder.configure({ dataProtection: { keys: [three], maxAge: '7d' } });
    const printed = await server.reload();
    expect(printed).toContain('Taken: dataProtection.keys.\n');
    expect(printed).toContain('Waits for a restart: dataProtection.\n');
    expect(await sealedBy()).toBe(idOf(three));
    await expect.poll(server.printed).toContain('what it has sealed stays closed');
  });

  // proves configuration-7-23
  it('that cannot be used change nothing', async () => {
    const folder = files();
    folder.write('keys.json', JSON.stringify({ keys: [one] }));
    folder.configure({ dataProtection: { keyFile: 'keys.json' } });
    const server = await started(folder);
    const { sealedBy } = await conversation(server.url);
    folder.write('keys.json', JSON.stringify({ keys: ['half-a-key'] }));
    await expect.poll(server.printed).toContain('a changed secret file cannot be used: nothing changes');
    expect(await sealedBy()).toBe(idOf(one));
    expect(server.printed()).not.toContain('half-a-key');
  });
});

describe('auth.jwt.publicKeyFile (contract/operations.md#secrets)', () => {
  // proves configuration-7-25
  it('counts without a restart when it is another one, and changes nothing while it is no key', async () => {
    const [before, after] = [rsaKeyPair('a'), rsaKeyPair('b')];
    const signed = (pair: typeof before): Promise<string> =>
      makeToken({ sub: 'ann' }, { key: pair.privateKey, algorithm: 'RS256' });
    const pem = (pair: typeof before): string => pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const folder = files();
    folder.write('public.pem', pem(before));
    folder.configure({ auth: { jwt: { publicKeyFile: 'public.pem' } } });
    const server = await started(folder);
    expect(await server.statusWith(await signed(before))).toBe(200);
    folder.write('public.pem', 'no key at all');
    await expect.poll(server.printed).toContain('a changed secret file cannot be used: nothing changes');
    expect(await server.statusWith(await signed(before))).toBe(200);
    folder.write('public.pem', pem(after));
    await expect.poll(async () => server.statusWith(await signed(after))).toBe(200);
    expect(await server.statusWith(await signed(before))).toBe(401);
    await expect.poll(server.printed).toContain('"taken":["auth.jwt.publicKeyFile"]');
    folder.write('other.pem', pem(before));
    folder.configure({ auth: { jwt: { publicKeyFile: 'other.pem' } } });
    expect(await server.reload()).toContain('Taken: auth.jwt.publicKeyFile.\n');
    expect(await server.statusWith(await signed(before))).toBe(200);
  });
});

describe('a secret that is renewed while the server starts (contract/operations.md#secrets)', () => {
  // proves configuration-7-26
  it('counts without another change', async () => {
    const nextSecret = `the next one: ${tokenSecret}`;
    const folder = files();
    mkdirSync(join(folder.folder, 'plugins'));
    // Plugins are loaded after the configuration was read, and before anything is watched.
    folder.write(
      'plugins/renewal.plugin.mjs',
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(join(folder.folder, 'jwt'))}, ${JSON.stringify(nextSecret)});
       export default { name: 'renewal', actions: [] };`,
    );
    folder.write('jwt', tokenSecret);
    folder.configure({ actions: { plugins: ['plugins'] }, auth: { jwt: { secret: '${file:jwt}' } } });
    const server = await started(folder);
    const after = await makeToken({ sub: 'ann' }, { key: nextSecret });
    await expect.poll(() => server.statusWith(after)).toBe(200);
    expect(await server.statusWith(await makeToken({ sub: 'ann' }))).toBe(401);
  });
});
