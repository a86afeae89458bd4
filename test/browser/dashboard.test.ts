import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import type { AdminMetrics } from '../../src/wire/admin-metrics.ts';
import { languages, languageTags } from '../../src/wire/client-settings.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { dashboardServer } from '../support/dashboard-server.ts';
import { casesOf, isShortLanguage } from '../support/run/tier.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const open = { HELPER__DASHBOARDROLE: '' };
const cookie = 'shop_token';
const guarded = { HELPER__AUTH__JWT__SECRET: tokenSecret, HELPER__AUTH__JWT__COOKIE: cookie };
const admin = await makeToken({ sub: 'ann', role: 'Admin' });
const clerk = await makeToken({ sub: 'bob', role: 'Clerk' });

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const figuresShown = (page: Page): Promise<void> => page.locator('figure svg').first().waitFor();

/** The value of a tile by its title. */
const tile = (page: Page, title: string): Promise<string | null> =>
  page
    .locator('.tile', { has: page.getByText(title, { exact: true }) })
    .locator('.value')
    .textContent();

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Show dashboard' }).click();
}

describeInBrowser('whoever opens the dashboard (contract/operations.md#dashboard)', (pages) => {
  // proves service-2.15-34
  it('signed out, is told to sign in, and with a token sees the figures until it is forgotten', async () => {
    const { url } = await dashboardServer(guarded);
    const { page } = await pages.open(`${url}/helper/admin`);
    await page.getByText('These figures are for signed-in users.').waitFor();
    await expect.poll(() => page.locator('figure').count()).toBe(0);
    await signIn(page, `Bearer ${admin}`);
    await figuresShown(page);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    // The token is kept only in the page's memory.
    expect(page.url()).not.toContain(admin);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
      '[{},{},""]',
    );
    await page.getByRole('button', { name: 'Discard the token' }).click();
    await page.getByText('These figures are for signed-in users.').waitFor();
    await expect.poll(() => page.locator('figure').count()).toBe(0);
  });

  // proves service-2.15-34
  it('with a token that is not valid is told so, and can try another', async () => {
    const { url } = await dashboardServer(guarded);
    const { page } = await pages.open(`${url}/helper/admin`);
    await signIn(page, 'eyJ.not.one');
    await page.getByText('This token is invalid or has expired.').waitFor();
    await signIn(page, admin);
    await figuresShown(page);
  });

  // proves configuration-7-65
  it('in a tenant, is told whose figures these are, and sees those of nobody else and no warnings', async () => {
    const { url } = await dashboardServer({ ...guarded, HELPER__TENANCY__CLAIM: 'org' });
    const { page } = await pages.open(`${url}/helper/admin`);
    await signIn(page, await makeToken({ sub: 'ann', role: 'Admin', org: 'Nord & <b>Wind</b>' }));
    const about = page.getByRole('region', { name: 'This server' });
    await about.waitFor();
    const facts = await about.locator('.facts > div').allTextContents();
    expect(facts[0]).toBe('TenantNord & <b>Wind</b>');
    expect(await about.getByRole('heading', { level: 3 }).allTextContents()).toHaveLength(1);
    expect(await tile(page, 'Turns')).toBe('0');
    await expect.poll(() => page.getByText('cancel_order').count()).toBe(0);
  });

  // proves service-2.15-34
  it('without the role is told which one, and is not asked for again and again', async () => {
    const { url } = await dashboardServer({ ...guarded, HELPER__DASHBOARDROLE: 'Operations' });
    const { page } = await pages.open('about:blank');
    await page.clock.install();
    await page.goto(`${url}/helper/admin`);
    await signIn(page, clerk);
    await page.getByText('you do not have the role Operations').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.fastForward(120_000);
    await page.clock.runFor(1000);
    expect(asked).toEqual([]);
  });

  // proves service-2.15-34
  it('signed in by the cookie of the application, sees the figures at once', async () => {
    const { url } = await dashboardServer(guarded);
    const { page, messages } = await pages.open('about:blank');
    await page.context().addCookies([{ name: cookie, value: admin, url, httpOnly: true }]);
    await page.goto(`${url}/helper/admin`);
    await figuresShown(page);
    await expect.poll(() => page.getByRole('button', { name: 'Discard the token' }).count()).toBe(0);
    expect(messages).toEqual([]);
  });

  // proves service-2.15-34
  it('where nobody can sign in, is told what to set, in the language of the configuration', async () => {
    const { url } = await dashboardServer({ HELPER__LANGUAGE: 'German' });
    const { page } = await pages.open(`${url}/helper/admin`);
    await page.getByText('Niemand kann sich anmelden').waitFor();
    await expect.poll(() => page.locator('form').count()).toBe(0);
  });
});

