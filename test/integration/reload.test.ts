import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { startServerProcess } from '../support/server-process.ts';
import { type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

/** A real process whose configuration the test rewrites. */
async function server(values: object, scripts: readonly ModelScript[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-reload-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const model = await startScriptedModel({ scripts });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const base = {
    appName: 'Shop',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'first', apiKey: 'none' } },
    actions: 'none',
    storage: { path: join(folder, 'data') },
  };
  const write = (changed: object): void => writeFileSync(config, JSON.stringify({ ...base, ...changed }));
  write(values);
  const running = startServerProcess({ folder: join(folder, 'data'), config });
  const url = await running.url;
  /** What `helper reload` prints, and its exit code. */
  const reload = async (): Promise<{ readonly code: number; readonly text: string }> => {
    const context = fakeContext(folder);
    const code = await runCommand(['reload', '--config', config], context);
    return { code, text: context.written() + context.complained() };
  };
  const serving = async (): Promise<string> =>
    ((await (await fetch(`${url}/readyz`)).json()) as { readonly configuration: string }).configuration; // contract/operations.md#probes
  /** The instructions and the model of a turn. */
  const asked = async (index: number): Promise<string> => JSON.stringify((await model.request(index)).body);
  return { ...running, folder, url, base, model, write, reload, serving, asked };
}

/** A folder with one plugin. */
function pluginFolder(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-reload-plugins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'test.plugin.js'), source);
  return folder;
}

