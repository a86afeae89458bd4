import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { isHere } from '../tools-here.ts';
import { composedReplicas } from './compose-services.ts';

const configuration = join(import.meta.dirname, '..', '..', '..', 'compose', 'nginx.conf');

/** Whether nginx is installed here. */
export const hasNginx = isHere('nginx');

/** Starts nginx with `compose/nginx.conf` before these servers, and gives its address. It ends with the test. */
export async function startNginx(servers: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const text = composedReplicas().reduce(
    (written, name, index) => written.replace(`server ${name}:8080`, `server ${new URL(servers[index] ?? '').host}`),
    readFileSync(configuration, 'utf8')
      .replace('listen 8080;', `listen 127.0.0.1:${String(port)};`)
      .replace('http {', `http { access_log off; ${paths}`),
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `daemon off; pid ${folder}/pid; user root;\n${text}`);
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (printed += part));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://localhost:${String(port)}`;
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${printed}`);
      await fetch(url);
    },
    { interval: 50 },
  );
  return url;
}
