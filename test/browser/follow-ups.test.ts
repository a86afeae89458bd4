import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { failing, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `export default { name: 'desk', pages: [{ name: 'orders', title: 'All orders', url: '/orders', description: 'Orders.' }],
  actions: [{ name: 'list_orders', title: 'List orders', description: 'Lists.', readOnly: true,
    parameters: { type: 'object', properties: {} }, execute: () => [] }] }`;

const start = (scripts: readonly ModelScript[], settings: object = {}, models: object = {}) =>
  scriptedServer({
    scripts,
    plugin,
    models,
    settings: { enableSuggestions: false, enableFollowUps: true, ...settings },
  });

/** The requests for follow-ups that the page has made. */
function followUpsOf(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/follow-ups')) asked.push(request.url());
  });
  return asked;
}

describeInBrowser('what the user could say next (contract/widget.md#under-an-answer)', (pages) => {
  // proves wire-25-30
  it('is sent by a button, as text, hides while somebody writes, and makes way for the next answer', async () => {
    const small = await startScriptedModel({
      scripts: [saying('{"messages": ["Is <b>it</b> late?", "Why?"]}'), saying('{"messages": []}')],
    });
    onTestFinished(() => small.close());
    const models = { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } };
    const { url } = await start([saying('On its way.'), saying('No.')], { classifierChatClient: 'small' }, models);
    const { page, panel, log, composer, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('Where is my order?');
    const list = panel.getByRole('list', { name: 'Suggestions' });
    await list.waitFor();
    expect(await list.getByRole('button').allTextContents()).toEqual(['Is <b>it</b> late?', 'Why?']);
    expect(await axeViolations(page)).toEqual([]);
    await composer.fill('Hm');
    await list.waitFor({ state: 'hidden' });
    await composer.fill('');
    const answered = page.waitForResponse((response) => response.url().includes('/follow-ups'));
    await list.getByRole('button', { name: 'Is <b>it</b> late?' }).press('Enter');
    await log.getByText('No.').waitFor();
    expect(await log.getByText('Is <b>it</b> late?').count()).toBe(1);
    // What the server has found for the second answer is nothing, and the page knows it.
    await answered;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await list.count()).toBe(0);
  });

  // proves wire-25-30
  it('names pages in the language of the panel, and is not offered after an answer that failed', async () => {
    const { url } = await start([saying('Hallo.'), failing(400), saying('Gut.')], { language: 'German' });
    const { page, panel, openPanel, say } = await pages.open(url);
    const asked = followUpsOf(page);
    await openPanel();
    await say('Hallo');
    const list = panel.getByRole('list', { name: 'Vorschläge' });
    await list.waitFor();
    expect(await list.getByRole('button').allTextContents()).toEqual(['List orders', 'Öffne die Seite All orders']);
    await say('Nochmals');
    await panel.locator('.notice').waitFor();
    await expect.poll(() => list.count()).toBe(0);
    await say('Und jetzt?');
    await list.waitFor();
    // One request for each answer, and none for the failure between them.
    expect(asked).toHaveLength(2);
  });

  // proves configuration-9-01
  it('is not there unless it is wanted', async () => {
    const { url } = await start([saying('Hello.'), saying('Hello again.')], { enableFollowUps: false });
    const { page, log, openPanel, say } = await pages.open(url);
    const asked = followUpsOf(page);
    await openPanel();
    for (const answer of ['Hello.', 'Hello again.']) {
      await say('Hello');
      await log.getByText(answer, { exact: true }).waitFor();
    }
    expect(asked).toEqual([]);
  });
});
