import { expect, it } from 'vitest';
import { describeInBrowser, type Pages } from '../support/browser.ts';
import { openHostilePage } from '../support/hostile-page.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openTill } from '../support/till.ts';

/** What a text on a page of this server can make a browser do, and what only a script of the page can. */
const unmeant = [
  // The click comes after the answer to the test, because the page is left.
  ['a link', `setTimeout(() => element('a', { href: chat + '?message=look', textContent: 'x' }).click())`],
  ['a link in a new tab', `element('a', { href: chat + '?message=look', target: '_blank', rel: 'noopener' }).click()`],
  ['a picture', `element('img', { src: chat + '?message=look' })`],
  ['a picture with CORS', `element('img', { crossOrigin: 'use-credentials', src: chat + '?message=look' })`],
  ['a prefetch', `element('link', { rel: 'prefetch', href: chat + '?message=look' })`],
  ['fetch that reads nothing', `await send(chat + '?message=look', { mode: 'no-cors' })`],
] as const;

describeInBrowser('an address that stands in a text (contract/doors.md#other-websites)', (pages) => {
  // proves wire-1-98
  it('begins no turn on a page of this server, also with the cookie of its user', async () => {
    const till = await openTill();
    const tries = await openHostilePage(pages, { till, url: till.url });
    for (const [title, code] of unmeant) await tries({ title, code, answer: 'GET /helper/chat 403' });
    await till.expectUntouched();
  });

  // proves wire-1-98
  it('begins one by fetch and by EventSource', async () => {
    const till = await openTill();
    const tries = await openHostilePage(pages, { till, url: till.url });
    const answer = 'GET /helper/chat 200';
    await tries({ title: 'fetch', code: `await send(chat + '?message=look').then((answer) => answer.text())`, answer });
    const stream = `const source = new EventSource(chat + '?message=look'); await ended(source, 'end'); source.close()`;
    await tries({ title: 'EventSource', code: stream, answer });
    await expect.poll(() => till.done(), { interval: 10 }).toBe('look by ann;look by ann;');
  });
});

/** Every link and picture of the widget: the tag, and where it leads. */
const loaded = `(() => {
  const root = document.querySelector('helper-widget').shadowRoot;
  return [...root.querySelectorAll('.messages a, .messages img, .panel a, .panel img')]
    .map((node) => node.getAttribute('href') ?? node.getAttribute('src'));
})()`;

const spellings = [
  '/helper/chat?message=refund',
  'helper/chat?message=refund',
  '/./x/../helper/chat?message=refund',
  '/helper/%63hat?message=refund',
  '/%68elper/chat?message=refund',
  '/HELPER/chat/?message=refund',
  '/helper-hub?id=x',
  '/helper/approve?actionId=x',
  '/metrics',
];

describeInBrowser('the widget (contract/widget.md#links)', (pages) => {
  const plugin = (origin: string): string => `
    import { card, definePlugin } from 'helper';
    const addresses = ${JSON.stringify(spellings)};
    export default definePlugin({
      name: 'shelf',
      pages: [{ name: 'trap', title: 'The trap', url: '/helper/chat?message=refund', description: 'A trap.' }],
      actions: [{
        name: 'show', description: 'Shows.', readOnly: true, parameters: { type: 'object', properties: {} },
        execute: () => card('Shown.', {
          type: 'AdaptiveCard', version: '1.5',
          body: [
            { type: 'TextBlock', text: '[in the card](/helper/chat?message=refund) [own page](/orders)' },
            ...addresses.map((url) => ({ type: 'Image', url, altText: 'picture' })),
            { type: 'Image', url: '/own.png', altText: 'own picture' },
          ],
          actions: addresses.map((url) => ({ type: 'Action.OpenUrl', title: 'Open', url })),
        }),
      }],
      providers: { ragSources: [{ name: 'shelf', search: () => [
        { content: 'a', title: 'Trap', sourceUrl: '/helper/chat?message=refund', score: 9 },
        { content: 'b', title: 'Page', sourceUrl: '${origin}/page', score: 8 },
      ] }] },
    });`;

  async function conversation(pages: Pages) {
    const links = spellings.map((address) => `[words](${address})`).join(' ');
    const { url, model } = await scriptedServer({
      scripts: [
        calling({ name: 'show', arguments: {} }),
        calling({ name: 'navigate_to_page', arguments: { page: 'trap' } }),
        saying(`${links} [1] [2] [orders](/orders) THE END`),
      ],
      plugin: plugin('https://shelf.example'),
      settings: { useRag: true, showRagSources: true },
    });
    const opened = await pages.open(url);
    await opened.openPanel();
    await opened.say('Show me.');
    await opened.log.getByText('THE END').waitFor();
    await opened.panel.getByRole('group', { name: 'Sources' }).waitFor();
    return { ...opened, url, model };
  }

  // proves wire-7-12
  it('makes no link and no picture of the endpoints of the server, and goes to none of them', async () => {
    const { page, url, model } = await conversation(pages);
    await expect
      .poll(async () => new Set(await page.evaluate<string[]>(loaded)))
      .toEqual(new Set(['/orders', '/own.png', 'https://shelf.example/page']));
    expect(page.url()).toBe(`${url}/`);
    expect(model.requests).toHaveLength(3);
  });
});
