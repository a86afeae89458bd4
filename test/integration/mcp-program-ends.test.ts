import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../support/mcp/is-running.ts';
import { calling, type ReceivedRequest, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';

const program = join(import.meta.dirname, '../support/mcp/stdio-server.ts');
const leaving = `require('node:child_process')
  .spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit', detached: true })`;

/**
 * How a program is started that neither the end of its input nor SIGTERM ends. SIGTERM does end what starts the second one, and waits for
 * it: Node closes the input of a process that has ended, whoever else still reads from it.
 */
const kinds = { 'stays in its group': [], 'leaves its group': ['-e', leaving, '--'] } as const;

const rolesOf = ({ body }: ReceivedRequest): readonly string[] =>
  (body['messages'] as readonly { readonly role: string }[]).map(({ role }) => role);

const isTold = (request: ReceivedRequest): boolean => rolesOf(request).includes('tool');

const mayCall = (request: ReceivedRequest, tool: string): boolean =>
  !isTold(request) && JSON.stringify(request.body['tools'] ?? []).includes(`"${tool}"`);

/** A server process, whose program has run the tool, and the processes that the program is made of. */
async function served(
  kind: keyof typeof kinds,
  tool: string,
): Promise<{ readonly server: ServerProcess; readonly pids: readonly number[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-ends-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const call = calling({ name: tool, arguments: {} });
  const model = await startScriptedModel({
    otherwise: (exchange) => (mayCall(exchange.request, tool) ? call : saying('Said.'))(exchange),
  });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const entry = {
    name: 'tally',
    command: process.execPath,
    arguments: [...kinds[kind], program, 'new', folder, 'stubborn'],
    shared: true,
  };
  const configuration = {
    appName: 'Test',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
    actions: 'none',
    mcpServers: [entry],
  };
  writeFileSync(config, JSON.stringify(configuration));
  const server = startServerProcess({ folder: join(folder, 'data'), config });
  const pidIn = (file: string): number => Number(readFileSync(join(folder, file), 'utf8'));
  onTestFinished(() => {
    // Where the server has left any behind, the test has failed, and shall not leave them on the machine.
    if (!existsSync(join(folder, 'child'))) return;
    for (const pid of ['started', 'child'].map(pidIn).filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
  const url = await server.url;
  // On a busy machine a program may take longer to start than a turn waits for it.
  while (!model.requests.some(isTold)) await (await openSse(`${url}/helper/chat?message=${tool}`)).next('end');
  return { server, pids: ['started', 'child'].map(pidIn) };
}

describe.runIf(process.platform === 'linux').each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'a program that nothing ends and that %s (contract/mcp-servers.md#programs)',
  (kind) => {
    // proves service-2.16-35
    it('ends with a server that is killed, and so does what it has started', async () => {
      const { server, pids } = await served(kind, 'count');
      expect(pids.map(isRunning)).toEqual([true, true]);
      await server.kill('SIGKILL');
      await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
    });

    // proves service-2.16-32
    it('ends with a server that is stopped, and so does what it has started', async () => {
      const { server, pids } = await served(kind, 'count');
      expect(await server.kill('SIGTERM')).toBe(0);
      await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
    });

    // proves service-2.16-32
    it('leaves nothing behind that it has started when it crashes', async () => {
      const { pids } = await served(kind, 'crash');
      await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
    });
  },
);
