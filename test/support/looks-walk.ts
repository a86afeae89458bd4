import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { Pages, WidgetPage } from './browser.ts';
import { cuttingProxy, type CuttingProxy } from './cutting-proxy.ts';
import { hostPage } from './host-page.ts';
import { arrive, picture } from './pictures.ts';
import { calling, failing, type ModelScript, saying } from './scripted-model.ts';
import { scriptedServer } from './scripted-server.ts';
import { faultsSeen } from './seen-state.ts';
import { makeToken, tokenSecret } from './tokens.ts';

/** One way in which a user sees the widget. */
export interface Look {
  readonly name: string;
  readonly page?: BrowserContextOptions;
  /** Settings of the server. */
  readonly settings?: object;
  /** Attributes of the root of the page that embeds the widget. */
  readonly html?: string;
}

const plugin = `
import { card, definePlugin } from 'helper';
const form = {
  type: 'AdaptiveCard', version: '1.5', fallbackText: 'A form',
  body: [
    { type: 'TextBlock', text: 'Return an item', size: 'Large', weight: 'Bolder' },
    { type: 'FactSet', facts: [{ title: 'Order', value: '1003' }, { title: 'Total', value: '€189.00' }] },
    { type: 'ColumnSet', columns: [
      { type: 'Column', items: [{ type: 'Input.Text', id: 'reason', label: 'Reason', isRequired: true }] },
      { type: 'Column', items: [{ type: 'Input.Number', id: 'pieces', label: 'Pieces', min: 1, max: 9, value: 1 }] },
    ] },
    { type: 'Input.Text', id: 'more', label: 'Anything else', isMultiline: true },
    { type: 'Input.Date', id: 'day', label: 'Pick up on' },
    { type: 'Input.Toggle', id: 'gift', title: 'It was a present' },
    { type: 'Input.ChoiceSet', id: 'size', label: 'Size', value: 'm', choices: [{ title: 'M', value: 'm' }, { title: 'L', value: 'l' }] },
    { type: 'Input.ChoiceSet', id: 'parts', label: 'Parts', isMultiSelect: true, choices: [{ title: 'Box', value: 'b' }, { title: 'Bill', value: 'i' }] },
    { type: 'Table', columns: [{ width: 1 }, { width: 1 }], rows: [
      { cells: [{ items: [{ type: 'TextBlock', text: 'Item' }] }, { items: [{ type: 'TextBlock', text: 'Price' }] }] },
      { cells: [{ items: [{ type: 'TextBlock', text: 'Oak bookshelf' }] }, { items: [{ type: 'TextBlock', text: '€189.00' }] }] },
    ] },
    { type: 'Chart.Bar', title: 'Returns', data: [{ x: 'Mon', y: 2 }, { x: 'Tue', y: 5 }] },
    { type: 'Chart.Line', title: 'Orders', data: [{ x: 'Mon', y: 20 }, { x: 'Tue', y: 50 }, { x: 'Wed', y: 35 }] },
    { type: 'Chart.Donut', title: 'Shares', data: [{ legend: 'Shelves', value: 3 }, { legend: 'Chairs', value: 2 }] },
  ],
  actions: [
    { type: 'Action.Submit', title: 'Send it' },
    { type: 'Action.OpenUrl', title: 'How returns work', url: '/returns' },
  ],
};
export default definePlugin({ name: 'desk', actions: [
  { name: 'show_form', title: 'Show the form', description: 'Shows a form.', readOnly: true,
    parameters: { type: 'object', properties: {} }, execute: () => card({ shown: true }, form) },
  { name: 'issue_refund', title: 'Issue a refund', description: 'Pays money back to the customer.', editable: true,
    parameters: { type: 'object', properties: {
      orderNumber: { type: 'integer', title: 'Order number' }, amount: { type: 'string', title: 'Amount' },
      note: { type: 'string', title: 'Note' }, lines: { type: 'array', title: 'Lines' },
    } }, execute: () => 'Refunded.' },
], providers: { ragSources: [{ name: 'shelf', search: () => [
  { content: 'Goods can be sent back within 30 days. '.repeat(6), title: 'Returns', sourceUrl: '/help/returns', score: 9 },
  { content: 'Parcels take two days.', title: 'Shipping of goods to places that are far away', score: 8 },
] }] } });`;

