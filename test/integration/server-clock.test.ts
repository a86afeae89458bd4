import { expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../../src/app.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import { openSse } from '../support/sse-client.ts';
import { shippedConfiguration, withoutDocuments } from '../support/process-environment.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { settingsWith } from '../unit/config/load-from-text.ts';

const hourMs = 3_600_000;

/** A clock that runs as far ahead of this machine's as a test wants. */
function clockAhead(): Clock & { aheadMs: number } {
  const clock = {
    aheadMs: 0,
    now: () => Date.now() + clock.aheadMs,
    elapsed: () => performance.now() + clock.aheadMs,
  };
  return clock;
}

async function served(lines: string, clock: Clock): Promise<(authorization?: string) => Promise<string>> {
  const text = `storage: { type: memory }\nserver: { port: 0 }\n${lines}`;
  const server = await buildServer(settingsWith(text), { silent: true, clock });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  return async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await fetch(`${url}/helper/chat?message=hello`, { headers });
    return `${String(response.status)} ${await response.text()}`;
  };
}

it('a token ends by the clock that the server was given (contract/identity.md#tokens)', async () => {
  const clock = clockAhead();
  const ask = await served(`auth: { jwt: { secret: ${tokenSecret} } }\n`, clock);
  const expiresAt = Math.floor((Date.now() + hourMs) / 1000);
  const token = `Bearer ${await makeToken({ sub: 'ann' }, { expiresAt })}`;
  expect(await ask(token)).toMatch(/^200 /);
  clock.aheadMs = 2 * hourMs;
  expect(await ask(token)).toMatch(/^401 /);
});

it('a full window of messages empties by the clock that the server was given (contract/limits.md#messages)', async () => {
  const clock = clockAhead();
  const ask = await served('rateLimitPerUser: 1\nrateLimitWindowSecs: 600\nanonymousIdentity: Shared\n', clock);
  expect(await ask()).toContain('"status":"completed"');
  expect(await ask()).toContain('"code":"rate_limited"');
  clock.aheadMs = hourMs;
  expect(await ask()).toContain('"status":"completed"');
});

// proves wire-11-55
it('no sum falls below 0 when the clock goes back while a question is open (contract/operations.md#metrics)', async () => {
  let behindMs = 0;
  const clock = { now: () => Date.now() - behindMs, elapsed: () => performance.now() };
  const environment = { ...withoutDocuments, HELPER__SERVER__PORT: '0', HELPER__STORAGE__TYPE: 'memory' };
  const { settings } = loadSettings({ file: shippedConfiguration, environment });
  const server = await buildServer(settings, { silent: true, clock });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const stream = await openSse(`${url}/helper/chat?message=${encodeURIComponent('cancel order 1002')}`);
  const { data } = await stream.next('confirmation');
  behindMs = hourMs;
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  expect(await metrics()).toContain('helperagent_oldest_open_question_seconds 0\n');
  const body = JSON.stringify({ actionId: data?.['actionId'], approved: true });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${url}/helper/approve`, { method: 'POST', headers, body })).status).toBe(200);
  await stream.next('end');
  const samples = await metrics();
  expect(samples).toContain('helperagent_confirmation_wait_seconds_sum{outcome="approved"} 0\n');
  expect(samples.split('\n').filter((line) => /^helperagent_\S+ -/.test(line))).toEqual([]);
});
