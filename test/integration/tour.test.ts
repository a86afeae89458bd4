import { describe, expect, it } from 'vitest';
import { scriptedServer } from '../support/scripted-server.ts';
import { tokenSecret } from '../support/tokens.ts';

const plugin = `export default {
  name: 'desk',
  pages: [
    { name: 'cases', title: 'Cases', url: '/cases', description: 'All cases.', selector: 'nav .cases', placement: 'right' },
    { name: 'audit', title: 'Audit', url: '/audit', description: 'Who did what.', requiredRoles: ['Auditor'] },
  ],
  actions: [
    { name: 'close_case', title: 'Close a case', description: 'Closes it.', parameters: { type: 'object', properties: {} }, execute: () => 1 },
    { name: 'purge', title: 'Purge', description: 'Purges.', requiredRoles: ['Auditor'], parameters: { type: 'object', properties: {} }, execute: () => 1 },
  ],
};`;
const pages = [{ name: 'help', title: 'Hilfe', url: '/help', description: 'Fragen und Antworten.' }];
const settings = { language: 'German', pages, auth: { jwt: { secret: tokenSecret } } };

describe('GET /helper/tour (contract/widget.md#tour)', () => {
  // proves wire-6-14
  it('tells the pages of configuration and plugins and the actions that need no role, in the language', async () => {
    const { url } = await scriptedServer({ scripts: [], plugin, settings });
    const answer = await fetch(`${url}/helper/tour`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.json()).toEqual({
      version: expect.stringMatching(/^[\w-]{16}$/) as unknown,
      steps: [
        { id: 'page:help', title: 'Hilfe', text: 'Fragen und Antworten.', page: 'help', url: '/help' },
        {
          id: 'page:cases',
          title: 'Cases',
          text: 'All cases.',
          page: 'cases',
          url: '/cases',
          selector: 'nav .cases',
          placement: 'right',
        },
        {
          id: 'actions',
          title: 'Was Sie verlangen können',
          text: 'Öffnen Sie den Chat und sagen Sie, was Sie brauchen: Close a case',
        },
      ],
    });
  });

  // proves wire-1-20, wire-6-14
  it('is not sent again to a client that has it', async () => {
    const { url } = await scriptedServer({ scripts: [], plugin, settings });
    const etag = (await fetch(`${url}/helper/tour`)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const again = await fetch(`${url}/helper/tour`, { headers: { 'if-none-match': `"old", W/${etag}` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await fetch(`${url}/helper/tour`, { headers: { 'if-none-match': '"old"' } })).status).toBe(200);
  });

  // proves service-2.4-06
  it('is answered whatever enableOnboardingTour says, below the base path, and offered to the widget only with it', async () => {
    const off = await scriptedServer({ scripts: [], plugin });
    expect((await fetch(`${off.url}/helper/tour`)).status).toBe(200);
    expect(await (await fetch(`${off.url}/helper/widget.js`)).text()).not.toContain('"tourUrl"');
    const on = await scriptedServer({
      scripts: [],
      plugin,
      settings: { client: { enableOnboardingTour: true }, server: { basePath: '/desk' } },
    });
    expect(on.url).toMatch(/\/desk$/);
    expect((await fetch(`${on.url}/helper/tour`)).status).toBe(200);
    expect(await (await fetch(`${on.url}/helper/widget.js`)).text()).toContain('"tourUrl":"/desk/helper/tour"');
  });

  it('refuses a token that is not valid, as every endpoint does (contract/identity.md#tokens)', async () => {
    const { url } = await scriptedServer({ scripts: [], plugin, settings });
    const answer = await fetch(`${url}/helper/tour`, { headers: { authorization: 'Bearer nonsense' } });
    expect(answer.status).toBe(401);
  });
});