const longReply = [
  '## Your orders\n\nThree orders are **open**, the oldest since *Monday*; one has [its own page](/orders/1002).',
  '1. Oak bookshelf\n2. Chair\n   - with `arms`\n   - ~~without~~\n3. A table with a name that is long enough to be broken: Donaudampfschifffahrtsgesellschaftstisch',
  '> Nothing was sent yet.',
  '| Order | Item | Customer | Total | Status | Carrier | Since |\n| --: | --- | --- | --: | --- | --- | --- |\n' +
    '| 1002 | Oak bookshelf | Ada Lovelace | €189.00 | open | none yet | Monday |\n| 1003 | Chair | Grace Hopper | €89.00 | open | none yet | Tuesday |',
  '```json\n{ "order": 1002, "customer": "Ada Lovelace", "lines": [{ "item": "Oak bookshelf", "price": 189 }] }\n```',
  ...Array.from(
    { length: 6 },
    () => 'A paragraph that is read from its beginning to its end, and that fills some lines of the panel.',
  ),
].join('\n\n');

const refund = calling({
  name: 'issue_refund',
  arguments: { orderNumber: 1003, amount: '€30.00', note: 'A word '.repeat(60), lines: [{ item: 'Chair', price: 89 }] },
});

/** A conversation that reaches every state of the panel. */
const scripts = [
  saying(longReply),
  refund,
  saying('**Done.** Order 1003 has its refund.'),
  refund,
  saying('Nothing was changed.'),
  calling({ name: 'show_form', arguments: {} }),
  saying('Fill in the form.'),
  saying('Thank you.'),
  saying('A cat.'),
  failing(400),
];

/** What shows in the header, its menu and the composer: all of it is on. */
const everything = {
  auth: { jwt: { secret: tokenSecret } },
  budgets: [{ per: 'user', tokens: 100_000, then: 'refuse' }],
  chatHistoryProvider: 'storage',
  enableImageInput: true,
  enableOnboardingTour: true,
  enableVoiceInput: true,
  enableVoiceOutput: true,
  mcpServers: [{ name: 'erp', serverUrl: 'http://127.0.0.1:9' }],
  memoryAutoCapture: false,
  remoteAgents: [{ name: 'Warehouse', description: 'Knows the stock.', agentCardUrl: 'http://127.0.0.1:9' }],
  showA2AStatus: true,
  showMcpStatus: true,
  useMemoryContext: true,
};

/** A shop on its own origin, whose user is signed in. Its page has this look. */
export async function shopIn(
  look: Look,
  said: readonly ModelScript[] = scripts,
): Promise<{ readonly url: string; readonly line: CuttingProxy }> {
  const site = await hostPage();
  const { url } = await scriptedServer({
    scripts: said,
    plugin,
    settings: {
      ...everything,
      cors: { default: { origins: [site.origin] } },
      pages: [
        { name: 'orders', title: 'All orders', url: '/orders', description: 'Every order.', selector: '#orders' },
      ],
      client: {
        enableImageInput: true,
        enableSuggestions: true,
        suggestions: ['Show me my orders', 'Refund order 1003'],
      },
      ...look.settings,
    },
  });
  const line = await cuttingProxy(url);
  const token = await makeToken({ sub: 'ann' });
  site.serve({
    html: `<!doctype html><html ${look.html ?? 'lang="en"'}><head><title>Shop</title>
      <meta name="viewport" content="width=device-width"></head>
      <body><main><h1>Shop</h1><a id="orders" href="/orders">Orders</a></main>
      <script src="${line.url}/helper/widget.js"></script>
      <script>HelperWidget.setTokenProvider(() => '${token}')</script></body></html>`,
  });
  return { url: site.url, line };
}

/** Leaves a question unanswered until its time is over, and checks its remaining line. */
export async function letExpire(pages: Pages, look: Look): Promise<void> {
  const { url } = await shopIn({ ...look, settings: { ...look.settings, confirmationTimeout: '1s' } }, [
    refund,
    saying('Ask me again.'),
  ]);
  const { page, panel, log, launcher, openPanel, say } = await pages.open(url, { bypassCSP: true, ...look.page });
  await launcher.waitFor();
  await openPanel();
  await say('Refund it');
  await log.locator('.confirmation.is-open').waitFor();
  await log.locator('.message.from-bot').getByText('Ask me again.').waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  expect(await log.locator('.confirmation.is-open').count()).toBe(0);
  expect(await log.locator('.confirmation .button').count()).toBe(0);
  expect(await faultsSeen(page, `${look.name}-expired`)).toEqual([]);
}

