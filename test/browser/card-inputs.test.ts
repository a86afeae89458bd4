import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages } from '../support/browser.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const formPlugin = `
import { card, definePlugin } from 'helper';
const lines = Array.from({ length: 30 }, (_, index) => ({ type: 'TextBlock', text: 'Line ' + index }));
const form = {
  type: 'AdaptiveCard', version: '1.5', fallbackText: 'A form',
  body: [
    { type: 'Input.Number', id: 'pieces', label: 'Pieces', min: 1, max: 5, value: 2 },
    { type: 'Input.Text', id: 'wish', label: 'Wish', isRequired: true, errorMessage: 'Tell us your wish.' },
    { type: 'Input.Text', id: 'code', label: 'Code', maxLength: 3, value: 'ABCD' },
    { type: 'Input.Date', id: 'day', label: 'Day', min: '2026-03-02', value: '2026-03-01' },
    { type: 'Input.Toggle', id: 'terms', title: 'I agree', isRequired: true },
    { type: 'Input.ChoiceSet', id: 'extras', label: 'Extras', isMultiSelect: true, isRequired: true,
      choices: [{ title: 'Bow', value: 'bow' }, { title: 'Note', value: 'note' }] },
    ...lines,
  ],
  actions: [{ type: 'Action.Submit', title: 'Send it' }],
};
export default definePlugin({
  name: 'form-plugin',
  actions: [{
    name: 'show_form', title: 'Show the form', description: 'Shows a form.', readOnly: true,
    parameters: { type: 'object', properties: {} },
    execute: () => card({ shown: true }, form),
  }],
});
`;

/** What the page shows and tells about the field that is marked as wrong. */
const seen = `(() => {
  const root = document.querySelector('helper-widget').shadowRoot;
  const input = root.querySelector('.card [aria-invalid=true]');
  const { top, bottom } = input.getBoundingClientRect();
  return {
    label: input.labels[0].textContent,
    hasFocus: root.activeElement === input,
    isInView: top >= 0 && bottom <= innerHeight,
    described: root.getElementById(input.getAttribute('aria-describedby')).textContent,
  };
})()`;

interface Look {
  readonly borderTopStyle: string;
  readonly color: string;
}

const looks = `[...document.querySelector('helper-widget').shadowRoot.querySelectorAll('.card .control')].map((input) => {
  const { borderTopStyle, color } = getComputedStyle(input);
  return { borderTopStyle, color };
})`;

async function formIn(pages: Pages) {
  const { url, model } = await scriptedServer({
    plugin: formPlugin,
    scripts: [calling({ name: 'show_form', arguments: {} }), saying('Fill it in.'), saying('Thank you.')],
  });
  const opened = await pages.open(url, { bypassCSP: true });
  await opened.openPanel();
  await opened.say('Form please');
  await opened.log.getByText('Fill it in.').waitFor();
  const card = opened.panel.locator('.card');
  const send = card.getByRole('button', { name: 'Send it' });
  await send.waitFor();
  return { ...opened, model, card, send };
}

describeInBrowser('the inputs of a card (contract/cards.md; Adaptive Cards 1.5, inputs)', (pages) => {
  it('a field that cannot be sent has the focus, says why, and is told as wrong until it is mended', async () => {
    const { page, card, send, log, model } = await formIn(pages);
    const wrong = card.locator('[aria-invalid=true]');
    const mend = [
      ['Pieces', 'Allowed: 1 – 5', () => card.getByLabel('Pieces').fill('5')],
      ['Wish *', 'Tell us your wish.', () => card.getByLabel('Wish').fill('A train')],
      ['Code', 'Too long: 4 of at most 3 characters.', () => card.getByLabel('Code').fill('ABC')],
      ['Day', 'Allowed: ≥ Mar 2, 2026', () => card.getByLabel('Day').fill('2026-03-02')],
      ['I agree *', 'Please fill in: I agree', () => card.getByLabel('I agree').check()],
      ['Bow', 'Please fill in: Extras', () => card.getByLabel('Note').check()],
    ] as const;
    await card.getByLabel('Pieces').fill('9');
    for (const [label, fault, put] of mend) {
      await send.click();
      await card.getByText(fault).waitFor();
      await expect.poll(() => wrong.count()).toBe(1);
      await expect.poll(() => page.evaluate(seen)).toEqual({ label, hasFocus: true, isInView: true, described: fault });
      if (label === 'Wish *') expect(await axeViolations(page)).toEqual([]);
      await put();
      await expect.poll(() => wrong.count()).toBe(0);
      await expect.poll(() => card.locator('.card-error').count()).toBe(0);
    }
    await send.click();
    await log.getByText('Thank you.').waitFor();
    const sent = JSON.stringify((await model.request(2)).body);
    for (const word of ['pieces', '5', 'A train', '2026-03-02', 'note']) expect(sent).toContain(word);
  });

  it('a number that is none is not sent as nothing', async () => {
    const { card, send } = await formIn(pages);
    await card.getByLabel('Pieces').fill('');
    await card.getByLabel('Pieces').pressSequentially('1e');
    await send.click();
    await card.getByText('Please enter a number.').waitFor();
  });

  it('a form that was sent takes nothing more, and its fields look it', async () => {
    const { page, card, send, log } = await formIn(pages);
    const before = await page.evaluate<Look[]>(looks);
    await card.getByLabel('Wish').fill('A train');
    await card.getByLabel('Code').fill('ABC');
    await card.getByLabel('Day').fill('2026-03-02');
    await card.getByLabel('I agree').check();
    await card.getByLabel('Bow').check();
    await send.click();
    await log.getByText('Thank you.').waitFor();
    for (const field of await card.locator('input').all()) await expect.poll(() => field.isDisabled()).toBe(true);
    const after = await page.evaluate<Look[]>(looks);
    expect(after).toHaveLength(4);
    for (const [index, { borderTopStyle, color }] of after.entries()) {
      expect(borderTopStyle).toBe('dashed');
      expect(color).not.toBe(before[index]?.color);
    }
  });
});
