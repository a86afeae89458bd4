import { describe, expect, it, vi } from 'vitest';
import {
  ownAddress,
  confirmingClient,
  type ConfirmingEra,
  confirmingSettings,
  linkIn,
  PageOfQuestion,
  sessionCookie,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { tokenSecret } from '../support/tokens.ts';

async function opened(settings: object = {}, overrides?: Readonly<Record<string, string>>) {
  const more = { ...confirmingSettings, ...settings };
  const { url, server } = await scriptedServer({
    scripts: [],
    plugin: mcpPlugin,
    settings: more,
    overrides: overrides ?? (await ownAddress()),
  });
  return { origin: url, address: `${url}/mcp`, server };
}

/** The runs of actions that the plugin has counted. */
function runs(name: string): number {
  const { ran = {} } = Reflect.get(globalThis, 'mcpPluginState') as { ran?: Record<string, number> }; // the plugin sets it
  return ran[name] ?? 0;
}

const cancel = { name: 'cancel_order', arguments: {} };

/** A call of the newest revision that names a question. */
function callNaming(address: string, token: string, link: string): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  return fetch(address, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'cancel_order',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...cancel, requestState: link.slice(-22), _meta: meta },
    }),
  });
}

describe('writes over MCP (contract/mcp-server.md#confirmations)', () => {
  // proves service-4.3-40
  it('publishes actions that ask to callers who are signed in, and to nobody else', async () => {
    const { address } = await opened();
    const { program } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const { tools } = await client.listTools();
    const asking = tools.filter(({ description }) => description?.includes('asked to confirm'));
    expect(asking.map(({ name }) => name)).toEqual(['cancel_order', 'close_shop', 'erase_all', 'send_mail']);
    expect(asking.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([false, false, false, true]);
    expect(asking.map(({ annotations }) => annotations?.destructiveHint)).toEqual([false, false, true, false]);
    const { client: nobody } = await confirmingClient(address, {});
    expect(JSON.stringify(await nobody.listTools())).not.toContain('asked to confirm');
    await expect(nobody.callTool(cancel)).rejects.toThrow('There is no tool cancel_order');
  });

  // proves service-4.3-41, service-4.3-42, service-4.3-44, service-4.3-94, wire-6-90
  it.each<[ConfirmingEra]>([['modern'], ['legacy'], ['v1']])(
    'answers a client that opens no addresses with the address, and its next call runs the action once: %s',
    async (era) => {
      const { origin, address } = await opened();
      const { program, browser } = await tokensOf('ann');
      const { client } = await confirmingClient(address, { token: program, era });
      const asked = await client.callTool(cancel);
      expect([asked.isError, JSON.stringify(asked.content)]).toEqual([
        true,
        expect.stringContaining('Nothing was changed yet'),
      ]);
      expect(linkIn(asked)).toMatch(/^http:\/\/localhost:\d+\/helper\/confirm\/[\w-]{22}$/);
      const page = new PageOfQuestion(origin, linkIn(asked), { token: browser });
      expect(await (await page.answer('approve')).text()).toContain('The program runs it when it asks again');
      expect(runs('cancel_order')).toBe(0);
      expect(await client.callTool(cancel)).toMatchObject({ structuredContent: { done: 'cancel_order' } });
      expect(runs('cancel_order')).toBe(1);
      expect(await page.text()).toContain('Done: Cancel order');
      // The answer may have been lost on its way: the same call is told that the action ran, and runs nothing.
      for (let times = 0; times < 2; times += 1) {
        const again = await client.callTool(cancel);
        expect(JSON.stringify(again)).toMatch(/This call was not run again: the same call ran at \d{4}-.*cancel_order/);
        expect([again.isError, again.structuredContent, linkIn(again)]).toEqual([undefined, undefined, '']);
      }
      expect(runs('cancel_order')).toBe(1);
    },
  );

  // proves service-4.3-41
  it('has a client of the newest revision open the page, and goes on with the call', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const opens = async (link: string) => {
      await new PageOfQuestion(origin, link, { token: browser }).answer('approve');
      return 'accept' as const;
    };
    const { client, opened: links } = await confirmingClient(address, { token: program, opens });
    expect(await client.callTool(cancel)).toMatchObject({ structuredContent: { done: 'cancel_order' } });
    expect([links.length, runs('cancel_order')]).toEqual([1, 1]);
  });

  // proves service-4.3-42
  it('lets a call of the newest revision wait while the user reads the page', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const link = Promise.withResolvers<string>();
    const opens = (asked: string) => {
      link.resolve(asked);
      return Promise.resolve('accept' as const);
    };
    const { client } = await confirmingClient(address, { token: program, opens });
    const call = client.callTool(cancel);
    await new PageOfQuestion(origin, await link.promise, { token: browser }).answer('approve');
    expect(await call).toMatchObject({ structuredContent: { done: 'cancel_order' } });
    expect(runs('cancel_order')).toBe(1);
  });

  // proves service-4.3-46
  it.each([
    ['decline', 'declined this action'],
    ['cancel', 'withdrawn before it was answered'],
  ] as const)('takes a client at its word that its user will not open the page: %s', async (action, told) => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client, opened: links } = await confirmingClient(address, {
      token: program,
      opens: () => Promise.resolve(action),
    });
    const { isError, content } = await client.callTool(cancel);
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(told)]);
    const page = new PageOfQuestion(origin, links[0] ?? '', { token: browser });
    const text = await page.text();
    expect(text).toContain('Nothing was changed');
    expect(text).not.toContain('<form');
    expect(runs('cancel_order')).toBe(0);
  });

  // proves service-4.3-41
  it('answers a client of an older revision that opens addresses with the error that names one', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, {
      token: program,
      era: 'legacy',
      opens: () => Promise.resolve('accept'),
    });
    const fault: unknown = await client.callTool(cancel).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: -32042,
      data: { elicitations: [{ mode: 'url', message: 'Please confirm in the browser: Cancel order' }] },
    });
    const { data } = fault as { data: unknown };
    await new PageOfQuestion(origin, linkIn(data), { token: browser }).answer('approve');
    expect(await client.callTool(cancel)).toMatchObject({ structuredContent: { done: 'cancel_order' } });
    expect(runs('cancel_order')).toBe(1);
  });

  // proves service-4.3-42
  it('tells the program that its user has declined, and asks anew when it calls again', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const asked = await client.callTool(cancel);
    const page = new PageOfQuestion(origin, linkIn(asked), { token: browser });
    expect(await (await page.answer('decline')).text()).toContain('You declined this');
    const { isError, content } = await client.callTool(cancel);
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.stringContaining('The user declined this action'),
    ]);
    expect(linkIn(await client.callTool(cancel))).not.toBe('');
    expect(runs('cancel_order')).toBe(0);
  });

  // proves service-4.3-42
  it('tells the program that nobody answered in time', async () => {
    const { address } = await opened({ confirmationTimeout: '50ms' });
    const { client } = await confirmingClient(address, { token: (await tokensOf('ann')).program });
    await client.callTool(cancel);
    const { isError, content } = await client.callTool(cancel);
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('Nobody answered')]);
    expect(runs('cancel_order')).toBe(0);
  });

  // proves service-4.3-43, wire-6-91
  it('binds an approval to the arguments that the page has shown', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const mail = (to: string) => client.callTool({ name: 'send_mail', arguments: { to } });
    const asked = await mail('ann@shop.example');
    const page = new PageOfQuestion(origin, linkIn(asked), { token: browser });
    expect(await page.text()).toMatch(/ann@shop\.example<mark>not from you<\/mark>/);
    await page.answer('approve');
    expect(linkIn(await mail('eve@evil.example'))).not.toBe(linkIn(asked));
    expect(runs('send_mail')).toBe(0);
    expect((await mail('ann@shop.example')).isError).toBeFalsy();
    expect(runs('send_mail')).toBe(1);
  });

  // proves service-5-40, service-5-41
  it('lets only the user of the caller open the page and answer', async () => {
    const { origin, address } = await opened();
    const [ann, eve] = [await tokensOf('ann'), await tokensOf('eve')];
    const { client } = await confirmingClient(address, { token: ann.program });
    const link = linkIn(await client.callTool(cancel));
    const mine = await new PageOfQuestion(origin, link, { token: ann.browser }).text();
    const proof = /name="proof" value="([^"]+)"/.exec(mine)?.[1] ?? '';
    const form = new URLSearchParams({ proof, answer: 'approve' });
    const status = async (token: string | undefined, id = link) => {
      const page = new PageOfQuestion(origin, id, token === undefined ? {} : { token });
      return [(await page.open()).status, (await page.send(form)).status];
    };
    expect(await status(undefined)).toEqual([401, 401]);
    expect(await status(eve.browser)).toEqual([403, 403]);
    expect(await status('no token')).toEqual([401, 401]);
    expect(await status(ann.browser, 'unknown')).toEqual([404, 404]);
    // The program has a token of the same user, and must not answer itself.
    expect(await status(ann.program)).toEqual([403, 403]);
    const header = { authorization: `Bearer ${ann.browser}` };
    expect((await new PageOfQuestion(origin, link).open(header)).status).toBe(401);
    const approve = await fetch(`${origin}/helper/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.program}`, 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: link.slice(-22), approved: true }),
    });
    expect(approve.status).toBe(404);
    expect(linkIn(await client.callTool(cancel, { timeout: 1000 }).catch(() => ''))).toBe('');
    expect(runs('cancel_order')).toBe(0);
  });

  // proves service-2.9-99
  it('ends what was asked of a user whose data is erased: nothing can be answered any more, and no approval is used', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const other = { name: 'close_shop', arguments: {} };
    const open = new PageOfQuestion(origin, linkIn(await client.callTool(cancel)), { token: browser });
    const approved = new PageOfQuestion(origin, linkIn(await client.callTool(other)), { token: browser });
    await approved.answer('approve');
    const before = await open.text();
    const erased = await fetch(`${origin}/helper/user-data`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${program}` },
    });
    expect([erased.status, await erased.json()]).toMatchObject([200, { journal: 2 }]);
    const proof = /name="proof" value="([^"]+)"/.exec(before)?.[1] ?? '';
    await open.send(new URLSearchParams({ proof, answer: 'approve' }));
    for (const call of [cancel, other]) expect(linkIn(await client.callTool(call))).not.toBe('');
    expect(runs('close_shop')).toBe(0);
    expect(runs('cancel_order')).toBe(0);
  });

  // proves wire-6-92
  it('takes an answer only from the page itself', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const page = new PageOfQuestion(origin, linkIn(await client.callTool(cancel)), { token: browser });
    const proof = /name="proof" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const approve = new URLSearchParams({ proof, answer: 'approve' });
    const status = async (form: URLSearchParams, headers: Record<string, string> = {}) =>
      (await page.send(form, headers)).status;
    expect(await status(new URLSearchParams({ answer: 'approve' }))).toBe(400);
    expect(await status(new URLSearchParams({ proof: 'guessed', answer: 'approve' }))).toBe(403);
    expect(await status(new URLSearchParams({ proof, answer: 'perhaps' }))).toBe(400);
    expect(await status(approve, { origin: 'https://evil.example' })).toBe(403);
    expect(await status(approve, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(403);
    const long = new URLSearchParams({ proof, answer: 'approve', more: 'x'.repeat(5000) });
    expect(await status(long)).toBe(413);
    const json = { 'content-type': 'application/json' };
    expect(await status(approve, json)).toBe(415);
    // Whoever sends nothing at all must not fill the log either.
    const cookies = [undefined, `${sessionCookie}=${browser}`];
    for (const cookie of cookies) {
      const headers = { origin, ...(cookie === undefined ? {} : { cookie }) };
      expect((await fetch(`${origin}/helper/confirm/x`, { method: 'POST', headers })).status).toBe(400);
    }
    // A link on another website may lead here.
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await page.statusWith(navigation)).toBe(200);
    expect(await page.statusWith({ ...navigation, 'sec-fetch-mode': 'no-cors' })).toBe(403);
    expect(runs('cancel_order')).toBe(0);
  });

  // proves wire-6-96
  it('counts requests of the page by endpoints.transports.rateLimit', async () => {
    const transports = { rateLimit: { max: 2, window: '1h' } };
    const { origin } = await opened({ endpoints: { ...confirmingSettings.endpoints, transports } });
    const page = new PageOfQuestion(origin, 'unknown', { token: (await tokensOf('ann')).browser });
    const statuses = [(await page.open()).status, (await page.open()).status, (await page.open()).status];
    expect(statuses).toEqual([404, 404, 429]);
    const refused = await page.open();
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(refused.headers.has('retry-after')).toBe(true);
  });

  // proves wire-6-91, wire-6-92
  it('serves the page without scripts, for no frame, and keeps it nowhere', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const erase = await client.callTool({ name: 'erase_all' });
    const response = await new PageOfQuestion(origin, linkIn(erase), { token: browser }).open();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const text = await response.text();
    expect(text).not.toContain('<script');
    expect(text).toContain('This cannot be undone.');
    expect(text).toContain('Signed in as ann');
    expect(text).toMatch(/You can answer until .* UTC\./);
  });

  // proves wire-6-91
  it('shows what hides, and lets no text become a part of the page', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const to = '<b>"x"&\u202Eevil\u200B';
    const asked = await client.callTool({ name: 'send_mail', arguments: { to } });
    const text = await new PageOfQuestion(origin, linkIn(asked), { token: browser }).text();
    expect(text).toContain('&#60;b&#62;&#34;x&#34;&#38;<code>\\u{202E}</code>evil<code>\\u{200B}</code>');
  });

  // proves wire-6-94
  it('speaks the language of the browser, or else the configured one', async () => {
    const { origin, address } = await opened({ language: 'Italian' });
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const link = linkIn(await client.callTool(cancel));
    const text = (language: string) => new PageOfQuestion(origin, link, { token: browser, language }).text();
    expect(await text('xx, de-CH;q=0.8, fr;q=0.9')).toContain('<html lang="fr">');
    expect(await text('zh-TW')).toContain('<html lang="zh-Hans">');
    expect(await text('xx')).toContain('<html lang="it">');
  });

  // proves wire-6-94, wire-7-13
  it.each([
    ['white space before a sign', `de${' '.repeat(15_000)};q=1`],
    ['white space behind a sign', `de;${' '.repeat(7_000)}q=1${' '.repeat(7_000)}`],
    ['many languages', `de;q=1,${'xx;q=0.1,'.repeat(1_500)}en`],
    ['commas', `de${','.repeat(15_000)}`],
  ])('reads a long header in no more time than its length asks for: %s', async (_title, language) => {
    const { origin } = await opened();
    const page = new PageOfQuestion(origin, 'unknown', { language });
    const pages = await Promise.all(Array.from({ length: 40 }, () => page.text()));
    expect(new Set(pages.map((text) => text.includes('lang="de"')))).toEqual(new Set([true]));
  });

  // proves service-8-21
  it('refuses another question to a user who has twenty open ones', async () => {
    const { address } = await opened();
    const { client } = await confirmingClient(address, { token: (await tokensOf('ann')).program });
    const mail = (index: number) =>
      client.callTool({ name: 'send_mail', arguments: { to: `${String(index)}@a.example` } });
    for (let index = 0; index < 20; index += 1) expect(linkIn(await mail(index))).not.toBe('');
    expect(JSON.stringify(await mail(20))).toContain('too many confirmations of this user are open');
  });

  // proves service-8-21
  it('refuses arguments that are too long for a page', async () => {
    const { address } = await opened();
    const { client } = await confirmingClient(address, { token: (await tokensOf('ann')).program });
    const result = await client.callTool({ name: 'send_mail', arguments: { to: 'x'.repeat(70_000) } });
    expect(JSON.stringify(result)).toContain('too long to be shown to the user');
  });

  // proves service-4.3-44, wire-6-93
  it('runs once for answers and calls that come at the same time', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const clients = await Promise.all([1, 2].map(() => confirmingClient(address, { token: program })));
    const link = linkIn(await clients[0]?.client.callTool(cancel));
    const page = new PageOfQuestion(origin, link, { token: browser });
    const proof = /name="proof" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const form = new URLSearchParams({ proof, answer: 'approve' });
    const answers = await Promise.all([page.send(form), page.send(form)]);
    // Whoever was slower is shown how the question ended.
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const results = await Promise.all(clients.map(({ client }) => client.callTool(cancel)));
    // A call that comes after the outcome was told is a new question.
    expect(results.some(({ structuredContent }) => structuredContent !== undefined)).toBe(true);
    expect(runs('cancel_order')).toBe(1);
  });

  // proves service-4.3-43, service-4.3-45
  it('lets no approval be used by another user, or under the name of another question', async () => {
    const { origin, address } = await opened();
    const [ann, eve] = [await tokensOf('ann'), await tokensOf('eve')];
    const { client } = await confirmingClient(address, { token: ann.program });
    const link = linkIn(await client.callTool(cancel));
    await new PageOfQuestion(origin, link, { token: ann.browser }).answer('approve');
    const other = await confirmingClient(address, { token: eve.program });
    expect(linkIn(await other.client.callTool(cancel))).not.toBe('');
    const named = await callNaming(address, eve.program, link);
    expect(await named.text()).toContain('The requestState is not one of this call');
    expect(runs('cancel_order')).toBe(0);
  });

  // proves service-4.3-45
  it('tells whoever names the question its outcome as often as it asks, and runs nothing again', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const link = linkIn(await client.callTool(cancel));
    await new PageOfQuestion(origin, link, { token: browser }).answer('approve');
    for (const _time of [1, 2, 3]) {
      expect(await (await callNaming(address, program, link)).text()).toContain(
        '"structuredContent":{"done":"cancel_order"}',
      );
    }
    expect(runs('cancel_order')).toBe(1);
  });

  it('counts the question as every other one, and tells how it stands', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const link = linkIn(await client.callTool(cancel));
    const metrics = async () => (await fetch(`${origin}/metrics`)).text();
    expect(await metrics()).toMatch(/^helperagent_open_questions 1$/m);
    await new PageOfQuestion(origin, link, { token: browser }).answer('approve');
    await client.callTool(cancel);
    expect(await metrics()).toMatch(
      /^helperagent_action_confirmations_total\{action="cancel_order",outcome="approved"\} 1$/m,
    );
    const state = await fetch(`${origin}/helper/approve?actionId=${link.slice(-22)}`, {
      headers: { authorization: `Bearer ${program}` },
    });
    expect(await state.json()).toMatchObject({ outcome: 'approved', action: { status: 'succeeded' } });
  });

  // proves service-4.3-44
  it('lets ten calls wait for one answer, has any more come back later, and tells all of them of one run', async () => {
    const { origin, address } = await opened();
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(address, { token: program });
    const link = linkIn(await client.callTool(cancel));
    const page = new PageOfQuestion(origin, link, { token: browser });
    const told: string[] = [];
    const calls = Array.from({ length: 11 }, async () =>
      told.push(await (await callNaming(address, program, link)).text()),
    );
    await Promise.race(calls);
    // Its user has opened the page already, so the client is not asked to open it again.
    expect(told).toEqual([expect.stringContaining(`"requestState":"${link.slice(-22)}"`)]);
    expect(told[0]).toContain('"resultType":"input_required"');
    expect(told[0]).not.toContain('inputRequests');
    await page.answer('approve');
    await Promise.all(calls);
    expect(told.filter((text) => text.includes('"structuredContent":{"done":"cancel_order"}'))).toHaveLength(10);
    expect(runs('cancel_order')).toBe(1);
  });

  // proves wire-10-31
  it('ends the open questions when it shuts down', async () => {
    const { address, server } = await opened();
    const { client } = await confirmingClient(address, { token: (await tokensOf('ann')).program });
    await client.callTool(cancel);
    const call = client.callTool(cancel).catch((error: unknown) => error);
    await vi.waitFor(async () => {
      await server.close();
    });
    expect(JSON.stringify(await call)).not.toContain('"done"');
    expect(runs('cancel_order')).toBe(0);
  });

  // proves configuration-6-31
  it.each([
    [{}, {}, 'page needs server.publicUrl'],
    [
      { auth: { jwt: { secret: tokenSecret } } },
      { HELPER__SERVER__PUBLICURL: 'http://localhost:8080' },
      'page needs auth.jwt.cookie',
    ],
  ])('does not start without an address or a cookie for the page: %j %j', async (settings, overrides, message) => {
    await expect(opened(settings, overrides)).rejects.toThrow(message);
  });

  // proves wire-6-90
  it('has no page unless endpoints.mcp.confirmations is page', async () => {
    const { origin } = await opened({ endpoints: { mcp: {} } });
    const { browser } = await tokensOf('ann');
    const response = await fetch(`${origin}/helper/confirm/x`, { headers: { cookie: `${sessionCookie}=${browser}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });
});
