import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServerProcess } from '../support/server-process.ts';
import { certificate, key, nextCertificate, nextKey } from '../unit/config/certificates.ts';

/** A real process that serves https with files of the test. */
async function secureServer() {
  const folder = mkdtempSync(join(tmpdir(), 'helper-certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const write = (pair: { readonly cert?: string; readonly key?: string }): void => {
    if (pair.cert !== undefined) writeFileSync(certFile, pair.cert);
    if (pair.key !== undefined) writeFileSync(keyFile, pair.key);
  };
  write({ cert: certificate, key });
  const tls = `{ certFile: ${certFile}, keyFile: ${keyFile} }`;
  const running = startServerProcess({ folder: join(folder, 'data'), environment: { HELPER__SERVER__TLS: tls } });
  const { port } = new URL(await running.url);
  return { ...running, write, port: Number(port) };
}

/** Opens a connection that stays open. `name` is the name in the server's certificate. */
async function openSecure(port: number): Promise<{ readonly name: string; readonly status: () => Promise<string> }> {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve).once('error', reject);
  });
  socket.setEncoding('latin1');
  const status = async (): Promise<string> => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = await new Promise<string>((resolve) => socket.once('data', resolve));
    return answer.slice(0, answer.indexOf('\r\n'));
  };
  const { subject } = socket.getPeerCertificate();
  return { name: String(subject.CN), status };
}

const nameAt = async (port: number): Promise<string> => (await openSecure(port)).name;

describe('server.tls (contract/operations.md#certificates)', () => {
  // proves configuration-7-20
  it('gives new connections a renewed certificate, and lets those that are open go on', async () => {
    const server = await secureServer();
    const open = await openSecure(server.port);
    expect(open.name).toBe('localhost');
    server.write({ cert: nextCertificate, key: nextKey });
    await expect.poll(() => nameAt(server.port)).toBe('next.test');
    expect(await open.status()).toBe('HTTP/1.1 200 OK');
    expect(await (await openSecure(server.port)).status()).toBe('HTTP/1.1 200 OK');
    await expect.poll(server.printed).toContain('the certificate was read again');
  });

  // proves configuration-7-21
  it('stays with the earlier one while the pair cannot be used, says so, and takes it once it can', async () => {
    const server = await secureServer();
    server.write({ cert: nextCertificate });
    await expect.poll(server.printed).toContain('the changed certificate cannot be used');
    expect(await nameAt(server.port)).toBe('localhost');
    server.write({ key: nextKey });
    await expect.poll(() => nameAt(server.port)).toBe('next.test');
    server.write({ cert: 'no certificate at all' });
    await expect.poll(() => server.printed().split('cannot be used').length).toBe(3);
    expect(await nameAt(server.port)).toBe('next.test');
    expect(server.printed()).not.toContain('PRIVATE KEY');
  });
});
