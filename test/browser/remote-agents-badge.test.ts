import { expect, it } from 'vitest';
import type { Language } from '../../src/wire/client-settings.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type WidgetPage } from '../support/browser.ts';
import { startRemoteAgent } from '../support/remote-agent-server.ts';
import { casesOf, isShortLanguage } from '../support/run/tier.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const agentOf = (name: string, agentCardUrl: string): object => ({ name, description: 'Knows it.', agentCardUrl });

const display = { name: 'Warehouse', agentCardUrl: 'https://ann:safe@warehouse.example/stock?key=safe' };

describeInBrowser('the badge of remote agents (contract/widget.md#remote-agents)', (pages) => {
  /** A server with one agent that is there and one that is not. */
  async function served(
    settings: object,
  ): Promise<{ url: string; remote: string; away: string; leave: () => Promise<void> }> {
    const work: Parameters<typeof startRemoteAgent>[0]['work'] = ({ message }) => message('12');
    const [remote, away] = [await startRemoteAgent({ work }), await startRemoteAgent({ work })];
    await away.close();
    const remoteAgents = [agentOf('Warehouse', remote.url), agentOf('Courier', away.url)];
    const { url } = await scriptedServer({
      scripts: [
        saying('Hello.'),
        calling({ name: 'route_to_specialist', arguments: { name: 'Warehouse', request: 'bolts' } }),
        saying('It is away.'),
      ],
      settings: { remoteAgents, ...settings },
    });
    return { url, remote: remote.url, away: away.url, leave: () => remote.close() };
  }

  async function greeted(url: string, options: object = {}): Promise<WidgetPage> {
    const opened = await pages.open(url, { bypassCSP: true, ...options });
    await opened.openPanel();
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    return opened;
  }

  const said: readonly (readonly [Language, string, readonly string[], object])[] = [
    ['English', 'Remote agents: 1 of 2 connected', ['connected', 'not reachable'], {}],
    ['Italian', 'Agenti remoti: 1 di 2 collegati', ['collegato', 'non raggiungibile'], { theme: 'Dark' }],
    ['French', 'Agents distants: 1 sur 2 connectés', ['connecté', 'injoignable'], {}],
    ['German', 'Externe Agenten: 1 von 2 verbunden', ['verbunden', 'nicht erreichbar'], { theme: 'Dark' }],
    ['Spanish', 'Agentes remotos: 1 de 2 conectados', ['conectado', 'no disponible'], { theme: 'Minimal' }],
    ['Portuguese', 'Agentes remotos: 1 de 2 ligados', ['ligado', 'não acessível'], {}],
    ['Dutch', 'Externe agents: 1 van 2 verbonden', ['verbonden', 'niet bereikbaar'], {}],
    ['Polish', 'Zdalni agenci: połączono 1 z 2', ['połączono', 'nieosiągalny'], {}],
    ['Japanese', '外部エージェント: 2件中1件に接続済み', ['接続済み', '接続できません'], {}],
    ['Chinese', '远程智能体: 已连接 1/2', ['已连接', '无法连接'], { theme: 'Dark' }],
  ];
  // proves service-2.20-09
  it.each(casesOf('languages of the badge of remote agents', said, ([language]) => isShortLanguage(language)))(
    'says in %s how many are connected, and opens to their names, addresses and states',
    async (language, words, states, more) => {
      const { url, remote, away } = await served({ language, showA2AStatus: true, ...more });
      const { page, panel, openMenu } = await greeted(url);
      await openMenu();
      const badge = panel.locator('.menu summary');
      await expect.poll(() => badge.textContent()).toContain(words);
      await badge.press('Enter');
      const list = panel.locator('.menu').getByRole('list', { name: words.split(':')[0] ?? '' });
      const rows = await list.getByRole('listitem').allInnerTexts();
      expect(rows.map(oneLine)).toEqual([
        `Warehouse ${states[0] ?? ''} ${remote}`,
        `Courier ${states[1] ?? ''} ${away}`,
      ]);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  // proves service-2.20-09
  it('follows a change while it is open, and a conversation that begins anew', async () => {
    const { url, leave } = await served({ showA2AStatus: true });
    const { panel, log, openMenu, say } = await greeted(url);
    await openMenu();
    await panel.locator('.menu summary').click();
    const warehouse = panel.locator('.menu .services li', { hasText: 'Warehouse' });
    await warehouse.getByText('connected', { exact: true }).waitFor();
    await leave();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await say('Ask the warehouse');
    await panel.locator('.dot.is-troubled').waitFor();
    await log.locator('.from-bot').last().waitFor();
    await openMenu();
    await panel.locator('.menu summary').click();
    await warehouse.getByText('not reachable').waitFor();
  });

  // proves service-2.20-09
  it.each([
    ['nothing by default', {}, 0],
    ['nothing where client turns it off', { showA2AStatus: true, client: { showA2AStatus: false } }, 0],
    [
      'nothing where client says that there are no agents',
      { showA2AStatus: true, client: { hasRemoteAgents: false } },
      0,
    ],
    ['the badge where client alone turns it on', { client: { showA2AStatus: true } }, 1],
  ])('shows %s', async (_what, settings, count) => {
    const { url } = await served(settings);
    // On a phone, which has neither keys nor a larger panel, the badge is all that the menu can have.
    const { page, panel, openMenu } = await greeted(url, { hasTouch: true, isMobile: true });
    if (count > 0) await panel.locator('.more').waitFor();
    await expect.poll(() => panel.locator('.more').count()).toBe(count);
    // The menu comes with a file of its own, which is asked for where it has something to show.
    const files = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/menu-')).length";
    expect(await page.evaluate(files)).toBe(count);
    if (count === 0) return;
    await openMenu();
    await expect.poll(() => panel.locator('.menu summary').count()).toBe(count);
  });

  // proves service-2.20-10
  it.each([
    [
      'the agents of remoteAgentDisplays, without secrets',
      [display],
      ['Warehouse connecting… https://warehouse.example/stock'],
    ],
    ['that it does not know any yet', [], []],
  ])('names before the first message %s', async (_what, remoteAgentDisplays, expected) => {
    const { url } = await served({ client: { showA2AStatus: true, hasRemoteAgents: true, remoteAgentDisplays } });
    const opened = await pages.open(url, { bypassCSP: true });
    await opened.openPanel();
    await opened.openMenu();
    const badge = opened.panel.locator('.menu summary');
    await badge.click();
    const rows = opened.panel.locator('.menu .services li');
    expect((await rows.allInnerTexts()).map(oneLine)).toEqual(expected);
    expect(await badge.textContent()).toContain(expected.length === 0 ? 'connecting…' : '0 of 1 connected');
    expect(await axeViolations(opened.page)).toEqual([]);
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    await opened.openMenu();
    await badge.click();
    await expect.poll(() => rows.count()).toBe(2);
  });

  // proves service-2.20-09
  it('fits where the panel is narrow and names are long', async () => {
    const name = 'W'.repeat(64);
    const { url } = await served({ showA2AStatus: true, remoteAgents: [agentOf(name, 'http://127.0.0.1:9/a')] });
    const { page, panel, openMenu } = await greeted(url, { viewport: { width: 320, height: 480 } });
    await openMenu();
    await panel.locator('.menu summary').click();
    await panel.locator('.menu .services li').waitFor();
    const menu = "document.querySelector('helper-widget').shadowRoot.querySelector('.menu')";
    const overflow = await page.evaluate(`${menu}.scrollWidth - ${menu}.clientWidth`);
    expect(overflow).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