describeInBrowser('the figures on the dashboard (contract/operations.md#dashboard)', (pages) => {
  // proves service-2.15-35, service-2.15-43
  it.each([
    ['Last hour', 'hour', 12],
    ['24 hours', 'day', 24],
    ['7 days', 'week', 168],
  ] as const)('are of the range "%s" that is chosen, and the address keeps it', async (title, range, hours) => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin`, { bypassCSP: true });
    await figuresShown(page);
    const answered = page.waitForResponse((response) => response.url().includes('/metrics?'));
    await page.getByRole('button', { name: title }).click();
    if (range !== 'day') {
      const metrics = (await (await answered).json()) as AdminMetrics; // contract/operations.md#dashboard
      expect(metrics.hourly).toHaveLength(hours);
      const turns = new Intl.NumberFormat('en').format(metrics.totals.turns);
      await expect.poll(() => tile(page, 'Turns')).toBe(turns);
    }
    expect(await page.getByRole('button', { name: title }).getAttribute('aria-pressed')).toBe('true');
    expect(new URL(page.url()).searchParams.get('range')).toBe(range);
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
    await figuresShown(page);
    expect(await page.locator('[aria-pressed="true"]').textContent()).toBe(title);
  });

  it('are compared with the time before where that is kept', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin?range=week`);
    await figuresShown(page);
    const note = page.locator('.tile', { has: page.getByText('Turns', { exact: true }) }).locator('.note');
    await expect.poll(() => note.textContent()).toMatch(/^[+-]?\d+% vs. the previous period$/);
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.getByText('Every 5 minutes').waitFor();
    await expect.poll(() => page.getByText('Not compared:').count()).toBe(0);
  });

  it('are called not compared where the time before is not kept', async () => {
    const { url } = await dashboardServer(open, 7);
    const { page } = await pages.open(`${url}/helper/admin?range=week`);
    await figuresShown(page);
    await page.getByText('Not compared: figures of the previous period are not kept').waitFor();
    const note = page.locator('.tile', { has: page.getByText('Turns', { exact: true }) }).locator('.note');
    await expect.poll(() => note.count()).toBe(0);
    await page.getByRole('button', { name: '24 hours' }).click();
    await expect.poll(() => note.count()).toBe(1);
    await expect.poll(() => page.getByText('Not compared:').count()).toBe(0);
  });

  // proves service-2.15-44
  it('are of confirmations by action, visits, saved conversations and what is switched on, too', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    const metrics = (await (await fetch(`${url}/helper/admin/metrics`)).json()) as AdminMetrics; // contract/operations.md#dashboard
    const cellsOf = async (table: string, row: string): Promise<readonly string[]> =>
      page.getByRole('table', { name: table }).getByRole('row', { name: row }).getByRole('cell').allTextContents();
    const [, cancel] = metrics.actionConfirmations;
    const counts = [cancel?.asked, cancel?.approved, cancel?.declined, cancel?.byRule, cancel?.expired];
    expect((await cellsOf('Confirmations by action', 'cancel_order')).slice(0, 5)).toEqual(counts.map(String));
    const [hub] = metrics.connections;
    const visits = ['0', '–', hub?.peak, hub?.opened, hub?.returned].map(String);
    expect(await cellsOf('Connections', 'hub')).toEqual([...visits, '5 min']);
    const refused = metrics.snapshots.find(({ what }) => what === 'refused');
    expect(await cellsOf('Saved conversations', 'Refused')).toEqual(['too_old', String(refused?.count)]);
    const cached = new Intl.NumberFormat('en').format(metrics.models[0]?.cachedInputTokens ?? 0);
    expect(await cellsOf('Models', 'large')).toContain(cached);
    await page.getByText('count at their price').waitFor();
    const about = page.getByRole('region', { name: 'This server' });
    expect(await about.locator('.options li').allTextContents()).toEqual(metrics.server.options);
    expect(metrics.server.warnings.length).toBeGreaterThan(0);
    expect(await about.locator('.warnings dd').allTextContents()).toEqual(
      metrics.server.warnings.map(({ message }) => message),
    );
  });

  // proves service-2.15-49
  it('are of folders of documents, and name what is not read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-dashboard-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'plan.dwg'), 'AC1032');
    const sources = JSON.stringify([{ type: 'files', name: 'handbook', path: folder }]);
    const { url } = await dashboardServer({ ...open, HELPER__USERAG: 'true', HELPER__RAGSOURCES: sources });
    const { page } = await pages.open(`${url}/helper/admin`);
    const counts = page.getByRole('table', { name: 'Document folders' }).getByRole('row', { name: 'handbook' });
    // The folder is read in the background, and the page asks again after a while.
    await expect
      .poll(async () => {
        await page.reload();
        await figuresShown(page);
        return counts.getByRole('cell').allTextContents();
      })
      .toEqual(['0', '0', '1']);
    const left = page.getByRole('table', { name: 'Skipped documents' }).getByRole('row', { name: 'plan.dwg' });
    expect((await left.getByRole('cell').allTextContents())[0]).toBe('handbook');
  });

  // proves service-2.15-42
  it('are pictures that say what they show, with the same numbers in a table', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    const figure = page.getByRole('figure', { name: 'Turns by channel' });
    const picture = figure.getByRole('img');
    expect(await picture.getAttribute('aria-label')).toMatch(
      /^Turns by channel since .+\. Highest: hub: \d+; sse: \d+\.$/,
    );
    await figure.getByText('Show the numbers').click();
    const rows = figure.locator('tbody tr');
    const metrics = (await (await fetch(`${url}/helper/admin/metrics`)).json()) as AdminMetrics; // contract/operations.md#dashboard
    const hours = metrics.hourly.filter(({ turns }) => turns > 0);
    await expect.poll(() => rows.count()).toBe(hours.length);
    const cells = await rows.first().locator('td').allTextContents();
    expect(cells.toSorted()).toEqual(
      Object.values(hours[0]?.channels ?? {})
        .map(String)
        .toSorted(),
    );
    // A model without a price has no line, and no cost.
    const costs = page.getByRole('figure', { name: 'Cost by model' }).locator('.legend li');
    expect(await costs.allTextContents()).toEqual(['large']);
    const small = page.getByRole('row', { name: /^small/ });
    await expect.poll(() => small.getByRole('cell', { name: 'no price' }).count()).toBe(1);
  });

  // proves service-2.15-37
  it('are told of the moment, and again after 15 seconds', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open('about:blank');
    await page.clock.install();
    await page.goto(`${url}/helper/admin`);
    await figuresShown(page);
    expect(await tile(page, 'Open questions')).toBe('0');
    const turn = await openSse(`${url}/helper/chat`, { body: { message: 'Cancel order 1002' } });
    await turn.next('confirmation');
    await page.clock.fastForward(15_000);
    await expect.poll(() => tile(page, 'Open questions')).toBe('1');
    expect(await tile(page, 'Running turns')).toBe('1');
    await page.getByText(/^the oldest for /).waitFor();
    turn.close();
  });

  it('stay while the server does not answer, are called old after the second time, and come back', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open('about:blank');
    await page.clock.install();
    await page.goto(`${url}/helper/admin`);
    await figuresShown(page);
    let failed = 0;
    await page.route('**/metrics?*', (route) => {
      failed += 1;
      return route.abort();
    });
    const stale = page.getByText('The server does not answer.');
    await page.clock.fastForward(15_000);
    await expect.poll(() => failed).toBe(1);
    await expect.poll(() => stale.count()).toBe(0);
    await expect
      .poll(async () => {
        await page.clock.fastForward(15_000);
        return stale.count();
      })
      .toBe(1);
    await expect.poll(() => page.locator('figure svg').count()).toBeGreaterThan(0);
    await page.unroute('**/metrics?*');
    await expect
      .poll(async () => {
        await page.clock.fastForward(15_000);
        return stale.count();
      })
      .toBe(0);
  });

  it('are not read while nobody sees the page, and at once when somebody does', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open('about:blank');
    await page.clock.install();
    await page.goto(`${url}/helper/admin`);
    await figuresShown(page);
    const show = (hidden: boolean): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${String(hidden)} });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await show(true);
    let asked = 0;
    page.on('request', () => (asked += 1));
    await page.clock.fastForward(60_000);
    await page.clock.runFor(1000);
    expect(asked).toBe(0);
    await show(false);
    await expect.poll(() => asked).toBeGreaterThan(0);
  });

  // proves wire-21-40
  it('are in sections that the contents lead to, of an application that is named', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    expect(await page.locator('h1').textContent()).toBe('DashboardHelper – Order desk');
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(await links.allTextContents()).toEqual(titles);
    await page.getByRole('link', { name: 'Errors and limits' }).click();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await expect.poll(() => page.getByText('Nothing was answered').count()).toBe(0);
  });

  // proves wire-21-40
  it('say what to do while there are none, and offer no empty file', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { dashboardRole: '' } });
    const { page } = await pages.open(`${url}/helper/admin`);
    await page.getByText('There was no traffic in this range.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'as CSV' }).count()).toBe(0);
    await page.getByText('No data in this range: Actions, Confirmations by action, Confirmations').waitFor();
  });

  // proves wire-21-41
  it('are told for the place under the pointer, and for those that the arrow keys lead to', async () => {
    const { url } = await dashboardServer(open);
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    const picture = page.getByRole('group', { name: 'Turns by channel: arrow keys show the values' });
    const told = picture.locator('.chosen-values');
    await picture.focus();
    await picture.press('End');
    const last = await told.textContent();
    await picture.press('ArrowLeft');
    await expect.poll(() => told.textContent()).toMatch(/ · hub: \d+ · sse: \d+$/);
    expect(await told.textContent()).not.toBe(last);
    await page.getByRole('heading', { level: 1 }).click();
    await picture.hover();
    await expect.poll(() => told.textContent()).toMatch(/ · hub: \d+ · sse: \d+$/);
  });

  // proves wire-21-42
  it('are costs in the currency of the prices, where it is configured', async () => {
    const { url } = await dashboardServer({ ...open, HELPER__MODELPRICINGCURRENCY: 'EUR' });
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    expect(await tile(page, 'Estimated cost')).toMatch(/^€\d/);
    const plain = await pages.open(`${(await dashboardServer(open, 2)).url}/helper/admin`);
    await figuresShown(plain.page);
    expect(await tile(plain.page, 'Estimated cost')).toMatch(/^\d/);
  });

  // proves wire-21-43
  it('are the states of MCP servers, too', async () => {
    const servers = JSON.stringify([{ name: 'tally', serverUrl: 'http://127.0.0.1:1/mcp' }]);
    const { url } = await dashboardServer({ ...open, HELPER__MCPSERVERS: servers }, 2);
    const { page } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    await expect.poll(() => tile(page, 'MCP server tally')).toMatch(/^(?:connecting|not reachable)$/);
  });

  // proves service-2.15-36
  it('can be saved, each table as CSV and all as JSON', async () => {
    const { url } = await dashboardServer(open);
    const { page, messages } = await pages.open(`${url}/helper/admin`);
    await figuresShown(page);
    const saved = async (button: string): Promise<{ readonly name: string; readonly text: string }> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await text(await download.createReadStream()) };
    };
    const csv = await saved('Models as CSV');
    expect(csv.name).toBe('helper-models.csv');
    expect(csv.text.split('\r\n')[0]).toBe('model,calls,inputTokens,outputTokens,cachedInputTokens,cost,errors,p95');
    expect(csv.text).toContain('\r\nlarge,');
    const json = await saved('All figures as JSON');
    expect(JSON.parse(json.text)).toMatchObject({ channels: [{ channel: 'hub' }, { channel: 'sse' }] });
    expect(messages).toEqual([]);
  });

  // proves service-2.15-31, configuration-4-16
  it('show names as they are: none becomes markup', async () => {
    const { url } = await scriptedServer({
      scripts: [saying('Hi.')],
      settings: {
        dashboardRole: '',
        models: {
          main: {
            provider: 'openai',
            baseUrl: 'http://127.0.0.1:1/v1',
            model: '<img src=x onerror=alert(1)>',
            apiKey: 'none',
            maxRetries: 0,
          },
        },
      },
    });
    await (
      await openSse(`${url}/helper/chat`, { body: { message: 'hello' } })
    ).closed;
    const { page, messages } = await pages.open(`${url}/helper/admin`);
    for (const name of ['Models', 'Model errors']) {
      const table = page.getByRole('table', { name, exact: true });
      await table.getByRole('rowheader', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    }
    await expect.poll(() => page.locator('main img').count()).toBe(0);
    expect(messages).toEqual([]);
  });
});

