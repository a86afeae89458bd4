import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

let folder: string;
let server: Server;
let status: number;
let asked: string | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helper-health-'));
  status = 200;
  server = createServer((request, response) => {
    asked = request.url;
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function configure(serverLines: string): readonly string[] {
  const file = join(folder, 'helper.yaml');
  const head = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }\nactions: none\n';
  writeFileSync(file, `${head}server: { ${serverLines} }\n`);
  return ['health', '--config', file];
}

const port = (): string => String((server.address() as AddressInfo).port); // it listens on TCP

describe('helper health', () => {
  it.each(['127.0.0.1', '0.0.0.0', 'localhost'])('is 0 when a server on %s is ready', async (host) => {
    const context = fakeContext(folder);
    expect(await runCommand(configure(`host: "${host}", port: ${port()}, basePath: /base`), context)).toBe(0);
    expect(context.written()).toBe('ready\n');
    expect(asked).toBe('/readyz');
  });

  it('is 1 while the server drains (contract/operations.md#probes)', async () => {
    status = 503;
    const context = fakeContext(folder);
    expect(await runCommand(configure(`port: ${port()}`), context)).toBe(1);
    expect(context.written()).toBe('not ready: /readyz answered 503\n');
  });

  it('asks where the environment says (contract/configuration.md#reading)', async () => {
    const context = fakeContext(folder, { HELPER__SERVER__PORT: port() });
    expect(await runCommand(configure('port: 1'), context)).toBe(0);
  });

  it('is 1 when nobody answers', async () => {
    const context = fakeContext(folder);
    expect(await runCommand(configure('port: 1'), context)).toBe(1);
    expect(context.complained()).toMatch(/^not ready: .*ECONNREFUSED/);
  });

  it('is 1 when the configuration has faults or names no port', async () => {
    expect(await runCommand(configure('port: x'), fakeContext(folder))).toBe(1);
    expect(await runCommand(configure('port: 0'), fakeContext(folder))).toBe(1);
  });
});
