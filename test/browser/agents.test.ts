import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { recordAnnouncements } from '../support/announcements.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { said as spoken, scriptedVoice } from '../support/scripted-voice.ts';
import { type TellInstead, type ToldEvent, tellInstead } from '../support/told-events.ts';

type Phase = 'started' | 'speaking' | 'finished' | 'failed';
type Event = Omit<ToldEvent, 'fields'> & { readonly fields: Record<string, unknown> };

const activity = (agent: string, phase: Phase, more: object = {}): Event => ({
  name: 'AgentActivity',
  fields: { agent, kind: 'specialist', phase, ...more },
});
const text = (agent: string, words: string): Event => ({ name: 'TextDelta', fields: { agent, text: words } });
const team = { kind: 'team' };

/** A turn that is told scene by scene. The model waits between two scenes until the test goes on. */
function inScenes(...scenes: readonly (readonly Event[])[]) {
  const gates = scenes.map(() => Promise.withResolvers<undefined>());
  let shown = 0;
  const script: ModelScript = async (exchange) => {
    for (const [number, { promise }] of gates.entries()) {
      await exchange.send(chunk({ content: `scene ${String(number)}` }));
      await promise;
    }
    await exchange.send(ending());
    exchange.end();
  };
  const instead: TellInstead = (event) => {
    const [, number] = /^scene (\d+)$/.exec(String(event.fields['text'])) ?? [];
    if (event.name !== 'TextDelta' || number === undefined) return [event];
    const { turnId } = event.fields;
    return (scenes[Number(number)] ?? []).map(({ name, fields }) => ({ name, fields: { turnId, ...fields } }));
  };
  return { script, instead, goOn: () => gates[shown++]?.resolve(undefined) };
}

/** A spinner turns for ever, and axe waits for the end of each animation. */
const still = { reducedMotion: 'reduce' } as const;

interface Staged extends WidgetPage {
  readonly goOn: () => void;
  readonly said: () => Promise<string[]>;
}

async function staged(
  pages: Pages,
  scenes: readonly (readonly Event[])[],
  options: { readonly page?: object; readonly settings?: object } = {},
): Promise<Staged> {
  const { script, instead, goOn } = inScenes(...scenes);
  const { url } = await scriptedServer({
    scripts: [script, saying('You are welcome.')],
    settings: options.settings ?? {},
  });
  const opened = await pages.open(url, { bypassCSP: true, ...still, ...options.page });
  await tellInstead(opened.page, instead);
  await opened.openPanel();
  const said = await recordAnnouncements(opened.page);
  return { ...opened, goOn, said };
}

const themes = ['default', 'dark', 'minimal'];

async function faultsInThemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
    faults.push(...(await axeViolations(page)));
  }
  return faults;
}

