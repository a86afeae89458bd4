import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { configurationWarnings } from '../../src/config/warnings.ts';
import { shippedConfiguration } from '../support/process-environment.ts';
import { realServer } from '../support/real-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { exampleFile, pages } from '../unit/docs/pages.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-operate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function command(folder: string, line: string) {
  const context = fakeContext(folder);
  return runCommand(line.split(' '), context).then((code) => ({
    code,
    text: context.written() + context.complained(),
  }));
}

const approve = (url: string, actionId: string): Promise<Response> =>
  fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved: true }),
  });

describe('the test of a restore (docs/operate/backup.md)', () => {
  it('starts on the backup without a callback or a real model, and knows how a question was answered', async () => {
    const folder = emptyFolder();
    const first = startServerProcess({ folder: join(folder, 'data') });
    const url = await first.url;
    const turn = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'cancel order 1002' } });
    const actionId = String((await turn.next('confirmation')).data?.['actionId']);
    expect((await approve(url, actionId)).status).toBe(200);
    await turn.next('end');
    const environment = { HELPER__STORAGE__PATH: join(folder, 'data') };
    expect(
      await runCommand(
        ['backup', join(folder, 'kept.db'), '--config', shippedConfiguration],
        fakeContext(folder, environment),
      ),
    ).toBe(0);
    await first.kill('SIGKILL');

    const away = emptyFolder();
    cpSync(join(folder, 'kept.db'), join(away, 'kept.db'));
    writeFileSync(join(away, 'restore-test.yaml'), exampleFile('docs/operate/backup.md', 'restore-test.yaml'));
    const restored = await command(away, `restore ${join(away, 'kept.db')} --config restore-test.yaml`);
    expect(restored).toMatchObject({
      code: 0,
      text: expect.stringMatching(/as it was at .*open questions: 0/) as string,
    });
    const second = startServerProcess({ folder: join(away, 'restored'), config: join(away, 'restore-test.yaml') });
    const stand = await fetch(`${await second.url}/helper/approve?actionId=${actionId}`);
    expect(await stand.json()).toMatchObject({ outcome: 'approved', action: { status: 'succeeded' } });
    expect(((await (await fetch(`${await second.url}/readyz`)).json()) as { status: string }).status).toBe('ready');
  });
});

const base = `appName: Order desk\nmodels: { demo: { provider: demo } }\nchatClient: demo\nactions: none\n`;
const environment = { HELPER_KEY: Buffer.alloc(32, 7).toString('base64'), METRICS_TOKEN: 'metrics-token' };

function savedSecurity(change: (text: string) => string = (text) => text): string {
  const file = join(emptyFolder(), 'helper.yaml');
  writeFileSync(file, base + change(exampleFile('docs/operate/security.md', 'hardened.yaml')));
  return file;
}

/** The warnings of a section of the page of troubleshooting. */
function warningsBelow(heading: string): readonly string[] {
  const section = pages.get('docs/operate/troubleshooting.md')?.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  return [...section.matchAll(/\[(HLP\d+)\]/g)].map(([, code = '']) => code);
}

describe('the hardened configuration (docs/operate/security.md)', () => {
  it('has no warning of exposure, also where it listens on all addresses', () => {
    const open = { ...environment, HELPER__SERVER__HOST: '0.0.0.0' };
    const { settings } = loadSettings({ file: savedSecurity(), environment: open });
    const codes = configurationWarnings(settings, open).map(({ code }) => code);
    const exposure = warningsBelow('Exposure and security');
    expect(exposure).toContain('HLP1004');
    expect(codes.filter((code) => exposure.includes(code))).toEqual([]);
  });

  it('answers the verifying requests of the page as it says', async () => {
    // The provider of the example is no server, so that tokens are checked with a secret; the address is that of the test.
    const file = savedSecurity((text) =>
      text.replace(/issuer: .*/, `secret: '${tokenSecret}'`).replace(/publicUrl: .*/, `publicUrl: ''`),
    );
    const { url } = await realServer(environment, file);
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
      const response = await fetch(url + path, { headers: { accept: '*/*', ...headers } });
      await response.body?.cancel();
      return response.status;
    };
    const chat = '/helper/chat?message=hi';
    expect(await status(chat)).toBe(401);
    expect(await status(chat, { origin: 'https://evil.example' })).toBe(403);
    expect(await status(chat, { authorization: 'Bearer x.y.z' })).toBe(401);
    expect(await status('/metrics')).toBe(401);
    // The same requests pass with what they need.
    const token = await makeToken({ sub: 'ann' }, { audience: 'order-desk' });
    expect(await status(chat, { authorization: `Bearer ${token}` })).toBe(200);
    expect(await status('/metrics', { authorization: 'Bearer metrics-token' })).toBe(200);
  });
});

it('the shorter periods are a configuration (docs/operate/privacy.md)', () => {
  const file = join(emptyFolder(), 'helper.yaml');
  writeFileSync(file, base + exampleFile('docs/operate/privacy.md', 'keep-less.yaml'));
  const { retention, server } = loadSettings({ file, environment: {} }).settings;
  expect([retention.journal, server.resumeWindow]).toEqual([30 * 24 * 3_600_000, 30_000]);
});

describe('the table of what is kept (docs/operate/privacy.md)', () => {
  it('names the default of each setting as the configuration has it', () => {
    const section = pages.get('docs/operate/privacy.md')?.split('## What is kept\n')[1]?.split('\n## ')[0] ?? '';
    const reference = pages.get('docs/reference/configuration.md') ?? '';
    const named = [...section.matchAll(/((?:`[A-Za-z.0-9]+`(?:, )?)+) \(([a-z0-9]+)[^)]*\)/g)].flatMap(
      ([, names = '', value = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, value] as const),
    );
    expect(named.length).toBeGreaterThan(12);
    for (const [name, value] of named) {
      const row = reference.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      const shipped = row?.split(' | ')[2]?.replaceAll(/[`"]/g, '').replace('[]', 'none');
      expect(`${name}: ${shipped ?? 'unknown'}`).toBe(`${name}: ${value}`);
    }
  });
});
