import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlSocketPath, openControlSocket } from '../../src/app/control-socket.ts';
import { recordingLogger } from '../support/quiet.ts';

/** A socket on which `echo` sends back what came. */
async function open(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-control-'));
  const echo = (sent: unknown): Promise<object> => Promise.resolve({ sent });
  const resources = await openControlSocket(folder, { echo }, recordingLogger());
  onTestFinished(async () => {
    for (const resource of resources) await resource.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return controlSocketPath(folder);
}

function ask(socketPath: string, body: string, path = '/echo'): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, method: 'POST' }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, text: answer }), reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

describe('the socket of a running server (contract/operations.md#reload)', () => {
  it('answers a command with what came of it, and anything else with 404', async () => {
    const path = await open();
    expect(await ask(path, '{"a":1}')).toEqual({ status: 200, text: '{"sent":{"a":1}}' });
    expect(await ask(path, '', '/toString')).toEqual({ status: 404, text: '{}' });
  });

  it.each([
    ['no JSON', '{"a":', 'what was sent is no JSON'],
    ['more than a command sends', JSON.stringify('x'.repeat(70_000)), 'too much was sent'],
  ])('answers 400 to %s', async (_case, body, message) => {
    expect(await ask(await open(), body)).toEqual({ status: 400, text: JSON.stringify({ message }) });
  });

  it('answers although clients hang on it without a word', async () => {
    const path = await open();
    const hanging = Array.from({ length: 4 }, () => connect(path));
    await Promise.all(hanging.map((client) => new Promise((resolve) => client.on('connect', resolve))));
    const ended = Promise.all(hanging.map((client) => new Promise((resolve) => client.on('close', resolve))));
    for (const client of hanging) client.resume().on('error', () => undefined);
    await ended;
    expect(await ask(path, '1')).toMatchObject({ status: 200 });
  });
});