describeInBrowser('the kill switch on the dashboard (contract/operations.md#kill-switch)', (pages) => {
  // proves wire-21-44
  it('refuses all changes after a question, and allows them again', async () => {
    const { url } = await dashboardServer(guarded, 2);
    const readiness = async (): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
    const { page, messages } = await pages.open('about:blank', { bypassCSP: true });
    await page.context().addCookies([{ name: cookie, value: admin, url, httpOnly: true }]);
    await page.goto(`${url}/helper/admin`);
    const section = page.getByRole('region', { name: 'Kill switch' });
    await section.getByText('Off: actions run as usual.').waitFor();
    await section.getByRole('button', { name: 'Refuse all changes' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('From now on every action').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await readiness()).not.toHaveProperty('killSwitch');
    await section.getByRole('button', { name: 'Refuse all changes' }).click();
    await question.getByRole('button', { name: 'Refuse all changes' }).click();
    await section.getByText('On: no action that changes something runs.').waitFor();
    expect(await readiness()).toMatchObject({ killSwitch: { writes: true } });
    await section.getByRole('button', { name: 'Allow changes again' }).click();
    await question.getByRole('button', { name: 'Allow changes again' }).click();
    await section.getByText('Off: actions run as usual.').waitFor();
    expect(messages).toEqual([]);
  });

  // proves wire-21-44
  it('is shown and cannot be set where nobody signs in', async () => {
    const { url } = await dashboardServer(open, 2);
    const { page } = await pages.open(`${url}/helper/admin`);
    await page.getByText('Off: actions run as usual.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Refuse all changes' }).count()).toBe(0);
  });
});

