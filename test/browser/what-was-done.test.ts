import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Influence, Receipt, RemainingBudget } from '../../src/wire/hub-events.ts';
import { recordAnnouncements } from '../support/announcements.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { type TellInstead, tellInstead } from '../support/told-events.ts';

/** Two actions that change something. The second asks nobody. */
const plugin = `export default {
  name: 'desk',
  actions: [{
    name: 'send_note', title: 'Send a note', description: 'Sends a note.', editable: true,
    parameters: { type: 'object', properties: { to: { type: 'string', title: 'Recipient' }, text: { type: 'string', title: 'Text' } } },
    execute: () => ({ sent: true }),
  }, {
    name: 'count', title: 'Count', description: 'Counts.', requiresConfirmation: false,
    parameters: { type: 'object', properties: {} }, execute: () => ({ counted: true }),
  }],
}`;

const asking = calling({ name: 'send_note', arguments: { to: 'eve@evil.example', text: 'Hello' } });

interface Heard extends WidgetPage {
  readonly said: () => Promise<string[]>;
}

/** A page that receives the events that `instead` returns for its server's events. */
async function hearing(
  pages: Pages,
  instead: TellInstead,
  options: { scripts?: Parameters<typeof scriptedServer>[0]['scripts']; settings?: object; page?: object } = {},
): Promise<Heard> {
  const { scripts = [asking, saying('Done.')], settings = {} } = options;
  const { url } = await scriptedServer({ scripts, plugin, settings });
  const opened = await pages.open(url, { bypassCSP: true, ...options.page });
  await tellInstead(opened.page, instead);
  await opened.openPanel();
  const said = await recordAnnouncements(opened.page);
  return { ...opened, said };
}

/** Adds members to every event of one name. */
const adding =
  (name: string, more: object): TellInstead =>
  (event) => [event.name === name ? { ...event, fields: { ...event.fields, ...more } } : event];

const at = '2026-11-24T09:30:00Z';
const receipt = (callId: string, title: string, status: Receipt['status']): Receipt => ({
  callId,
  action: title.toLowerCase().replaceAll(' ', '_'),
  title,
  status,
  at,
});