/** The visible parts of the reply: the label, where there is one, and the words. */
const partsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelector('helper-widget').shadowRoot.querySelectorAll('.from-bot')].map((part) =>
    [part.querySelector('.speaker')?.textContent ?? '-', part.querySelector('.bubble').textContent].join(': '))`);

describeInBrowser('the agents that work (contract/widget.md#agents)', (pages) => {
  // proves wire-9-95
  it('stand in one calm line, in place of the dots, until one of them speaks or all have ended', async () => {
    const { page, log, goOn, say } = await staged(pages, [
      [activity('Front desk', 'started', team)],
      [activity('Sales', 'started', { round: 1 }), activity('Legal', 'started', { round: 2 })],
      [activity('Sales', 'finished', { round: 1 })],
      [activity('Legal', 'finished', { round: 2 }), text('Sales', 'It costs 5.')],
      [text('Legal', '\n\nYou may return it.'), activity('Front desk', 'finished', team)],
    ]);
    const line = log.locator('.is-working');
    await say('What does it cost?');
    await line.getByText('Front desk is working…').waitFor();
    await expect.poll(() => log.locator('.dots').count()).toBe(0);
    goOn();
    await line.getByText('Sales and Legal are working…').waitFor();
    await expect.poll(() => line.count()).toBe(1);
    expect(await faultsInThemes(page)).toEqual([]);
    goOn();
    await line.getByText('Legal is working…').waitFor();
    goOn();
    await log.getByText('It costs 5.').waitFor();
    await expect.poll(() => line.count()).toBe(0);
    goOn();
    await log.getByText('You may return it.').waitFor();
    await log.locator('.dots').waitFor();
    await expect.poll(() => line.count()).toBe(0);
    goOn();
    await log.locator('.dots').waitFor({ state: 'detached' });
  });

  // proves wire-9-95
  it('say nothing of a failure: the line goes, and the reply tells it', async () => {
    const { log, goOn, said, say } = await staged(pages, [
      [activity('Billing', 'started'), activity('Billing', 'speaking'), text('Billing', 'Two a')],
      [{ name: 'TextReplaced', fields: { text: '' } }, activity('Billing', 'failed')],
      [text('coordinator', 'I could not look it up.')],
    ]);
    await say('What do I owe?');
    await log.getByText('Two a').waitFor();
    goOn();
    await log.locator('.dots').waitFor();
    await expect.poll(() => log.locator('.is-working, .notice, .is-failed, .speaker').count()).toBe(0);
    goOn();
    await log.getByText('I could not look it up.').waitFor();
    goOn();
    await expect.poll(async () => (await said()).at(-1)).toBe('I could not look it up.');
    expect((await said()).filter((words) => words.startsWith('!'))).toEqual([]);
  });

  // proves wire-9-95
  it('are gone after a Stop', async () => {
    const { panel, log, say } = await staged(pages, [[activity('Billing', 'started')]]);
    await say('What do I owe?');
    await log.getByText('Billing is working…').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('Stopped').waitFor();
    await expect.poll(() => log.locator('.is-working').count()).toBe(0);
  });

  // proves wire-9-96
  it('are announced once and politely, and not with each phase', async () => {
    const { log, goOn, said, say } = await staged(pages, [
      [activity('Billing', 'started')],
      [activity('Billing', 'speaking'), text('Billing', 'Two are open.'), activity('Billing', 'finished')],
    ]);
    await say('What do I owe?');
    await expect.poll(said).toEqual(['Billing is working…']);
    goOn();
    await log.getByText('Two are open.').waitFor();
    goOn();
    await expect.poll(said).toEqual(['Billing is working…', 'Billing said:\nTwo are open.']);
  });

  // proves wire-9-95
  it('fit into a narrow panel, with names of any length', async () => {
    const long = 'Abteilung für Donaudampfschifffahrtsgesellschaftskapitänsangelegenheiten';
    const { page, log, goOn, say } = await staged(
      pages,
      [
        [activity(long, 'started'), activity('Recht', 'started')],
        [text(long, 'Ja.'), activity(long, 'finished')],
      ],
      {
        page: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
        settings: { language: 'German' },
      },
    );
    await say('Darf ich?');
    await log.getByText(`${long} und Recht arbeiten daran…`).waitFor();
    const overflow = `(() => { const log = document.querySelector('helper-widget').shadowRoot.querySelector('.log'); return log.scrollWidth - log.clientWidth; })()`;
    expect(await page.evaluate(overflow)).toBe(0);
    goOn();
    await log.getByText('Recht arbeitet daran…').waitFor();
    expect(await log.locator('.speaker').textContent()).toBe(long);
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describeInBrowser('who speaks (contract/widget.md#agents)', (pages) => {
  const reply = [
    text('coordinator', 'One moment.'),
    text('Billing', '\n\nTwo are **open**.'),
    text('coordinator', '\n\nAnything else?'),
  ];

  // proves wire-9-97, wire-9-98
  it('stands above each part of a reply that another agent says, and above the assistant’s own part below it', async () => {
    const { page, panel, log, goOn, said, say } = await staged(pages, [reply], {
      settings: { botName: 'Ada' },
      page: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await say('What do I owe?');
    await log.getByText('Anything else?').waitFor();
    expect(await partsOf(page)).toEqual(['-: One moment.', 'Billing: Two are open.', 'Ada: Anything else?']);
    goOn();
    await expect.poll(said).toEqual(['One moment.\nBilling said:\nTwo are open.\nAda said:\nAnything else?']);
    expect(await log.locator('.from-bot > .visually-hidden').allTextContents()).toEqual([
      'Ada said:',
      'Billing said:',
      'Ada said:',
    ]);
    expect(await faultsInThemes(page)).toEqual([]);
    await panel.locator('.from-bot').nth(1).hover();
    await panel.locator('.from-bot').nth(1).getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('Two are **open**.');
    await page.reload();
    await log.getByText('Anything else?').waitFor();
    expect(await partsOf(page)).toEqual(['-: One moment.', 'Billing: Two are open.', 'Ada: Anything else?']);
    await say('Thanks');
    await log.getByText('You are welcome.').waitFor();
    expect((await partsOf(page)).at(-1)).toBe('-: You are welcome.');
  });

  // proves wire-9-98
  it('is said before the words, where replies are read aloud', async () => {
    const { script, instead, goOn } = inScenes(reply);
    const settings = { enableVoiceOutput: true, client: { enableVoiceOutput: true } };
    const { url } = await scriptedServer({ scripts: [script], settings });
    const { page, log, openPanel, say, choose } = await pages.open(url, { bypassCSP: true });
    await page.addInitScript(scriptedVoice.replace(/<.?script>/g, ''));
    await tellInstead(page, instead);
    await page.reload();
    await openPanel();
    await choose('Read replies aloud');
    await say('What do I owe?');
    await log.getByText('Anything else?').waitFor();
    goOn();
    for (const sentence of ['One moment.', 'Billing said:', 'Two are open.', 'Anything else?']) {
      await expect.poll(async () => (await spoken(page)).at(-1)).toBe(sentence);
      await page.evaluate('speech.finish()');
    }
  });

  // proves wire-9-97
  it('goes with the words that are replaced', async () => {
    const { page, log, goOn, say } = await staged(pages, [
      reply,
      [{ name: 'TextReplaced', fields: { text: 'Nothing was changed.' } }],
    ]);
    await say('What do I owe?');
    await log.getByText('Anything else?').waitFor();
    goOn();
    await log.getByText('Nothing was changed.').waitFor();
    expect(await partsOf(page)).toEqual(['-: Nothing was changed.']);
  });

  // proves wire-9-99
  it('is named in the question of its action, with characters that hide spelled out', async () => {
    const plugin = `export default { name: 'desk', actions: [{
      name: 'pay', title: 'Pay the invoice', description: 'Pays.', execute: () => 'paid',
      parameters: { type: 'object', properties: { number: { type: 'integer', title: 'Invoice' } } },
    }] }`;
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'pay', arguments: { number: 7 } }), saying('Paid.')],
      plugin,
    });
    const { page, panel, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await tellInstead(page, (event) => [
      event.name === 'ConfirmationRequested'
        ? { ...event, fields: { ...event.fields, agent: 'Bil\u202eling', influencedBy: undefined } }
        : event,
    ]);
    await openPanel();
    const said = await recordAnnouncements(page);
    await say('Pay it');
    const box = panel.locator('.confirmation');
    await box.waitFor();
    const sentence = 'Bil\\u{202E}ling wants to do this.';
    expect(await box.locator('.asker').textContent()).toBe(sentence);
    const id = await box.locator('.asker').getAttribute('id');
    expect((await box.getAttribute('aria-describedby'))?.split(' ')).toContain(id);
    expect(await said()).toContain(
      `! Confirmation needed: Pay the invoice. Invoice: 7. ${sentence} Press F6 to go to it.`,
    );
    expect(await faultsInThemes(page)).toEqual([]);
  });

  // proves wire-9-99
  it('is not named in a question of the assistant itself', async () => {
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'cancel_order', arguments: { orderNumber: 1002 } })],
    });
    const { panel, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Cancel it');
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => panel.locator('.confirmation .asker').count()).toBe(0);
  });
});
