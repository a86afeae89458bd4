import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadObjectSettings } from '../../src/config/load-settings.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { ask } from '../support/ask.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';

const root = join(import.meta.dirname, '..', '..');
const cancel = calling({ name: 'cancel', arguments: { order: 7 } });
const plugin = `
  import { appendFileSync } from 'node:fs';
  const parameters = { type: 'object', properties: { order: { type: 'integer', title: 'Order' } } };
  const execute = ({ order }, { user }) => appendFileSync(new URL('../../done', import.meta.url), user.id + ' ' + order);
  export default {
    name: 'shop',
    actions: [{ name: 'cancel', title: 'Cancel an order', description: 'Cancels.', parameters, execute }],
  };`;

interface Project {
  /** The program of the guide as a reader would save it. */
  readonly program: string;
  readonly config: string;
  /** The user and the order, as the action has recorded them. */
  readonly done: () => string;
}

/** A program of the guide in a project of its own, with a scripted model and the built package. */
async function projectOf(name: string, scripts: readonly ModelScript[]): Promise<Project> {
  const guide = readFileSync(join(root, 'docs/guides/in-process.md'), 'utf8');
  const source = guide.split(`\`\`\`js file=${name}\n`)[1]?.split('```', 1)[0];
  if (source === undefined) throw new Error(`docs/guides/in-process.md has no ${name}`);
  const settings = { storage: { type: 'memory' }, logging: { level: 'warn' }, server: { shutdownGrace: '0s' } };
  const lasting = { ...settings, dataProtection: { keys: ['A'.repeat(43)] } };
  const { directory, configuration } = await scriptedConfiguration({ scripts, plugin, settings: lasting });
  const config = join(directory, 'helper.yaml');
  writeFileSync(config, JSON.stringify(configuration));
  writeFileSync(join(directory, 'done'), '');
  writeFileSync(join(directory, name), source);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(root, join(directory, 'node_modules', 'helper-server'));
  symlinkSync(join(root, 'node_modules', 'fastify'), join(directory, 'node_modules', 'fastify'));
  return { program: join(directory, name), config, done: () => readFileSync(join(directory, 'done'), 'utf8') };
}

interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

function run(program: string, ...parameters: readonly string[]): Run {
  const child = spawn(process.execPath, [program, ...parameters], { cwd: dirname(program) });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, exit };
}

describe('the guide to Node programs (docs/guides/in-process.md)', () => {
  it.each([
    ['y', 'Done.', 'ann 7'],
    ['n', 'Nothing was changed.', ''],
  ])('has a conversation in a terminal that asks first: %s (contract/in-process.md)', async (answer, said, done) => {
    const project = await projectOf('ask.mjs', [cancel, saying(said)]);
    const { child, output, exit } = run(project.program, project.config);
    await expect.poll(output).toContain('You: ');
    child.stdin.write('Cancel order 7\n');
    await expect.poll(output).toContain('Cancel an order (Order: 7) – y/n?');
    child.stdin.write(`${answer}\n`);
    expect(await exit).toBe(0);
    expect(output()).toContain(said);
    expect(project.done()).toBe(done);
  });

  it('has a configuration as an object that is taken (contract/in-process.md)', () => {
    const guide = readFileSync(join(root, 'docs/guides/in-process.md'), 'utf8');
    const call = /createHelper\(\{\n([^]*?)\n\}\);/.exec(guide)?.[1] ?? '';
    const given = runInNewContext(`({${call.replace('/opt/desk/plugins', join(root, 'plugins'))}})`, {
      process: { env: { OPENAI_API_KEY: 'key' } },
    }) as unknown; // checked next
    const { settings } = loadObjectSettings(given, { environment: {} });
    expect(settings).toMatchObject({ appName: 'Order desk', storage: { path: '/var/lib/desk' } });
  });

  it('keeps a conversation from one run to the next (contract/confirmations.md)', async () => {
    const project = await projectOf('keep.mjs', [saying('It is open.'), saying('Still open.')]);
    const first = run(project.program, project.config, 'How is order 7?');
    expect(await first.exit).toBe(0);
    const second = run(project.program, project.config, 'And now?');
    expect(await second.exit).toBe(0);
    expect(second.output()).toContain('user: How is order 7?\nassistant: It is open.\nassistant: Still open.\n');
  });

  it('serves the windows of a shell, each with a conversation of its own, over the bridge of Electron', async () => {
    const project = await projectOf('assistant.mjs', [cancel, saying('Done.'), saying('Hello.')]);
    const { serveAssistant } = (await import(pathToFileURL(project.program).href)) as {
      serveAssistant: (ipcMain: unknown, config: string) => Promise<() => Promise<void>>;
    };
    // Electron cannot run here: its bridge calls the handler of a channel, and windows are event emitters that take messages.
    const handlers = new Map<string, (event: object, ...given: unknown[]) => Promise<unknown>>();
    const close = await serveAssistant(
      { handle: (channel: string, handler: never) => handlers.set(channel, handler) },
      project.config,
    );
    onTestFinished(close);
    const invoke = (channel: string, sender: object, ...given: unknown[]): Promise<unknown> | undefined =>
      handlers.get(channel)?.({ sender }, ...given);
    const open = (id: number) => {
      const events: { event: string; actionId?: string; text?: string }[] = [];
      const window = Object.assign(new EventEmitter(), {
        id,
        isDestroyed: () => false,
        send: (_channel: string, event: (typeof events)[number]) => events.push(event),
      });
      return { window, events };
    };
    const first = open(1);
    const sent = invoke('assistant:send', first.window, 'Cancel order 7');
    const question = () => first.events.find(({ event }) => event === 'ConfirmationRequested');
    await expect.poll(question).toBeDefined();
    await invoke('assistant:approve', first.window, question()?.actionId, true);
    await sent;
    expect(project.done()).toBe('owner 7');
    const second = open(2);
    await invoke('assistant:send', second.window, 'Hello');
    expect(second.events.at(-1)).toMatchObject({ event: 'TurnCompleted', text: 'Hello.' });
    expect(await invoke('assistant:stop', second.window)).toBe(false);
    first.window.emit('destroyed');
  });

  it('mounts the whole server in a Fastify server, whose SIGTERM ends it (contract/restarts.md#stopping)', async () => {
    const project = await projectOf('desk.mjs', [saying('Hello.')]);
    const { child, output, exit } = run(project.program, project.config, '0');
    const address = /http:\/\/127\.0\.0\.1:\d+/;
    await expect.poll(output).toMatch(address);
    const url = address.exec(output())?.[0] ?? '';
    expect((await ask(url, 'GET /')).body).toContain('/assistant/helper/widget.js');
    expect((await ask(url, 'GET /assistant/helper/widget.js')).status).toBe(200);
    const { connection } = await officialClient(`${url}/assistant/helper-hub`);
    expect(await connection.invoke('SendMessage', 'hello')).toMatchObject({ status: 'completed', text: 'Hello.' });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});
