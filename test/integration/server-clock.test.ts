import { expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../../src/app.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
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
