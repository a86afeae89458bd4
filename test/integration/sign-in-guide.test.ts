import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { realServer } from '../support/real-server.ts';
import { tokenSecret } from '../support/tokens.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/sign-in.md'), 'utf8');

/** A block of the guide as a reader would copy it. */
function block(kind: string, beginning: string): string {
  const found = [...guide.matchAll(/```(\S+)[^\n]*\n([\s\S]*?)```/g)].find(
    ([, given, code]) => given === kind && code?.startsWith(beginning),
  )?.[2];
  if (found === undefined) throw new Error(`the guide has no ${kind} block that begins with ${beginning}`);
  return found;
}

const environment = { HELPER_TOKEN_SECRET: tokenSecret, HELPER__MODELS__DEMO__OPTIONS: '{ wordDelay: 0ms }' };

/** The sample shop with the first settings of the guide. */
async function shop(): Promise<{ readonly url: string; readonly directory: string; readonly file: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'helper-sign-in-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const shipped = readFileSync(join(root, 'config/helper.yaml'), 'utf8')
    .replace('../plugins', join(root, 'plugins'))
    .replace('path: documents', `path: ${join(root, 'config/documents')}`)
    .replace('skillsFolder: skills', `skillsFolder: ${join(root, 'config/skills')}`);
  const file = join(directory, 'helper.yaml');
  writeFileSync(file, `${shipped}\n${block('yaml', 'auth:\n  jwt:\n    secret')}`);
  const { url } = await realServer(environment, file);
  return { url, directory, file };
}

async function refund(url: string, token: string): Promise<string> {
  const script = block('sh', 'server=').replace('http://localhost:8080', url);
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, token } });
  return stdout;
}

describe('the guide to signing in', () => {
  // proves configuration-1-12, service-5-10
  it('lets a supervisor refund with the token of helper token, and a user without the role not (contract/identity.md)', async () => {
    const { url, directory, file } = await shop();
    const sign = async (...roles: string[]): Promise<string> => {
      const context = fakeContext(directory, environment);
      expect(await runCommand(['token', '--config', file, '--sub', 'ann', ...roles], context)).toBe(0);
      return context.written().trim();
    };
    const printed = await refund(url, await sign('--role', 'Supervisor'));
    expect(printed).toContain('event: confirmation');
    expect(printed).toContain('"outcome":"approved"');
    expect(printed).toMatch(/event: end\ndata: \{.*"status":"completed"/);
    const refused = await refund(url, await sign());
    expect(refused).not.toContain('event: confirmation');
    expect(refused).toMatch(/event: end\ndata: \{.*"status":"completed"/);
  });

  it('makes tokens in the back end that the server takes, and takes them from the cookie', async () => {
    const { url, directory } = await shop();
    const program = join(directory, 'make-token.mjs');
    writeFileSync(program, block('js', 'import { createHmac }'));
    const { makeToken } = (await import(pathToFileURL(program).href)) as {
      makeToken: (user: object, secret: string) => string;
    }; // what the guide exports
    const token = makeToken({ id: 'ann', name: 'Ann', roles: ['Supervisor'] }, tokenSecret);
    expect(await refund(url, token)).toContain('event: confirmation');
    const own = await fetch(`${url}/helper/chat?message=hello`, {
      headers: { cookie: `order_desk_token=${token}`, 'sec-fetch-site': 'same-origin' },
    });
    await own.text();
    expect(own.status).toBe(200);
    const forged = await fetch(`${url}/helper/chat?message=hello`, {
      headers: { cookie: `order_desk_token=${token}x`, 'sec-fetch-site': 'same-origin' },
    });
    await forged.text();
    expect(forged.status).toBe(401);
  });
});
