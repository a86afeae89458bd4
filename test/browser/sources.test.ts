import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages } from '../support/browser.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
import { definePlugin } from 'helper';
const found = [
  { content: 'Goods can be sent back within 30 days.', title: 'Returns', sourceUrl: '/help/returns', score: 9 },
  { content: 'Parcels take two days.', title: 'Shipping <b>', sourceUrl: 'https://shop.test/ship', score: 8 },
  { content: 'A note.', title: 'Internal note', score: 7 },
];
export default definePlugin({
  name: 'shelf', actions: [], providers: { ragSources: [{ name: 'shelf', search: () => found }] },
});
`;

/** The chips below the reply: their words, and where they lead. */
const chips = `(() => {
  const root = document.querySelector('helper-widget').shadowRoot;
  return [...root.querySelectorAll('.sources .source')].map((chip) => [chip.textContent, chip.getAttribute('href')]);
})()`;

const all = [
  ['[1] Returns', '/help/returns'],
  ['[2] Shipping <b>', 'https://shop.test/ship'],
  ['[3] Internal note', null],
];

async function asked(pages: Pages, reply: string, settings: object = {}) {
  const { url } = await scriptedServer({
    scripts: [saying(reply)],
    plugin,
    settings: { useRag: true, showRagSources: true, ...settings },
  });
  const opened = await pages.open(url, { bypassCSP: true });
  await opened.openPanel();
  await opened.say('How long may I send it back?');
  await opened.panel.getByRole('group', { name: 'Sources' }).waitFor();
  return opened;
}

describeInBrowser('the documents that a reply goes by (contract/knowledge.md#citations)', (pages) => {
  it('stand below it under their numbers, and lead to where they can be read', async () => {
    const { page } = await asked(pages, 'Within 30 days [1], and see [2] and [3].');
    expect(await page.evaluate(chips)).toEqual(all);
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves wire-22-41, wire-22-42
  it('open, by their numbers in the reply, what stands in them, with the passage marked', async () => {
    const { page, panel, log } = await asked(pages, 'Within 30 days you can send it back [1]. It is noted [3].');
    const cite = log.getByRole('button', { name: '[1] Returns' });
    await cite.click();
    const excerpt = log.getByRole('note', { name: '[1] Returns' });
    expect(await excerpt.locator('mark').textContent()).toBe('Goods can be sent back within 30 days.');
    expect(await excerpt.getByRole('link').getAttribute('href')).toBe('/help/returns');
    expect(await axeViolations(page)).toEqual([]);
    await cite.press('Escape');
    await expect.poll(() => excerpt.count()).toBe(0);
    await expect.poll(() => panel.isVisible()).toBe(true);
    // A document without an address opens from its chip, too.
    await panel.getByRole('group', { name: 'Sources' }).getByRole('button', { name: '[3] Internal note' }).click();
    await log.getByRole('note', { name: '[3] Internal note' }).getByText('A note.').waitFor();
  });

  // proves wire-22-41
  it('come into view on a low screen, and Escape closes them and not the panel that fills it', async () => {
    const { url } = await scriptedServer({
      scripts: [saying(`Within 30 days [1].\n\n${'And a paragraph that takes some lines of the panel. '.repeat(3)}`)],
      plugin,
      settings: { useRag: true, showRagSources: true },
    });
    const { log, panel, openPanel, say } = await pages.open(url, { viewport: { width: 320, height: 360 } });
    await openPanel();
    await say('How long may I send it back?');
    await panel.getByRole('group', { name: 'Sources' }).waitFor();
    const cite = log.getByRole('button', { name: '[1] Returns' });
    await cite.click();
    const excerpt = log.getByRole('note', { name: '[1] Returns' });
    const isInView = async (): Promise<boolean> => {
      const [note, view] = [await excerpt.boundingBox(), await log.boundingBox()];
      if (note === null || view === null) return false;
      return note.y >= view.y - 1 && note.y + note.height <= view.y + view.height + 1;
    };
    await expect.poll(isInView).toBe(true);
    await cite.press('Escape');
    await expect.poll(() => excerpt.count()).toBe(0);
    await cite.click();
    await excerpt.getByRole('link').press('Escape');
    await expect.poll(() => excerpt.count()).toBe(0);
    expect(await panel.isVisible()).toBe(true);
  });

  // proves configuration-8-02
  it('show no passage with showRagExcerpts: false', async () => {
    const { log, panel } = await asked(pages, 'Within 30 days [1], and [3].', { showRagExcerpts: false });
    await log.getByText('Within 30 days [1]').waitFor();
    await expect.poll(() => panel.getByRole('button', { name: /^\[/ }).count()).toBe(0);
  });

  it('are still there after the page was loaded again', async () => {
    const { page, panel } = await asked(pages, 'Within 30 days [1].');
    await page.reload();
    await panel.getByRole('group', { name: 'Sources' }).waitFor();
    expect(await page.evaluate(chips)).toEqual(all.slice(0, 1));
  });

  // proves service-18-03
  it('are hidden by client.showRagSources: false, after a page load too', async () => {
    const { url } = await scriptedServer({
      scripts: [saying('Within 30 days [1].')],
      plugin,
      settings: { useRag: true, showRagSources: true, client: { showRagSources: false } },
    });
    const opened = await pages.open(url, { bypassCSP: true });
    await opened.openPanel();
    await opened.say('How long may I send it back?');
    const settled = async (): Promise<void> => {
      await opened.log.getByText('Within 30 days').waitFor();
      await expect.poll(() => opened.panel.getByRole('button', { name: /Stop/ }).count()).toBe(0);
    };
    await settled();
    expect(await opened.page.evaluate(chips)).toEqual([]);
    expect(await opened.log.getByRole('button', { name: '[1] Returns' }).count()).toBe(0);
    await opened.page.reload();
    await settled();
    expect(await opened.page.evaluate(chips)).toEqual([]);
  });
});
