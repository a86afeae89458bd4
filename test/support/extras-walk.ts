import { expect } from 'vitest';
import type { Pages, WidgetPage } from './browser.ts';
import { type Look, shopIn } from './looks-walk.ts';
import { arrive, picture } from './pictures.ts';
import { saying } from './scripted-model.ts';
import { faultsSeen } from './seen-state.ts';

type See = (state: string) => Promise<void>;

/** Everything that the walk through a conversation leaves off. */
const extras = {
  enableFileInput: true,
  useRag: true,
  showRagSources: true,
  client: { enableFileInput: true, enableImageInput: true },
};

/**
 * Walks through what stands beside a conversation in one look, and checks each state as the walk through the conversation does: files, the
 * excerpts of sources, the word of a rating, a message that is worded differently, the list of the keys, and the larger panel.
 */
export async function walkBeside(pages: Pages, look: Look): Promise<void> {
  const scripts = [saying('Within 30 days you can send it back [1]. See also [2].'), saying('It was read.')];
  const shop = await shopIn({ ...look, settings: { ...look.settings, ...extras } }, scripts);
  const opened = await pages.open(shop.url, { bypassCSP: true, ...look.page });
  const faults: string[] = [];
  const see: See = async (state) => {
    faults.push(...(await faultsSeen(opened.page, `${look.name}-${state}`)));
  };
  await opened.launcher.waitFor();
  await opened.openPanel();
  await opened.panel.locator('.tour-offer .button').last().click();
  await askForSources(opened, see);
  await sendFiles(opened, see);
  await openRoom(opened, see);
  expect(faults).toEqual([]);
}

async function askForSources({ page, panel, log, say }: WidgetPage, see: See): Promise<void> {
  await say('How long may I send it back?');
  await log.locator('.source').first().waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await see('sources');
  await log.locator('.cite').first().click();
  await log.locator('.excerpt mark').first().waitFor();
  await see('excerpt');
  await log.locator('.cite').first().press('Escape');
  await log.locator('.tools.is-row button:has(.icon-bad)').last().click();
  await log.locator('.rating-word input').fill('Too short.');
  await see('rating');
  await log.locator('.rating-word input').press('Enter');
  await log.locator('.rating-said').waitFor();
  await see('rated');
  const mine = log.locator('.message.from-user').last();
  // A reader who turns away from the end stays there.
  await log.hover();
  await page.mouse.wheel(0, -2000);
  await mine.hover();
  await mine.locator('.icon-edit').click();
  await log.locator('.edit-message textarea').waitFor();
  await see('edit-message');
  await page.keyboard.press('Escape');
  await panel.and(page.locator('[open]')).waitFor();
}

async function sendFiles({ page, panel, log, composer }: WidgetPage, see: See): Promise<void> {
  const text = { mimeType: 'text/plain', buffer: Buffer.from('some words') };
  const long = { ...text, name: 'The terms of delivery of the year 2026, in their final version.txt' };
  await arrive(page, 'paste', [{ ...text, name: 'notes.txt' }, long, await picture(page)]);
  await panel.locator('.image-tray li').nth(2).waitFor();
  await see('files');
  await composer.fill('What is in it?');
  await composer.press('Enter');
  await log.locator('.message.from-bot').getByText('It was read.').waitFor();
  await panel.locator('.round-button:not(.is-stop)').waitFor();
  await see('files-sent');
}

async function openRoom({ page, panel, log, openMenu }: WidgetPage, see: See): Promise<void> {
  await log.focus();
  await page.keyboard.press('?');
  await panel.locator('.keys').waitFor();
  await see('keys');
  await page.keyboard.press('Escape');
  await panel.locator('.keys').waitFor({ state: 'detached' });
  const larger = (await openMenu()).locator('.menu-item:has(.icon-expand)');
  if ((await larger.count()) === 0) {
    await page.keyboard.press('Escape');
    return;
  }
  await larger.click();
  await panel.and(page.locator('.is-large')).waitFor();
  await see('large');
}
