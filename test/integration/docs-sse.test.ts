import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realServer } from '../support/real-server.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/sse.md'), 'utf8');
const script = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, code]) => code ?? '')
  .find((code) => code.startsWith('server='));

async function run(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', (script ?? '').replace('http://localhost:8080', url)]);
  return stdout;
}

describe('the guide to server-sent events', () => {
  it('holds a turn with a confirmation over plain curl (contract/sse.md and contract/confirmations.md)', async () => {
    const { url } = await realServer({ HELPER__MODELS__DEMO__OPTIONS: '{ wordDelay: 0ms }' });
    const printed = await run(url);
    expect(printed).toContain('event: confirmation');
    expect(printed).toContain('"outcome":"approved"');
    expect(printed).toMatch(/event: end\ndata: \{.*"status":"completed"/);
    // The order is cancelled now. When the action runs again, it reports a failure.
    expect(await run(url)).toMatch(/event: failure\ndata: \{.*"code":"action_failed"/);
  });

  it('asks without waiting, and reads the turn later (contract/sse.md#detached-turns)', async () => {
    const { url } = await realServer({ HELPER__SERVER__DURABLETURNS: 'true' });
    const [asking = '', reading = ''] = [
      ...guide.matchAll(/```sh\n(curl -[iN] -H '(?:content-type|last-event-id)[\s\S]*?)```/g),
    ].map(([, code]) => code ?? '');
    const { stdout } = await promisify(execFile)('bash', ['-c', asking.replace('http://localhost:8080', url)]);
    expect(stdout).toMatch(/^HTTP\/1\.1 202 /);
    const turnId = /"turnId":"([^"]+)"/.exec(stdout)?.[1] ?? '';
    const read = reading.replace('http://localhost:8080', url).replace('TURN', turnId);
    expect((await promisify(execFile)('bash', ['-c', read])).stdout).toMatch(
      /event: end\ndata: \{.*"status":"completed"/,
    );
  });

  it('fetches the OpenAPI document with plain curl (contract/addresses.md#openapi)', async () => {
    const { url } = await realServer();
    const fetching = /^curl .*openapi\.json.*$/m.exec(guide)?.[0] ?? '';
    const directory = await temporaryDirectory();
    await promisify(execFile)('bash', ['-c', fetching.replace('http://localhost:8080', url)], { cwd: directory });
    const document: unknown = JSON.parse(readFileSync(join(directory, 'openapi.json'), 'utf8'));
    expect(document).toHaveProperty(['paths', '/helper/chat', 'post']);
  });
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'helper-openapi-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}