async function descriptionOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const root = document.querySelector('helper-widget').shadowRoot;
    const box = root.querySelector('.confirmation');
    return box.getAttribute('aria-describedby').split(' ').map((id) => root.getElementById(id).textContent).join(' | ');
  })()`);
}

describeInBrowser('where a question comes from (contract/confirmations.md#what-is-shown)', (pages) => {
  const influencedBy: readonly Influence[] = [
    { origin: 'document', title: 'Returns\u202e<b>', foundIn: ['to'] },
    { origin: 'page' },
    { origin: 'page' },
    { origin: 'mcp', title: 'erp', silent: true },
  ];

  // proves wire-9-36, wire-9-37
  it('is folded below values and buttons, with titles in which nothing hides, and a warning says which value came from where', async () => {
    const { page, panel, said, say } = await hearing(pages, (event) =>
      adding('ConfirmationRequested', { influencedBy, canRemember: false })(event),
    );
    await say('Send it');
    const box = panel.locator('.confirmation');
    const based = box.locator('.based-on');
    await based.waitFor();
    const sentence = 'Not from you: Recipient (document “Returns\\u{202E}<b>”).';
    expect(await based.locator('.origin').textContent()).toBe(sentence);
    expect(await based.locator('.origin mark').textContent()).toBe('\\u{202E}');
    expect(await based.getAttribute('class')).toBe('based-on is-foreign');
    expect(await based.locator('summary').textContent()).toBe('Based on 2 sources');
    await expect.poll(() => based.locator('li').first().isVisible()).toBe(false);
    await based.locator('summary').click();
    expect(await based.locator('li').allTextContents()).toEqual(['document “Returns\\u{202E}<b>”', 'this page']);
    const parts = await page.evaluate<string[]>(
      `Array.from(document.querySelector('helper-widget').shadowRoot.querySelector('.confirmation').children, ({ className }) => className)`,
    );
    expect(parts.indexOf('argument-list')).toBeLessThan(parts.indexOf('actions'));
    expect(parts.at(-1)).toBe('based-on is-foreign');
    expect(await descriptionOf(page)).toContain(sentence);
    expect((await said()).join(' ')).toContain(sentence);
    await expect.poll(() => panel.locator('.remember').count()).toBe(0);
    for (const theme of ['default', 'dark', 'minimal']) {
      await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  // proves wire-9-90
  it.each([
    ['mcp', 'A connected tool server does this.'],
    ['hosted', 'The provider of the AI model does this.'],
    ['influenced', 'You are being asked because text from someone else is involved.'],
  ])('says in plain words what the reason %s means', async (reason, words) => {
    const { panel, say } = await hearing(pages, adding('ConfirmationRequested', { reason, influencedBy: undefined }));
    await say('Send it');
    await panel.locator('.confirmation').waitFor();
    expect(await panel.locator('.confirmation .origin').textContent()).toBe(words);
  });

  // proves wire-9-36
  it('is not spoken of where all text is trusted, nor where only the title of the page was read', async () => {
    const { page, panel, say } = await hearing(pages, adding('ConfirmationRequested', { influencedBy: undefined }));
    await say('Send it');
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => panel.locator('.confirmation .based-on').count()).toBe(0);

    const onPage = await hearing(pages, (event) => [event]);
    await onPage.say('Send it');
    await onPage.panel.locator('.confirmation').waitFor();
    await expect.poll(() => onPage.panel.locator('.confirmation .based-on').count()).toBe(0);
    expect((await onPage.said()).join(' ')).not.toContain('this page');
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves wire-9-91
  it('marks the values that are not from the user, until the user changes them', async () => {
    const { page, panel, log, said, say } = await hearing(pages, (event) => {
      if (event.name !== 'ConfirmationRequested') return [event];
      const asked = event.fields['arguments'] as { name: string }[]; // contract/events.md#members
      const marked = asked.map((each) => (each.name === 'to' ? { ...each, notFromUser: true } : each));
      return [{ ...event, fields: { ...event.fields, arguments: marked } }];
    });
    await say('Send it');
    const box = panel.locator('.confirmation');
    await box.waitFor();
    const values = box.locator('dd');
    expect(await values.allTextContents()).toEqual(['eve@evil.examplenot from you', 'Hello']);
    await expect.poll(() => box.getByText('not from you', { exact: true }).isVisible()).toBe(true);
    expect(await descriptionOf(page)).toContain('not from you');
    expect((await said()).join(' ')).toContain('Recipient: eve@evil.example (not from you). Text: Hello. ');
    expect(await axeViolations(page)).toEqual([]);

    await box.getByRole('button', { name: 'Change values' }).click();
    await box.getByLabel('Recipient not from you').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await box.getByLabel('Recipient').fill('ann@shop.example');
    await expect.poll(() => box.getByText('not from you', { exact: true }).isVisible()).toBe(false);
    await box.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Done.').waitFor();
    await box.locator('summary').click();
    await expect.poll(() => box.locator('mark').count()).toBe(0);
    expect(await box.locator('dd.was').textContent()).toContain('eve@evil.example');
  });
});

describeInBrowser('arguments that the action does not declare (contract/confirmations.md#what-is-shown)', (pages) => {
  // proves service-2.6-49
  it('stand last in a frame that says so, also while they are changed and for screen readers', async () => {
    const { page, panel, said, say } = await hearing(pages, (event) => {
      if (event.name !== 'ConfirmationRequested') return [event];
      const asked = event.fields['arguments'] as { name: string }[]; // contract/events.md#members
      const note = { name: 'Recipient', label: 'Recipient', value: 'ACME', undeclared: true };
      return [{ ...event, fields: { ...event.fields, arguments: [...asked, note] } }];
    });
    await say('Send it');
    const box = panel.locator('.confirmation');
    const frame = box.locator('.undeclared');
    await frame.waitFor();
    expect(await frame.textContent()).toBe(
      'Not part of the action’s declaration. The AI chose these names as well:RecipientACME',
    );
    expect(await box.locator('.argument-list > .arguments').textContent()).not.toContain('ACME');
    expect(await descriptionOf(page)).toContain('Not part of the action');
    expect((await said()).join(' ')).toContain(
      'Not part of the action’s declaration. The AI chose these names as well: Recipient: ACME',
    );
    expect(await axeViolations(page)).toEqual([]);
    await box.getByRole('button', { name: 'Change values' }).click();
    await frame.getByLabel('Recipient').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describeInBrowser('the same write again (contract/confirmations.md#rules-in-place-of-the-user)', (pages) => {
  // proves service-2.6-50
  it.each([
    ['done', 'This was already done with the same values ('],
    ['tried', 'This was already tried with the same values ('],
    ['open', 'This was already requested with the same values and is not finished ('],
  ])('is said to be one, in the box and for screen readers: %s', async (state, words) => {
    const { page, panel, said, say } = await hearing(pages, (event) => {
      if (event.name !== 'ConfirmationRequested') return [event];
      return [{ ...event, fields: { ...event.fields, repeats: { state, at: '2026-01-02T03:04:05.000Z' } } }];
    });
    await say('Send it');
    await panel.locator('.confirmation').getByText(words).waitFor();
    expect(await descriptionOf(page)).toContain(words);
    expect((await said()).join(' ')).toContain(words);
  });
});

describeInBrowser('receipts (contract/widget.md#receipts)', (pages) => {
  const each: readonly Receipt[] = [
    receipt('r1', 'Send a note', 'succeeded'),
    receipt('r2', 'Close the case', 'failed'),
    receipt('r3', 'Pay back', 'declined'),
    receipt('r4', 'Delete it', 'refused'),
    receipt('r5', 'Book it', 'cancelled'),
    receipt('r6', 'Ship\u202e it', 'unknown'),
  ];

  // proves wire-9-84
  it('stand below the reply with their status in words and their time, and are read out once', async () => {
    const { page, panel, said, say } = await hearing(pages, adding('TurnCompleted', { receipts: each }), {
      scripts: [saying('I have done everything.')],
    });
    await say('Do it');
    const list = panel.getByRole('group', { name: 'What was done' });
    await list.waitFor();
    const words = [
      'Done: Send a note',
      'Failed: Close the case',
      'Declined: Pay back',
      'Not allowed: Delete it',
      'Cancelled: Book it',
      'Unclear whether it happened, please check: Ship\\u{202E} it',
    ];
    expect(await list.locator('li > span').allTextContents()).toEqual(words);
    await expect.poll(() => list.locator('li svg').count()).toBe(6);
    expect(await list.locator('time').first().getAttribute('datetime')).toBe(at);
    const heard = await said();
    expect(heard.filter((text) => text.includes('Close the case'))).toEqual([
      words.map((word) => `${word}. `).join(''),
    ]);
    expect(heard.findIndex((text) => text.includes('everything'))).toBeLessThan(
      heard.findIndex((text) => text.includes('Close the case')),
    );
    for (const theme of ['default', 'dark', 'minimal']) {
      await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  // proves wire-9-85
  it('say nothing twice: the lines of actions and questions say it already, and say what the receipt says', async () => {
    const calls: string[] = [];
    const { panel, log, say } = await hearing(
      pages,
      (event) => {
        if (event.name === 'ActionExecuting') calls.push(String(event.fields['callId']));
        if (event.name !== 'TurnCompleted') return [event];
        const receipts = [
          receipt(calls[0] ?? '', 'Count', 'unknown'),
          receipt(calls[1] ?? '', 'Send a note', 'succeeded'),
        ];
        return [{ ...event, fields: { ...event.fields, receipts } }];
      },
      { scripts: [calling({ name: 'count', arguments: {} }), asking, saying('All done.')] },
    );
    await say('Do both');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('All done.').waitFor();
    await log.getByText('Unclear whether it happened, please check: Count').waitFor();
    await expect.poll(() => log.getByText('Done: Send a note').count()).toBe(1);
    await expect.poll(() => panel.locator('.receipts').count()).toBe(0);
  });

  // proves wire-9-93
  it('come from the server’s own record, and are there again on the next page', async () => {
    const { url } = await scriptedServer({
      plugin,
      scripts: [calling({ name: 'count', arguments: {} }), saying('I have counted.'), saying('You are welcome.')],
      settings: { enableActionFeedback: false },
    });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Count');
    const list = panel.getByRole('group', { name: 'What was done' });
    await list.waitFor();
    expect(await list.locator('li > span').allTextContents()).toEqual(['Done: Count']);
    await say('Thanks');
    await log.getByText('You are welcome.').waitFor();
    await page.reload();
    await log.getByText('You are welcome.').waitFor();
    await list.waitFor();
    expect(await panel.locator('.receipts li > span').allTextContents()).toEqual(['Done: Count']);
  });

  // proves wire-9-93
  it('are still there on the next page, from the turn’s events and from the kept conversation', async () => {
    const failed = [receipt('r2', 'Close the case', 'failed')];
    const { page, panel, log, say } = await hearing(pages, adding('TurnCompleted', { receipts: failed }), {
      scripts: [saying('It is closed.'), saying('It is still closed.')],
    });
    await say('Close it');
    await log.getByText('It is closed.').waitFor();
    await say('Sure?');
    await log.getByText('It is still closed.').waitFor();
    await page.route('**/helper/session?**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { messages: { role: string; text: string }[] }; // contract/sessions.md#restoring
      // The answer to a message stands at that message.
      const messages = body.messages.map((message, index) => {
        const text = body.messages[index + 1]?.text ?? '';
        const answer = [
          { event: 'TextDelta', text },
          { event: 'TurnCompleted', status: 'completed', text: '', receipts: failed },
        ];
        return message.role === 'user' ? { ...message, answer } : message;
      });
      return route.fulfill({ response, json: { ...body, messages } });
    });
    await page.reload();
    await log.getByText('It is still closed.').waitFor();
    await expect
      .poll(() => panel.locator('.receipts li > span').allTextContents())
      .toEqual(['Failed: Close the case', 'Failed: Close the case']);
  });
});

describeInBrowser('a reply that is withheld or replaced (contract/widget.md#refusals)', (pages) => {
  // proves wire-9-87
  it('changes in place, and is read out once, as it is in the end', async () => {
    const { log, said, say } = await hearing(
      pages,
      (event) => {
        if (event.name !== 'TurnCompleted') return [event];
        const text = 'Nothing was changed.';
        const fields = { turnId: event.fields['turnId'], text };
        return [
          { name: 'TextReplaced', fields },
          { ...event, fields: { ...event.fields, text } },
        ];
      },
      { scripts: [saying('I have closed the case.')] },
    );
    await say('Close it');
    await log.getByText('Nothing was changed.').waitFor();
    await expect.poll(() => log.locator('.from-bot').count()).toBe(1);
    await expect.poll(() => log.getByText('I have closed').count()).toBe(0);
    await expect
      .poll(async () => (await said()).filter((text) => text.includes('changed')))
      .toEqual(['Nothing was changed.']);
    expect((await said()).some((text) => text.includes('I have closed'))).toBe(false);
  });

  const refusing =
    (code: string, message: string, more: object = {}): TellInstead =>
    (event) => {
      if (event.name === 'TextDelta') return [];
      if (event.name !== 'TurnCompleted') return [event];
      const { turnId } = event.fields;
      return [
        { name: 'ErrorOccurred', fields: { turnId, code, message, retryable: false, ...more } },
        { ...event, fields: { ...event.fields, status: 'refused', code, text: '' } },
      ];
    };

  // proves wire-9-86
  it.each(['reply_withheld', 'unsafe_message', 'budget_exceeded', 'safety_check_unavailable', 'rate_limited'])(
    '%s is told calmly, in the words of the server, and offers to try again only where that helps',
    async (code) => {
      const { page, panel, said, say } = await hearing(pages, refusing(code, 'Please rephrase your question.'), {
        scripts: [saying('Secret.'), saying('Secret.')],
      });
      await say('Tell me');
      const notice = panel.locator('.notice');
      await notice.waitFor();
      expect(await notice.getAttribute('class')).toBe('notice is-refusal');
      await expect.poll(() => notice.getByRole('button').count()).toBe(0);
      expect((await said()).filter((text) => text.includes('rephrase'))).toEqual(['! Please rephrase your question.']);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  // proves wire-9-86
  it('offers to try again where the server says so, and a failure stays a failure', async () => {
    const { panel, say } = await hearing(pages, refusing('model_unavailable', 'Try later.', { retryable: true }), {
      scripts: [saying('x')],
    });
    await say('Tell me');
    const notice = panel.locator('.notice');
    await notice.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await notice.getAttribute('class')).toBe('notice is-server');
  });

  // proves wire-9-89
  it('says when a spent budget is renewed, in the user’s time', async () => {
    const budget: RemainingBudget = { remaining: 0, unit: 'tokens', resetsAt: '2126-11-24T09:30:00Z' };
    const refused = refusing('budget_exceeded', 'That was all for now.', { budget });
    const { panel, say, said } = await hearing(pages, refused, {
      scripts: [saying('x')],
      page: { timezoneId: 'Asia/Tokyo' },
    });
    await say('Tell me');
    await panel.locator('.notice').waitFor();
    expect(await panel.locator('.notice p').allTextContents()).toEqual([
      'That was all for now.',
      'In your own time: 24 Nov 2126, 18:30.',
    ]);
    await expect.poll(said).toContain('! That was all for now. In your own time: 24 Nov 2126, 18:30.');
  });
});

describeInBrowser('the remaining budget (contract/widget.md#budget)', (pages) => {
  const settings = (event: Parameters<TellInstead>[0], budget: RemainingBudget): ReturnType<TellInstead> => {
    if (event.name !== 'Connected') return [event];
    return [{ ...event, fields: { ...event.fields, settings: { ...(event.fields['settings'] as object), budget } } }];
  };

  // proves wire-9-88
  it('can be looked up in the menu by whoever has one, and by nobody else', async () => {
    const budget: RemainingBudget = { remaining: 12_300, unit: 'tokens', resetsAt: '2126-11-24T09:30:00Z' };
    const { page, panel, log, say, openMenu, choose } = await hearing(pages, (event) => settings(event, budget), {
      scripts: [saying('Hello.')],
      page: { timezoneId: 'Asia/Tokyo' },
    });
    expect(await (await openMenu()).getByText('Remaining budget').count()).toBe(0);
    await page.keyboard.press('Escape');
    await say('Hi');
    await log.getByText('Hello.').waitFor();
    await choose('Remaining budget');
    const view = panel.getByRole('dialog', { name: 'Remaining budget' });
    await view.waitFor();
    expect(await view.locator('.kept-fact').allTextContents()).toEqual([
      'Tokens left: 12,300',
      'Renews on 24 Nov 2126, 18:30',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => view.count()).toBe(0);
    // The transcript does not show the budget unless the user asks for it.
    await expect.poll(() => log.getByText('12,300').count()).toBe(0);
  });

  // proves wire-9-88
  it('is the server’s, and a message over it is told when it begins anew', async () => {
    const { url } = await scriptedServer({
      plugin,
      scripts: [saying('Hello.')],
      settings: { budgets: [{ per: 'day', tokens: 10, then: 'refuse' }] },
    });
    const { panel, log, openPanel, say, choose } = await pages.open(url);
    await openPanel();
    await say('Hi');
    await log.getByText('Hello.').waitFor();
    await choose('Remaining budget');
    await panel.getByText('Tokens left: 10').waitFor();
    await panel.getByRole('button', { name: 'Back to the chat' }).click();
    await say('And more');
    const notice = panel.locator('.notice.is-refusal');
    await notice.waitFor();
    const [said = '', when = ''] = await notice.locator('p').allTextContents();
    expect(said).toContain('Your budget for the assistant is used up.');
    expect(when).toMatch(/^In your own time: .*\d\d:\d\d\.$/);
    await choose('Remaining budget');
    await panel.getByText('Tokens left: 0').waitFor();
  });

  // proves wire-9-88
  it('is no button without a budget, and over once it is renewed', async () => {
    const without = await hearing(pages, (event) => [event], { scripts: [saying('Hello.')] });
    await without.say('Hi');
    await without.log.getByText('Hello.').waitFor();
    expect(await (await without.openMenu()).getByText('Remaining budget').count()).toBe(0);

    const budget: RemainingBudget = { remaining: 0.5, unit: 'cost', resetsAt: '2020-01-01T00:00:00Z' };
    const renewed = await hearing(pages, (event) => settings(event, budget), { scripts: [saying('Hello.')] });
    await renewed.say('Hi');
    await renewed.log.getByText('Hello.').waitFor();
    await renewed.choose('Remaining budget');
    await renewed.panel.getByText('Your full budget is available again.').waitFor();
  });
});

describeInBrowser('what stands beside replies (contract/widget.md#the-script)', (pages) => {
  // proves wire-9-92
  it('is loaded with the first that needs it, and can be asked for again when it cannot be fetched', async () => {
    const { page, panel, log, say } = await hearing(pages, (event) => [event], {
      scripts: [saying('Hello.'), asking, saying('Done.')],
    });
    const chunks: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/beside-')) chunks.push(request.url());
    });
    await page.route('**/beside-*', (route) => route.abort(), { times: 1 });
    await say('Hi');
    await log.getByText('Hello.').waitFor();
    expect(chunks).toEqual([]);
    await say('Send it');
    await log.getByText('Part of this could not be loaded.').waitFor();
    await log.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Done.').waitFor();
    expect(chunks.length).toBe(2);
  });

  // proves wire-26-01
  it('is announced once it has come', async () => {
    const { page, log, say, said } = await hearing(pages, (event) => [event]);
    await page.route('**/beside-*', (route) => route.abort(), { times: 1 });
    await say('Send it');
    await log.getByText('Part of this could not be loaded.').waitFor();
    const question =
      '! Confirmation needed: Send a note. Recipient: eve@evil.example. Text: Hello. Press F6 to go to it.';
    await expect.poll(said).toContain('Part of this could not be loaded.');
    expect(await said()).not.toContain(question);
    await log.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(said).toContain(question);
  });
});