/** Whether a process handles SIGHUP: the lowest bit of the signals that it catches. */
function catchesHangUp(pid: number): boolean {
  const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${mask}`) & 1n) === 1n;
}

const withSkill = '---\nname: refunds\ndescription: How to refund.\n---\nDo it.\n';

const chat = (url: string) => openSse(`${url}/helper/chat?message=hello`);

describe('a changed configuration without a restart (contract/operations.md#reload)', () => {
  // proves service-2.12-19
  it('offers skills from now on, or no more', async () => {
    const one = await server({}, [saying('1'), saying('2'), saying('3')]);
    mkdirSync(join(one.folder, 'skills/refunds'), { recursive: true });
    writeFileSync(join(one.folder, 'skills/refunds/SKILL.md'), withSkill);
    for (const change of [{}, { enableSkills: true, skillsFolder: 'skills' }, { enableSkills: false }]) {
      one.write(change);
      expect((await one.reload()).code).toBe(0);
      await (await chat(one.url)).next('end');
    }
    const told = await Promise.all([0, 1, 2].map(async (index) => (await one.asked(index)).includes('How to refund.')));
    expect(told).toEqual([false, true, false]);
    one.write({ enableSkills: true, skillsFolder: 'none' });
    expect(await one.reload()).toMatchObject({ text: expect.stringContaining('there is no directory') as string });
  });

  // proves service-11-03
  it('chooses tools from now on, or no more', async () => {
    const actions = `['stock', 'price', 'order'].map((name) => ({ name, description: 'The ' + name, parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => name }))`;
    const plugins = pluginFolder(`export default { name: 'shop', actions: ${actions} };`);
    const one = await server({ actions: { plugins: [plugins] } }, [saying('1'), saying('2'), saying('3')]);
    for (const change of [{}, { enableToolFiltering: true, toolFilterMaxTools: 1 }, { enableToolFiltering: false }]) {
      one.write({ actions: { plugins: [plugins] }, ...change });
      expect((await one.reload()).code).toBe(0);
      await (await openSse(`${one.url}/helper/chat?message=price`)).next('end');
    }
    const told = await Promise.all([0, 1, 2].map(async (index) => (await one.asked(index)).match(/"name":"\w+"/g)));
    const all = ['"name":"stock"', '"name":"price"', '"name":"order"'];
    expect(told).toEqual([all, ['"name":"price"', '"name":"find_tools"'], all]);
  });

  // proves service-11-27
  it('makes the layers of plugins anew around a changed model', async () => {
    const plugins = pluginFolder(
      `let count = 0;
       export default { name: 'layer', hooks: { configureChatClientPipeline(model) {
         const made = (count += 1);
         return { ...model, run: (request, sink) => model.run({ ...request, instructions: 'layer ' + made + ' of ' + model.model }, sink) };
       } } };`,
    );
    const values = { actions: { plugins: [plugins] } };
    const one = await server(values, [saying('1'), saying('2')]);
    await (await chat(one.url)).next('end');
    one.write({ ...values, models: { main: { ...one.base.models.main, model: 'second' } } });
    expect((await one.reload()).code).toBe(0);
    await (await chat(one.url)).next('end');
    expect(await one.asked(0)).toContain('layer 1 of first');
    expect(await one.asked(1)).toContain('layer 2 of second');
  });

  // proves service-2.10-39
  it('looks for facts in what is said once memoryAutoCapture is on, and in nothing from before', async () => {
    const memory = { useMemoryContext: true, anonymousIdentity: 'Shared' };
    const one = await server({ ...memory, memoryAutoCapture: false });
    const say = async (message: string) => (await openSse(`${one.url}/helper/chat?message=${message}`)).next('end');
    await say('cats');
    one.write(memory);
    expect((await one.reload()).code).toBe(0);
    await say('dogs');
    // The messages of one user are looked through in order. The earlier message would have come first.
    const looked = (): readonly string[] =>
      one.model.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('You keep the memory'));
    await expect.poll(() => looked().some((body) => body.includes('dogs'))).toBe(true);
    expect(looked().join()).not.toContain('cats');
  });

  // proves configuration-7-08
  it('is taken for new turns, is named on /readyz and in each turn’s log line; what needs a restart is named and left', async () => {
    const one = await server({ helperLevel: 'Minimal' }, [saying('Hi.'), saying('Hallo.')]);
    const before = await one.serving();
    await (await chat(one.url)).next('end');
    expect(await one.asked(0)).toContain('Do not explain');
    one.write({ helperLevel: 'Proactive', language: 'German', botName: 'Ada' });
    const { code, text } = await one.reload();
    expect({ code, text }).toEqual({
      code: 0,
      text: `Taken: helperLevel, language.\nWaits for a restart: botName.\nConfiguration ${await one.serving()} serves.\n`,
    });
    expect(await one.serving()).not.toBe(before);
    await (await chat(one.url)).next('end');
    expect(await one.asked(1)).toContain('Explain what you do and why.');
    expect(await one.asked(1)).toContain('Always answer in German.');
    await expect.poll(one.printed).toContain(`"configuration":"${await one.serving()}","msg":"turn ended"`);
    expect(one.printed()).toContain(`"configuration":"${before}","msg":"turn ended"`);
  });

  // proves configuration-7-09
  it('leaves a running turn with what it began with', async () => {
    const gate = Promise.withResolvers<undefined>();
    const held: ModelScript = async (exchange) => {
      await gate.promise;
      await saying('From the first model.')(exchange);
    };
    const one = await server({}, [held, saying('From the second.')]);
    const first = await chat(one.url);
    await one.model.request(0);
    one.write({ models: { main: { ...one.base.models.main, model: 'second' } } });
    expect((await one.reload()).text).toContain('Taken: models.');
    gate.resolve(undefined);
    await first.next('end');
    expect(first.text()).toBe('From the first model.');
    await (await chat(one.url)).next('end');
    expect(await one.asked(0)).toContain('"model":"first"');
    expect(await one.asked(1)).toContain('"model":"second"');
  });

  // proves configuration-7-09
  it('closes the model of before once no turn needs it, and no earlier', async () => {
    const gate = Promise.withResolvers<undefined>();
    const held: ModelScript = async (exchange) => {
      await gate.promise;
      await saying('From the first model.')(exchange);
    };
    const one = await server({}, [held, saying('From the second.')]);
    const first = await chat(one.url);
    await one.model.request(0);
    one.write({ models: { main: { ...one.base.models.main, model: 'second' } } });
    expect((await one.reload()).text).toContain('Taken: models.');
    await (await chat(one.url)).next('end');
    // Both models keep their sockets open for the next turn.
    expect(await one.model.connections()).toBe(2);
    gate.resolve(undefined);
    await first.next('end');
    expect(first.text()).toBe('From the first model.');
    await expect.poll(() => one.model.connections()).toBe(1);
    one.write({});
    await one.reload();
    await expect.poll(() => one.model.connections()).toBe(0);
    await (await chat(one.url)).next('end');
    expect(await one.kill('SIGTERM')).toBe(0);
    expect(one.printed()).not.toContain('could not be closed');
  });

  // proves configuration-7-10
  it('with faults changes nothing, and says why', async () => {
    const one = await server({}, [saying('Hi.')]);
    const before = await one.serving();
    one.write({ helperLevel: 'Loud', chatClient: 'mian' });
    // The command checks the file itself before it asks the server.
    const { code, text } = await one.reload();
    expect(code).toBe(78);
    expect(text).toContain('"mian" names no entry of models; models has main (did you mean main?)');
    process.kill(one.pid, 'SIGHUP');
    await expect.poll(one.printed).toContain('has faults: nothing changes');
    expect(await one.serving()).toBe(before);
    await (await chat(one.url)).next('end');
  });

  // proves configuration-7-11
  it('is taken by SIGHUP', async () => {
    const one = await server({});
    const before = await one.serving();
    one.write({ helperLevel: 'Minimal' });
    process.kill(one.pid, 'SIGHUP');
    await expect.poll(one.serving).not.toBe(before);
    await expect.poll(one.printed).toContain('the configuration was read again');
  });

  // proves configuration-7-43
  it('is taken by SIGHUP that comes while the server starts, once it serves', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-hangup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, 'helper.yaml');
    const configuration = {
      appName: 'Shop',
      chatClient: 'demo',
      models: { demo: { provider: 'demo' } },
      actions: 'none',
    };
    writeFileSync(config, JSON.stringify(configuration));
    const starting = startServerProcess({ folder, config });
    await expect.poll(() => catchesHangUp(starting.pid), { interval: 5 }).toBe(true);
    expect(starting.printed()).not.toContain('listening');
    process.kill(starting.pid, 'SIGHUP');
    await starting.url;
    await expect.poll(starting.printed).toContain('the configuration was read again');
  });

  // proves configuration-7-11
  it('is taken by itself with server.watch', async () => {
    const one = await server({ server: { watch: true } });
    const before = await one.serving();
    one.write({ helperLevel: 'Minimal', server: { watch: true } });
    await expect.poll(one.serving).not.toBe(before);
  });

  // proves configuration-7-11, service-2.11-26
  it('is asked for over a socket that nobody else may use, and that goes with the server', async () => {
    const one = await server({});
    const socket = join(one.folder, 'data', 'helper.sock');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(await one.kill('SIGTERM')).toBe(0);
    const { code, text } = await one.reload();
    expect(code).toBe(1);
    expect(text).toMatch(/^not reloaded: no server runs with the storage .*data\n$/);
  });
});
