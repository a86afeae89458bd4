import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { realServer } from '../support/real-server.ts';
import { tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/dashboard.md'), 'utf8');

/** A block of the guide as a reader would copy it. */
function block(kind: string, beginning: string): string {
  const found = [...guide.matchAll(/```(\S+)[^\n]*\n([\s\S]*?)```/g)].find(
    ([, given, code]) => given === kind && code?.startsWith(beginning),
  )?.[2];
  if (found === undefined) throw new Error(`the guide has no ${kind} block that begins with ${beginning}`);
  return found;
}

describe('the guide to the dashboard (docs/guides/dashboard.md)', () => {
  // proves service-2.15-36, service-15-01
  it('gives the figures to the token and the commands that it shows', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'helper-dashboard-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const shipped = readFileSync(join(root, 'config/helper.yaml'), 'utf8')
      .replace('../plugins', join(root, 'plugins'))
      .replace('path: documents', `path: ${join(root, 'config/documents')}`)
      .replace('skillsFolder: skills', `skillsFolder: ${join(root, 'config/skills')}`);
    const file = join(directory, 'helper.yaml');
    writeFileSync(file, `${shipped}\n${block('yaml', 'auth:')}${block('yaml', 'metricsRetention')}`);
    const environment = { HELPER_TOKEN_SECRET: tokenSecret };
    const { url } = await realServer(environment, file);
    await (await fetch(`${url}/helper/chat?message=Show+order+1002`)).text();

    const [, ...words] = block('sh', 'npx helper token').trim().split(' ').slice(1);
    const context = fakeContext(directory, environment);
    expect(await runCommand([...words, '--config', file], context)).toBe(0);
    const token = context.written().trim();

    const script = block('sh', 'server=').replace('http://localhost:8080', url);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, token } });
    expect(stdout).toMatch(/^\{"from":"\d{4}-\d\d-\d\dT\d\d:00:00\.000Z"/);
    expect(stdout).toMatch(
      /action,from,readOnly,calls,failures,declined,p95\r\nget_order,plugin order-desk,true,1,0,0,\d+\r\n$/,
    );
    await expect(
      promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', script], { env: { ...process.env, token: 'x' } }),
    ).rejects.toThrow();

    const ofLog = block('sh', 'curl');
    const { stdout: lines } = await promisify(execFile)('bash', ['-c', ofLog], {
      env: { ...process.env, token, server: url },
    });
    expect(lines).toMatch(/^\{"lines":\[\{"time":"[^"]+","what":"authentication_failed","reason":"malformed"/);
  });

  it('names every table that there is', async () => {
    const { csvTables } = await import('../../src/wire/admin-metrics.ts');
    const sentence = /it returns one `table`: ([^.]+)\./.exec(guide)?.[1] ?? '';
    expect([...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...csvTables]);
  });
});
