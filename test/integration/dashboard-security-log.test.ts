import { describe, expect, it } from 'vitest';
import type { AdminMetrics } from '../../src/wire/admin-metrics.ts';
import type { SecurityLogLines } from '../../src/wire/security-lines.ts';
import { bearer, loggedServer, post, statusOf, tokenOf } from '../support/logged-server.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const guarded = { HELPER__AUTH__JWT__SECRET: tokenSecret };
const admin = await makeToken({ sub: 'ann', role: 'Admin' });
const forged = await makeToken({ sub: 'mallory', role: 'Admin' }, { key: 'x'.repeat(32) });

const address = (url: string): string => `${url}/helper/admin/security-log`;

async function linesOf(url: string, token: string): Promise<SecurityLogLines['lines']> {
  const answer = await fetch(address(url), { headers: bearer(token) });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return ((await answer.json()) as SecurityLogLines).lines; // contract/operations.md#security-log
}

async function isOffered(url: string, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/helper/admin/metrics`, { headers: bearer(token) });
  return ((await answer.json()) as AdminMetrics).server.hasSecurityLog; // contract/operations.md#dashboard
}

/** A line of the log as the endpoint has it. */
const asTold = (line: object): object =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => [name === 'msg' ? 'message' : name, value as unknown]),
  );

describe('the newest lines of the security log (contract/operations.md#security-log)', () => {
  // proves service-15-01
  it('have a refused credential and a decision as the log has them, newest first, and no secret', async () => {
    const { url, nextLine } = await loggedServer();
    const operator = await tokenOf('ann', { role: 'Admin' });
    const secret = await makeToken({ sub: 'mallory', aud: 'desk' }, { key: 'x'.repeat(32) });
    expect(await statusOf(`${url}/helper/chat?message=my-words`, { headers: bearer(secret) })).toBe(401);
    const refused = await nextLine();
    expect(refused).toMatchObject({ what: 'authentication_failed', level: 'warn' });
    const chat = await openSse(`${url}/helper/chat`, {
      body: { message: 'Cancel order 1001' },
      headers: bearer(operator),
    });
    const actionId = String((await chat.next('confirmation')).data?.['actionId']);
    expect(await post(`${url}/helper/approve`, { actionId, approved: false }, bearer(operator))).toBe(200);
    const declined = await nextLine();
    expect(declined).toMatchObject({ what: 'declined', who: 'id:ann', action: 'cancel_order' });
    const lines = await linesOf(url, operator);
    expect(lines.map(({ time, ...line }) => ({ ...line, time: typeof time, security: true }))).toEqual(
      [declined, refused].map((line) => ({ ...asTold(line), time: 'string' })),
    );
    expect(Date.parse(lines[0]?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(lines[1]?.time ?? ''));
    for (const hidden of [secret, secret.split('.')[2] ?? '', tokenSecret, 'mallory', 'my-words', '127.0.0.1'])
      expect(JSON.stringify(lines)).not.toContain(hidden);
  });

  // proves service-15-01
  it('are 200 at most, and the oldest go first', async () => {
    const { url } = await realServer(guarded);
    for (let user = 0; user < 205; user += 1) {
      const clerk = await makeToken({ sub: `clerk-${String(user)}`, role: 'Clerk' });
      expect(await statusOf(address(url), { headers: bearer(clerk) })).toBe(403);
    }
    const lines = await linesOf(url, admin);
    expect(lines).toHaveLength(200);
    expect([lines[0]?.who, lines.at(-1)?.who]).toEqual(['id:clerk-204', 'id:clerk-5']);
  });

  // proves service-15-02
  it('are for users with the role alone', async () => {
    const { url } = await realServer(guarded);
    const clerk = await makeToken({ sub: 'bob', role: 'Clerk' });
    expect(await statusOf(address(url))).toBe(401);
    expect(await statusOf(address(url), { headers: bearer(forged) })).toBe(401);
    expect(await statusOf(address(url), { headers: bearer(clerk) })).toBe(403);
    const foreign = { ...bearer(admin), origin: 'https://evil.example' };
    expect(await statusOf(address(url), { headers: foreign })).toBe(403);
    expect(await isOffered(url, admin)).toBe(true);
    const seen = await linesOf(url, admin);
    expect(seen.map(({ reason }) => reason)).toEqual(['origin', 'role', 'signature', 'missing']);
  });

  // proves service-15-02
  it('are for no tenant, and are not there where anybody sees the figures', async () => {
    const { url } = await realServer({ ...guarded, HELPER__TENANCY__CLAIM: 'org' });
    const north = await makeToken({ sub: 'ann', role: 'Admin', org: 'north' });
    expect(await statusOf(address(url), { headers: bearer(forged) })).toBe(401);
    const answer = await fetch(address(url), { headers: bearer(north) });
    expect(answer.status).toBe(403);
    expect(await answer.json()).not.toHaveProperty('lines');
    expect(await isOffered(url, north)).toBe(false);
    const open = await realServer({ ...guarded, HELPER__DASHBOARDROLE: '' });
    expect(await statusOf(address(open.url), { headers: bearer(admin) })).toBe(404);
    expect(await isOffered(open.url, admin)).toBe(false);
  });
});
