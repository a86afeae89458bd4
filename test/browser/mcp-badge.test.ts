import { expect, it } from 'vitest';
import type { Language } from '../../src/wire/client-settings.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type WidgetPage } from '../support/browser.ts';
import { startMcpServer } from '../support/mcp/real-mcp-server.ts';
import { casesOf, isShortLanguage } from '../support/run/tier.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const shop = [{ name: 'find_item', description: 'Finds.', annotations: { readOnlyHint: true }, run: () => 'found' }];

describeInBrowser('MCP servers in the menu (contract/widget.md#mcp-servers)', (pages) => {
  /** A server with an MCP server that is there and one that is not. */
  async function served(settings: object): Promise<string> {
    const [there, away] = [await startMcpServer('new', shop), await startMcpServer('new', shop)];
    await away.close();
    const mcpServers = [
      { name: 'erp', serverUrl: there.url },
      { name: 'mail', serverUrl: away.url },
    ];
    const { url } = await scriptedServer({ scripts: [saying('Hello.')], settings: { mcpServers, ...settings } });
    return url;
  }

  async function greeted(url: string): Promise<WidgetPage> {
    const opened = await pages.open(url, { bypassCSP: true });
    await opened.openPanel();
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    return opened;
  }

  const said: readonly (readonly [Language, string, readonly string[], object])[] = [
    ['English', 'Tool servers: 1 of 2 connected', ['connected', 'not reachable'], {}],
    ['Italian', 'Server di strumenti: 1 di 2 collegati', ['collegato', 'non raggiungibile'], { theme: 'Dark' }],
    ['French', 'Serveurs d’outils: 1 sur 2 connectés', ['connecté', 'injoignable'], {}],
    ['German', 'Werkzeug-Server: 1 von 2 verbunden', ['verbunden', 'nicht erreichbar'], { theme: 'Dark' }],
    ['Spanish', 'Servidores de herramientas: 1 de 2 conectados', ['conectado', 'no disponible'], { theme: 'Minimal' }],
    ['Portuguese', 'Servidores de ferramentas: 1 de 2 ligados', ['ligado', 'não acessível'], {}],
    ['Dutch', 'Toolservers: 1 van 2 verbonden', ['verbonden', 'niet bereikbaar'], {}],
    ['Polish', 'Serwery narzędzi: połączono 1 z 2', ['połączono', 'nieosiągalny'], {}],
    ['Japanese', 'ツールサーバー: 2件中1件に接続済み', ['接続済み', '接続できません'], {}],
    ['Chinese', '工具服务器: 已连接 1/2', ['已连接', '无法连接'], { theme: 'Dark' }],
  ];
  // proves service-2.20-11
  it.each(casesOf('languages of the badge of MCP servers', said, ([language]) => isShortLanguage(language)))(
    'says in %s how many are connected, and opens to their names and states',
    async (language, words, states, more) => {
      const { page, panel, openMenu } = await greeted(await served({ language, showMcpStatus: true, ...more }));
      await openMenu();
      const badge = panel.locator('.menu summary');
      await expect.poll(() => badge.textContent()).toContain(words);
      await badge.press('Enter');
      const list = panel.locator('.menu').getByRole('list', { name: words.split(':')[0] ?? '' });
      const rows = await list.getByRole('listitem').allInnerTexts();
      expect(rows.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
        `erp ${states[0] ?? ''}`,
        `mail ${states[1] ?? ''}`,
      ]);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  // proves service-2.20-11
  it.each([
    ['nothing by default', {}, 0],
    ['nothing where client turns it off', { showMcpStatus: true, client: { showMcpStatus: false } }, 0],
    [
      'nothing where client says that there are no servers',
      { showMcpStatus: true, client: { hasMcpServers: false } },
      0,
    ],
    ['the badge where client alone turns it on', { client: { showMcpStatus: true } }, 1],
    [
      'a badge for each kind',
      {
        showMcpStatus: true,
        showA2AStatus: true,
        remoteAgents: [{ name: 'Far', description: 'Far away.', agentCardUrl: 'http://127.0.0.1:9' }],
      },
      2,
    ],
  ])('shows %s', async (_what, settings, count) => {
    const { panel, openMenu } = await greeted(await served(settings));
    await openMenu();
    await expect.poll(() => panel.locator('.menu summary').count()).toBe(count);
  });

  // proves service-2.20-12
  it('is there before the first message with client.hasMcpServers', async () => {
    const url = await served({ client: { showMcpStatus: true, hasMcpServers: true } });
    const opened = await pages.open(url, { bypassCSP: true });
    await opened.openPanel();
    await opened.openMenu();
    const badge = opened.panel.locator('.menu summary');
    await expect.poll(() => badge.textContent()).toContain('Tool servers: connecting…');
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    await opened.openMenu();
    await expect.poll(() => badge.textContent()).toContain('1 of 2 connected');
  });

  // proves service-18-01
  it('names those of client.mcpServerNames as connecting before the first message', async () => {
    const client = { showMcpStatus: true, hasMcpServers: true, mcpServerNames: ['erp', 'mail'] };
    const opened = await pages.open(await served({ client }), { bypassCSP: true });
    await opened.openPanel();
    await opened.openMenu();
    await opened.panel.locator('.menu summary').press('Enter');
    const rows = opened.panel.locator('.menu').getByRole('list', { name: 'MCP servers' }).getByRole('listitem');
    const shown = async (): Promise<readonly string[]> =>
      (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    await expect.poll(shown).toEqual(['erp connecting…', 'mail connecting…']);
  });
});