describeInBrowser('the look of the dashboard (contract/operations.md#dashboard)', (pages) => {
  // proves service-2.15-42
  it.each(casesOf('languages of the dashboard', languages, isShortLanguage))(
    'in %s: axe-core finds nothing, and nothing is wider than a phone',
    async (language) => {
      const { url } = await dashboardServer(open, 2);
      const tag = languageTags[language];
      const { page, messages } = await pages.open(`${url}/helper/admin?range=hour`, {
        bypassCSP: true,
        viewport: { width: 320, height: 800 },
      });
      await figuresShown(page);
      await page.locator('header select').selectOption(language);
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(tag);
      const title = await page.locator('h1').textContent();
      expect(await page.title()).toMatch(/^.+ – Order desk$/);
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(overflow)).toBe(0);
      // The address keeps the language.
      await page.reload();
      await figuresShown(page);
      expect(await page.locator('h1').textContent()).toBe(title);
      expect(messages).toEqual([]);
    },
  );

  it('is in the language of the browser where the configuration names none', async () => {
    const { url } = await dashboardServer(open, 2);
    const { page } = await pages.open(`${url}/helper/admin`, { locale: 'pl-PL' });
    await page.getByRole('heading', { name: 'Pulpit' }).waitFor();
  });

  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [1280, 320].map((width) => ({ colorScheme, width })),
  );
  const isShort = ({ colorScheme, width }: (typeof looks)[number]): boolean =>
    (colorScheme === 'dark') === (width === 320);
  it.each(casesOf('looks of the dashboard', looks, isShort))(
    'axe-core finds nothing, $colorScheme, in $width pixels, signed in and signed out',
    async ({ colorScheme, width }) => {
      const [shown, asking] = [await dashboardServer(open), await dashboardServer(guarded, 2)];
      const look = { bypassCSP: true, colorScheme, viewport: { width, height: 800 } };
      const { page } = await pages.open(`${shown.url}/helper/admin`, look);
      await figuresShown(page);
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(overflow)).toBe(0);
      const { page: signedOut } = await pages.open(`${asking.url}/helper/admin`, look);
      await signedOut.locator('form').waitFor();
      expect(await axeViolations(signedOut)).toEqual([]);
    },
  );
});
