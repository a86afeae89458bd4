import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { callbackSecret, expectedSignature, json, startCallback } from '../support/callback-receiver.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const nextSecret = `the next one: ${tokenSecret}`;
const nextCallbackSecret = `whsec_${Buffer.from('the next key of thirty-two bytes!').toString('base64')}`;
const manifest = {
  version: 1,
  actions: [{ name: 'get_order', description: 'Looks up.', parameters: { type: 'object' }, readOnly: true }],
};

/** A real process. Each of its secrets is in a separate file. */
async function server(scripts: readonly ModelScript[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const callback = await startCallback(manifest);
  callback.answer = json({ result: 'open', documents: [] });
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `${text}\n`);
  };
  const configure = (changed: object = {}): void => {
    const configuration = {
      appName: 'Shop',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'one', apiKey: '${file:key}' } },
      actions: { callbacks: [{ name: 'erp', url: callback.url, secret: '${file:callback}' }] },
      useRag: true,
      ragSources: [{ type: 'http', name: 'help', url: callback.url, secret: '${file:callback}' }],
      auth: { jwt: { secret: '${file:jwt}' } },
      endpoints: { metrics: { token: '${file:metrics}' } },
      storage: { path: join(folder, 'data') },
      botName: '${file:name}',
      ...changed,
    };
    write('helper.yaml', JSON.stringify(configuration));
  };
  for (const [name, text] of Object.entries({
    key: 'first-key',
    callback: callbackSecret,
    jwt: tokenSecret,
    metrics: 'first-scraper',
    name: 'Ada',
  })) {
    write(name, text);
  }
  configure();
  const config = join(folder, 'helper.yaml');
  const running = startServerProcess({ folder: join(folder, 'data'), config });
  const url = await running.url;
  const reload = (): Promise<number> => runCommand(['reload', '--config', config], fakeContext(folder));
  const statusWith = async (path: string, token: string): Promise<number> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    await answer.text();
    return answer.status;
  };
  return { ...running, url, model, callback, write, configure, reload, statusWith };
}

describe('a changed file that ${file:…} names (contract/operations.md#secrets)', () => {
  // proves configuration-7-22
  it('counts without a restart: for tokens of users and the one of metrics, whose earlier ones are refused', async () => {
    const one = await server();
    const [before, after] = [await makeToken({ sub: 'ann' }), await makeToken({ sub: 'ann' }, { key: nextSecret })];
    expect(await one.statusWith('/helper/tour', before)).toBe(200);
    expect(await one.statusWith('/helper/tour', after)).toBe(401);
    one.write('jwt', nextSecret);
    one.write('metrics', 'second-scraper');
    await expect.poll(() => one.statusWith('/helper/tour', after)).toBe(200);
    expect(await one.statusWith('/helper/tour', before)).toBe(401);
    await expect.poll(() => one.statusWith('/metrics', 'second-scraper')).toBe(200);
    expect(await one.statusWith('/metrics', 'first-scraper')).toBe(401);
    await expect.poll(one.printed).toContain('changed secret files were read again');
  });

  // proves configuration-7-22
  it('counts for the keys of models and the signatures of callbacks and of sources of documents', async () => {
    const asks = calling({ name: 'get_order', arguments: {} });
    const one = await server([asks, saying('It is open.')]);
    one.write('key', 'second-key');
    one.write('callback', nextCallbackSecret);
    await expect.poll(one.printed).toContain('"actions.callbacks[].secret","ragSources[].secret"');
    await expect.poll(one.printed).toContain('"models"');
    await (await openSse(`${one.url}/helper/chat?message=go`)).next('end');
    expect((await one.model.request(0)).headers['authorization']).toBe('Bearer second-key');
    const asked = one.callback.posts();
    expect(asked.map(({ body }) => body['type'])).toEqual(['search', 'action']);
    for (const call of asked) {
      expect(call.headers['webhook-signature']).toBe(expectedSignature(call, nextCallbackSecret));
    }
  });

  // proves configuration-7-23
  it('that cannot be used changes nothing, and what needs a restart is named; the log shows no secret', async () => {
    const one = await server();
    one.write('jwt', 'too-short');
    await expect.poll(one.printed).toContain('a changed secret file cannot be used: nothing changes');
    expect(await one.statusWith('/helper/tour', await makeToken({ sub: 'ann' }))).toBe(200);
    one.write('jwt', tokenSecret);
    one.write('name', 'Bob');
    await expect.poll(one.printed).toContain('"left":["botName"]');
    expect(one.printed()).not.toContain('too-short');
    expect(one.printed()).not.toContain(tokenSecret);
  });

  // proves configuration-7-45
  it('counts while the kill switch is on, which nobody has to reload', async () => {
    const one = await server();
    const after = await makeToken({ sub: 'ann' }, { key: nextSecret });
    one.configure({ killSwitch: { writes: true } });
    await expect.poll(one.printed).toContain('the kill switch is on');
    one.write('jwt', nextSecret);
    await expect.poll(() => one.statusWith('/helper/tour', after)).toBe(200);
  });

  // proves configuration-7-24
  it('waits for a reload while the configuration file has changes that do', async () => {
    const one = await server();
    const after = await makeToken({ sub: 'ann' }, { key: nextSecret });
    one.configure({ helperLevel: 'Minimal' });
    one.write('jwt', nextSecret);
    await expect.poll(one.printed).toContain('both wait for helper reload');
    expect(await one.statusWith('/helper/tour', after)).toBe(401);
    expect(await one.reload()).toBe(0);
    expect(await one.statusWith('/helper/tour', after)).toBe(200);
  });
});
