import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages } from '../support/browser.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

/** The links of the replies: their words, and where they lead. */
const links = `(() => {
  const root = document.querySelector('helper-widget').shadowRoot;
  return [...root.querySelectorAll('.from-bot a')].map((link) => [link.textContent, link.getAttribute('href')]);
})()`;

async function told(pages: Pages, reply: string, options: { settings?: object; plugin?: string } = {}) {
  const { url } = await scriptedServer({ scripts: [saying(reply)], ...options });
  const opened = await pages.open(url, { bypassCSP: true });
  const requested: string[] = [];
  opened.page.on('request', (request) => requested.push(request.url()));
  await opened.openPanel();
  await opened.say('Where?');
  await opened.log.getByText('THE END').waitFor();
  return { ...opened, url, requested };
}

describeInBrowser('links of a reply (contract/widget.md#links)', (pages) => {
  // proves wire-9-80
  it('over https lead to any host, which stands beside words that do not begin with it', async () => {
    const reply = [
      '[our bank](https://Bank.Example/in?a=1)',
      '<https://bank.example/in>',
      '[bank.example/help](https://bank.example/help)',
      '[https://bank.example](https://evil.example/)',
      '[bank.example.evil.example](https://evil.example/)',
      'https://bank.example@evil.example/',
      '[https://bank.example@evil.example](https://bank.example@evil.example/)',
      '[аpple.example](https://аpple.example/)',
      'www.shop.example',
      'THE END',
    ].join('\n\n');
    const { page } = await told(pages, reply);
    expect(await page.evaluate(links)).toEqual([
      ['our bank (bank.example)', 'https://Bank.Example/in?a=1'],
      ['https://bank.example/in', 'https://bank.example/in'],
      ['bank.example/help', 'https://bank.example/help'],
      // An address in the words leads where it says.
      ['https://bank.example', 'https://bank.example'],
      ['bank.example.evil.example (evil.example)', 'https://evil.example/'],
      ['https://bank.example@evil.example/ (evil.example)', 'https://bank.example@evil.example/'],
      ['https://bank.example@evil.example (evil.example)', 'https://bank.example@evil.example'],
      ['аpple.example (xn--pple-43d.example)', 'https://аpple.example/'],
      ['www.shop.example', 'https://www.shop.example'],
    ]);
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves wire-9-82
  it('of another scheme are text; those of the page itself, mail and relative ones lead on', async () => {
    const { page, url } = await told(
      pages,
      '[a](http://bank.example/) [b](ftp://bank.example/) [c](javascript:alert%281%29) [d](//bank.example/) [e](tel:1)\n\nTHE END',
    );
    expect(await page.evaluate(links)).toEqual([]);
    const own = await told(pages, '[f](/orders) [g](?a=b) [h](mailto:help@shop.example)\n\nTHE END');
    expect(await own.page.evaluate(links)).toEqual([
      ['f', '/orders'],
      ['g', '?a=b'],
      ['h', 'mailto:help@shop.example'],
    ]);
    expect(url).toMatch(/^http:/);
  });

  // proves wire-9-81
  it('lead to the hosts of links.hosts alone, where there are some; those of the page and of cited documents lead on', async () => {
    const plugin = `
      import { definePlugin } from 'helper';
      const found = [
        { content: 'Two days.', title: 'Shipping', sourceUrl: 'https://cited.example/ship', score: 8 },
        { content: 'Thirty days.', title: 'Returns', sourceUrl: 'https://cited.example/returns', score: 8 },
      ];
      export default definePlugin({
        name: 'shelf', actions: [], providers: { ragSources: [{ name: 'shelf', search: () => found }] },
      });`;
    const reply = [
      '[1] [2] [a](https://docs.shop.example/a) [b](https://shop.example/b) [c](https://shop.example.evil.example/)',
      '[d](https://evil.example/?docs.shop.example) [e](https://docs.shop.example@evil.example/) [f](https://docs.shop.example:8443/)',
      '[g](/orders) [h](mailto:help@evil.example) [i](https://cited.example/ship) [j](https://cited.example/other)',
      'THE END',
    ].join('\n\n');
    const settings = { links: { hosts: ['*.shop.example', 'wiki:8080'] }, useRag: true, showRagSources: true };
    const { page, panel, log } = await told(pages, reply, { settings, plugin });
    await panel.getByRole('group', { name: 'Sources' }).waitFor();
    const expected = [
      ['a (docs.shop.example)', 'https://docs.shop.example/a'],
      ['g', '/orders'],
      ['h', 'mailto:help@evil.example'],
      ['i (cited.example)', 'https://cited.example/ship'],
    ];
    await expect.poll(() => page.evaluate(links)).toEqual(expected);
    // The words of a link that is not allowed stay as text.
    await expect.poll(() => log.getByText('d e f').count()).toBe(1);
    await expect.poll(() => panel.locator('a.source').count()).toBe(2);

    await page.reload();
    await panel.getByRole('group', { name: 'Sources' }).waitFor();
    await expect.poll(() => page.evaluate(links)).toEqual(expected);
  });

  // proves wire-7-05, wire-9-83
  it('and images load nothing by themselves, whatever they are made of', async () => {
    const { requested, url, page, panel } = await told(
      pages,
      [
        '![a](https://evil.example/a.png) ![b][ref] [![c](https://evil.example/c.png)](https://evil.example/d)',
        '<img src="https://evil.example/e.png"> <link rel="prefetch" href="https://evil.example/f">',
        '<https://evil.example/g> https://evil.example/h.png www.evil.example/i.png',
        '![j](/own.png) ![k](data:image/png;base64,AAAA) ![l](//evil.example/l.png)',
        '| ![m](https://evil.example/m.png) | b |\n|---|---|\n| ![n](https://evil.example/n.png) | 2 |',
        '[ref]: https://evil.example/b.png',
        'THE END',
      ].join('\n\n'),
    );
    // Pointing at a link or moving the focus to it makes no request either.
    for (const link of await panel.locator('.from-bot a').all()) {
      await link.hover();
      await link.focus();
    }
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await panel.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(() => panel.locator('.from-bot img').count()).toBe(0);
    const known = /\/helper(?:-hub|\/)/;
    expect(requested.filter((address) => !address.startsWith(url) || !known.test(address))).toEqual([]);
    expect(requested.length).toBeGreaterThan(0);
    expect(
      await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join(" ")'),
    ).not.toContain('evil');
  });

  // proves wire-7-10, wire-7-11
  it('of a card have the host in view too, and are text where the host is not listed (contract/cards.md)', async () => {
    const plugin = `
      import { card, definePlugin } from 'helper';
      const link = (title, url) => ({ type: 'Action.OpenUrl', title, url });
      const form = {
        type: 'AdaptiveCard', version: '1.5', fallbackText: 'Links',
        body: [{ type: 'ActionSet', actions: [link('Docs', 'https://docs.shop.example/'), link('Elsewhere', 'https://evil.example/')] }],
        actions: [link('Orders', '/orders'), link('Far away', 'https://evil.example/')],
      };
      export default definePlugin({
        name: 'test-plugin',
        actions: [{
          name: 'show_links', title: 'Show links', description: 'Shows links.', readOnly: true,
          parameters: { type: 'object', properties: {} }, execute: () => card({ shown: true }, form),
        }],
      });`;
    const shown = `(() => {
      const card = document.querySelector('helper-widget').shadowRoot.querySelector('.card');
      return [...card.querySelectorAll('a, p')].map((part) => part.tagName + ' ' + part.textContent);
    })()`;
    const open = async (hosts: readonly string[]) => {
      const scripts = [calling({ name: 'show_links', arguments: {} }), saying('There.')];
      const { url } = await scriptedServer({ scripts, plugin, settings: { links: { hosts } } });
      const { page, panel, log, openPanel, say } = await pages.open(url);
      await openPanel();
      await say('Links please');
      await log.getByText('There.').waitFor();
      await panel.locator('.card a').first().waitFor();
      return page.evaluate(shown);
    };
    expect(await open([])).toEqual([
      'A Docs (docs.shop.example)',
      'A Elsewhere (evil.example)',
      'A Orders',
      'A Far away (evil.example)',
    ]);
    expect(await open(['*.shop.example'])).toEqual([
      'A Docs (docs.shop.example)',
      'P Elsewhere',
      'P Far away',
      'A Orders',
    ]);
  });
});