/**
 * Walks through a conversation in one look and checks each state. axe-core must find nothing, and nothing may leave the panel or be cut
 * off. The texts may be in any language, so the parts are found by their role.
 */
export async function walkThrough(pages: Pages, look: Look): Promise<void> {
  const shop = await shopIn(look);
  const opened = await pages.open(shop.url, { bypassCSP: true, ...look.page });
  const { page, panel, log, openPanel, say } = opened;
  const faults: string[] = [];
  const see = async (state: string): Promise<void> => {
    faults.push(...(await faultsSeen(page, `${look.name}-${state}`)));
  };
  const tour = page.locator('helper-widget dialog.tour');
  await opened.launcher.waitFor();
  await see('closed');
  await openPanel();
  await panel.locator('.tour-offer').waitFor();
  await see('first-visit');
  await panel.locator('.tour-offer .primary').click();
  await tour.locator('.tour-card').waitFor();
  await see('tour');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'visible' });
  await panel.locator('.suggestion').first().click();
  await log.locator('.markdown pre').waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await see('long-answer');
  await openLists(opened, see);
  await answerQuestions(opened, see);
  await say('Return it');
  await log.locator('.card form, .card .actions').first().waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await see('card');
  await log.locator('.card .button.primary').click();
  await log.locator('.card-error:not(:empty)').waitFor();
  await see('card-refused');
  await log.locator('.card input[type=text]').fill('Too wide');
  await log.locator('.card .button.primary').click();
  await log.locator('.message.from-bot').getByText('Thank you.').waitFor();
  await see('card-sent');
  await arrive(page, 'paste', await picture(page));
  await panel.locator('.image-tray li').waitFor();
  await see('image');
  await say('What is this?');
  await log.locator('.message.from-bot').getByText('A cat.').waitFor();
  await say('Fail');
  await log.locator('.notice').waitFor();
  await see('failed');
  await dropTheLine(opened, shop.line);
  await see('offline');
  await panel.locator('.header > .icon-button').first().click();
  await panel.locator('.undo').waitFor();
  await see('put-aside');
  expect(faults).toEqual([]);
}

/** Opens the menu, and each list to which it leads. */
async function openLists({ page, panel, openMenu }: WidgetPage, see: (state: string) => Promise<void>): Promise<void> {
  for (const list of ['kept', 'facts', 'budget']) {
    const menu = await openMenu();
    if (list === 'kept') {
      await menu.locator('summary').last().click();
      await see('menu');
    }
    await menu.locator(`.menu-item:has(.icon-${list})`).click();
    await panel.locator('.kept').waitFor();
    await see(list);
    await page.keyboard.press('Escape');
    await panel.locator('.kept').waitFor({ state: 'detached' });
  }
}

async function answerQuestions({ panel, log, say }: WidgetPage, see: (state: string) => Promise<void>): Promise<void> {
  const box = log.locator('.confirmation.is-open');
  await say('Refund it');
  await box.waitFor();
  await see('question');
  await box.locator('.link-button').last().click();
  await box.locator('textarea').last().fill('[');
  await box.locator('.button.primary, .button.danger').click();
  await box.locator('[aria-invalid=true]').waitFor();
  await see('question-edited');
  await box.locator('textarea').last().fill('[]');
  await box.locator('.button.primary, .button.danger').click();
  await log.locator('.confirmation.is-approved').waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await log.locator('.confirmation.is-approved summary').click();
  await see('approved');
  await say('Again');
  await box.waitFor();
  await box.locator('.actions .button').last().click();
  await log.locator('.confirmation.is-declined').waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await see('declined');
}

async function dropTheLine({ panel, log, say }: WidgetPage, line: CuttingProxy): Promise<void> {
  line.isDown = true;
  line.cut();
  await panel.locator('.connection').waitFor();
  await say('Are you there?');
  await log.locator('.unsent').waitFor();
}
