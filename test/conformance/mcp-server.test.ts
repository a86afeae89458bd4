import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processEnvironment } from '../support/process-environment.ts';
import { startServerProcess } from '../support/server-process.ts';

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const here = join(import.meta.dirname, 'mcp');

/** The server as it ships, with the actions that the scenarios call. */
async function started(folder: string): Promise<string> {
  const plugins = join(folder, 'plugins');
  mkdirSync(join(plugins, 'conformance'), { recursive: true });
  cpSync(join(here, 'plugin.js'), join(plugins, 'conformance', 'index.js'));
  const config = join(folder, 'helper.yaml');
  const settings = {
    appName: 'Conformance',
    chatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    actions: { plugins: [plugins] },
    mcpServerEnabled: true,
    endpoints: { mcp: { logs: 'debug' } },
    enableSkills: true,
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const { port } = new URL(await startServerProcess({ folder, config }).url);
  // The scenario about DNS rebinding looks at servers that are called localhost.
  return `http://localhost:${port}/mcp`;
}

/** Runs all scenarios that a revision requires. Resolves with the exit code and with what was printed. */
async function played(revision: string, url: string, folder: string): Promise<readonly [number | null, string]> {
  const baseline = join(here, `expected-failures-${revision}.yml`);
  const given = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
  const options = { cwd: folder, env: { ...processEnvironment, NO_COLOR: '1' } };
  const child = spawn(process.execPath, [suite, ...given, '-o', join(folder, 'results')], options);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let printed = '';
  const read = (text: string): void => {
    printed += text;
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  await once(child, 'close');
  return [child.exitCode, printed];
}

describe('the official suite of the protocol (contract/mcp-server.md)', () => {
  it.each([['2025-11-25'], ['2026-07-28']])(
    'finds no fault that the list of expected failures does not name: %s',
    async (revision) => {
      const folder = mkdtempSync(join(tmpdir(), 'helper-mcp-suite-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [code, printed] = await played(revision, await started(folder), folder);
      const summary = printed.slice(printed.indexOf('=== SUMMARY ==='));
      expect([code, summary]).toEqual([0, expect.stringContaining('✓ tools-call-simple-text')]);
    },
  );
});
