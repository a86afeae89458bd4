import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSse } from '../support/sse-client.ts';
import { realServer } from '../support/real-server.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `
let runs = 0;
const parameters = { type: 'object', properties: {} };
export default { name: 'desk', actions: [
  { name: 'count_runs', title: 'Count', description: 'Counts.', readOnly: true, parameters, execute: () => runs },
  { name: 'issue_refund', title: 'Issue a refund', description: 'Pays back.', parameters, execute: () => (runs += 1) },
] }`;

/** A server whose file the test rewrites. */
async function server(killSwitch: object, ...calls: readonly string[]) {
  const { directory, configuration, model } = await scriptedConfiguration({
    plugin,
    scripts: calls.flatMap((name) => [calling({ name, arguments: {} }), saying('So it is.')]),
  });
  const file = join(directory, 'helper.yaml');
  const write = (values: object): void => writeFileSync(file, JSON.stringify({ ...configuration, ...values }));
  write({ killSwitch });
  const { url } = await realServer({}, file);
  const readiness = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await (await fetch(`${url}/readyz`)).json()) as Readonly<Record<string, unknown>>; // a JSON object (contract/operations.md#probes)
  /** The result that the model got for its call. */
  const told = async (request: number): Promise<string> =>
    JSON.stringify((await model.request(request)).body['messages']);
  return { url, file, write, readiness, told };
}

const ask = (url: string) => openSse(`${url}/helper/chat?message=hello`);

describe('the kill switch (contract/operations.md#kill-switch)', () => {
  // proves configuration-7-04
  it('refuses writes, tells the model so, and is listed on /readyz', async () => {
    const { url, readiness, told } = await server({ writes: true }, 'issue_refund', 'count_runs');
    await (await ask(url)).next('end');
    expect(await told(1)).toContain('switched this action off for now');
    // An action that only reads still runs.
    await (await ask(url)).next('end');
    expect(await told(3)).not.toContain('switched this action off');
    expect(await readiness()).toMatchObject({ status: 'ready', killSwitch: { writes: true, tools: [] } });
  });

  // proves configuration-7-05
  it('takes a change of the file within 5 s, without a restart, also for a question that stands open', async () => {
    const { url, write, readiness, told } = await server({}, 'issue_refund');
    expect(await readiness()).not.toHaveProperty('killSwitch');
    const chat = await ask(url);
    const question = await chat.next('confirmation');
    write({ killSwitch: { tools: ['issue_*'] } });
    await expect.poll(readiness).toMatchObject({ killSwitch: { writes: false, tools: ['issue_*'] } });
    const { actionId } = question.data as { readonly actionId: string }; // contract/sse.md
    const answer = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: true }),
    });
    expect(answer.status).toBe(200);
    await chat.next('end');
    expect(await told(1)).toContain('switched this action off for now');
    write({});
    await expect.poll(readiness).not.toHaveProperty('killSwitch');
  });

  // proves configuration-7-06
  it('stays as it is while the file has faults', async () => {
    const { file, write, readiness } = await server({ writes: true });
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before.slice(0, -1)}, "killSwitch": {}, "nonsense": 1}`);
    // When the server has taken the next change, it has refused or skipped the faulty one before. In both cases nothing was switched on
    // again.
    write({ killSwitch: { tools: ['a'] } });
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        const { killSwitch } = await readiness();
        seen.add(JSON.stringify(killSwitch));
        return killSwitch;
      })
      .toEqual({ writes: false, tools: ['a'] });
    expect(seen).not.toContain(undefined);
  });
});

describe('the kill switch of the dashboard (contract/operations.md#kill-switch)', () => {
  const settings = {
    HELPER__AUTH__JWT__SECRET: tokenSecret,
    HELPER__AUTH__JWT__COOKIE: 'app',
    HELPER__DEMOPAGE: 'false',
  };
  const asked = async (url: string, init: RequestInit): Promise<number> =>
    (await fetch(`${url}/helper/admin/kill-switch`, { method: 'POST', body: '{"writes":true}', ...init })).status;
  const json = { 'content-type': 'application/json' };

  // proves wire-21-44
  it('is set by a user with the role, in JSON and from pages of the server alone', async () => {
    const { url } = await realServer(settings);
    const [admin, clerk] = await Promise.all([
      makeToken({ sub: 'ann', role: 'Admin' }),
      makeToken({ sub: 'bob', role: 'Clerk' }),
    ]);
    const cookie = `app=${admin}`;
    expect(await asked(url, { headers: json })).toBe(401);
    expect(await asked(url, { headers: { ...json, authorization: `Bearer ${clerk}` } })).toBe(403);
    expect(await asked(url, { headers: { authorization: `Bearer ${admin}` } })).toBe(415);
    expect(await asked(url, { headers: { ...json, cookie, origin: 'https://evil.example' } })).toBe(403);
    const readiness = async (): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
    expect(await readiness()).not.toHaveProperty('killSwitch');
    expect(await asked(url, { headers: { ...json, cookie } })).toBe(200);
    expect(await readiness()).toMatchObject({ killSwitch: { writes: true, tools: [] } });
  });

  // proves wire-21-44
  it('is for no tenant, and is not there where anybody sees the figures', async () => {
    const { url } = await realServer({ ...settings, HELPER__TENANCY__CLAIM: 'org' });
    const token = await makeToken({ sub: 'ann', role: 'Admin', org: 'north' });
    expect(await asked(url, { headers: { ...json, authorization: `Bearer ${token}` } })).toBe(403);
    const open = await realServer({ HELPER__DASHBOARDROLE: '' });
    expect(await asked(open.url, { headers: json })).toBe(404);
  });
});
