import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { arrive, picture } from '../support/pictures.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';

function seeing(settings: object = {}, client: object = {}): Promise<ScriptedServer> {
  return scriptedServer({
    scripts: [saying('A cat.'), saying('Another cat.')],
    settings: { enableImageInput: true, client: { enableImageInput: true, ...client }, ...settings },
  });
}

/** The accessible name of the element in the widget that has the focus. */
const focused = `document.querySelector('helper-widget').shadowRoot.activeElement?.getAttribute('aria-label')`;

/** The pictures of a request to the model. */
async function sentPictures({ model }: ScriptedServer, index = 0): Promise<readonly string[]> {
  const text = JSON.stringify((await model.request(index)).body['messages']);
  return [...text.matchAll(/"url":"(data:[^"]*)"/g)].map(([, url]) => url ?? '');
}

describeInBrowser('pictures with a message (contract/images.md and contract/widget.md#pictures)', (pages) => {
  // proves service-2.20-05
  it('are picked, shown, removed by the keyboard, sent and seen in the transcript, and axe finds nothing', async () => {
    const server = await seeing();
    const { page, panel, log, composer, openPanel, messages } = await pages.open(server.url, { bypassCSP: true });
    await openPanel();
    const tray = panel.getByRole('list', { name: 'Pictures' });
    await expect.poll(() => tray.count()).toBe(0);
    const cat = await picture(page);
    const dog = await picture(page, { name: 'dog.png' });
    const chooser = page.waitForEvent('filechooser');
    await panel.getByRole('button', { name: 'Add pictures' }).press('Enter');
    await (await chooser).setFiles([cat, dog]);
    await tray.getByRole('img', { name: 'dog.png' }).waitFor();
    expect(await page.evaluate(focused)).toBe('Your message');
    expect(await axeViolations(page)).toEqual([]);
    await tray.getByRole('button', { name: 'Remove cat.png' }).press('Enter');
    await expect.poll(() => tray.getByRole('img').count()).toBe(1);
    expect(await page.evaluate(focused)).toBe('Remove dog.png');
    await composer.fill('What is this?');
    await composer.press('Enter');
    await log.getByText('A cat.').waitFor();
    await expect.poll(() => tray.count()).toBe(0);
    await log.getByRole('img', { name: 'dog.png' }).waitFor();
    expect(await sentPictures(server)).toEqual([`data:image/png;base64,${dog.buffer.toString('base64')}`]);
    expect(await axeViolations(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it.each(['paste', 'drop'] as const)('come by %s, need no text and no policy for images', async (how) => {
    const server = await seeing();
    // The demo page allows no blob: and no data: image.
    const { page, panel, log, openPanel, messages } = await pages.open(server.url);
    await openPanel();
    await arrive(page, how, await picture(page));
    await panel.getByRole('list', { name: 'Pictures' }).getByRole('img', { name: 'cat.png' }).waitFor();
    await panel.getByRole('button', { name: 'Send' }).click();
    await log.getByRole('img', { name: 'cat.png' }).waitFor();
    expect(await sentPictures(server)).toHaveLength(1);
    expect(messages).toEqual([]);
  });

  it('stay where a text was pasted that brings its picture along', async () => {
    const { url } = await seeing();
    const { page, panel, openPanel } = await pages.open(url);
    await openPanel();
    await arrive(page, 'paste', await picture(page), 'A1\tB1');
    await arrive(page, 'paste', await picture(page, { name: 'meant.png' }));
    await panel.getByRole('img', { name: 'meant.png' }).waitFor();
    await expect.poll(() => panel.getByRole('list', { name: 'Pictures' }).getByRole('img').count()).toBe(1);
  });

  it('are made smaller until the server takes them', async () => {
    const server = await seeing({ maxImageBytes: 60_000 });
    const { page, panel, openPanel, log } = await pages.open(server.url);
    await openPanel();
    const large = await picture(page, { side: 700, isNoise: true });
    expect(large.buffer.length).toBeGreaterThan(1_000_000);
    await arrive(page, 'drop', large);
    await panel.getByRole('img', { name: 'cat.png' }).waitFor();
    await panel.getByRole('button', { name: 'Send' }).click();
    await log.getByText('A cat.').waitFor();
    const [sent = ''] = await sentPictures(server);
    expect(sent).toMatch(/^data:image\/jpeg;base64,/);
    expect(Buffer.from(sent.replace(/^[^,]*,/, ''), 'base64').length).toBeLessThanOrEqual(60_000);
  });

  // proves service-2.20-06
  it('are refused with a reason beside the text: wrong types, too many, and what cannot be made small enough', async () => {
    const { url } = await seeing({ maxImagesPerMessage: 1, maxImageBytes: 100 });
    const { page, panel, composer, openPanel } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    const error = panel.locator('#composer-error');
    await arrive(page, 'drop', { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('%PDF-1.7 no picture') });
    await error.getByText('a.png is not a picture that can be sent.').waitFor();
    expect(await composer.getAttribute('aria-describedby')).toBe('composer-error');
    expect(await axeViolations(page)).toEqual([]);
    const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('no picture') });
    await arrive(page, 'drop', ['b.svg', 'c.pdf', 'd', 'e', 'f'].map(text));
    await error.getByText('b.svg is not a picture that can be sent. c.pdf is not a picture').waitFor();
    expect(await error.textContent()).toMatch(/e is not a picture that can be sent\. …$/);
    await arrive(page, 'drop', await picture(page, { name: 'noise.png', side: 300, isNoise: true }));
    await error.getByText('noise.png is too large: at most 0.01 MB.').waitFor();
    await arrive(page, 'drop', await picture(page, { name: 'dot.png', side: 1 }));
    await panel.getByRole('img', { name: 'dot.png' }).waitFor();
    await arrive(page, 'drop', await picture(page, { side: 1 }));
    await error.getByText('Too many pictures. The limit is 1 per message.').waitFor();
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.locator('.log').getByRole('img', { name: 'dot.png' }).waitFor();
    expect(await error.textContent()).toBe('');
  });

  it('come back to the composer with the text when the server refuses the message', async () => {
    const server = await seeing({ rateLimitPerUser: 1 });
    const { page, panel, log, composer, openPanel, say } = await pages.open(server.url);
    await openPanel();
    await say('Hello');
    await log.getByText('A cat.').waitFor();
    await arrive(page, 'drop', await picture(page));
    const tray = panel.getByRole('list', { name: 'Pictures' });
    await tray.getByRole('img', { name: 'cat.png' }).waitFor();
    await say('What is this?');
    await log.getByText('You have sent many messages').waitFor();
    await tray.getByRole('img', { name: 'cat.png' }).waitFor();
    await expect.poll(() => composer.inputValue()).toBe('What is this?');
  });

  it('are taken when the panel opens again where their code could not be fetched, and no dropped file takes the page’s place', async () => {
    const { url } = await seeing();
    const { page, panel, openPanel } = await pages.open(url);
    await page.route(/images-\w+\.js/, (route) => route.abort(), { times: 1 });
    await Promise.all([page.waitForEvent('requestfailed'), openPanel()]);
    const isKept = await page.evaluate<boolean>(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'cat.png'));
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, composed: true, dataTransfer });
      !document.querySelector('helper-widget').shadowRoot.querySelector('textarea').dispatchEvent(drop);
    }`);
    expect(isKept).toBe(true);
    const add = panel.getByRole('button', { name: 'Add pictures' });
    await expect.poll(() => add.count()).toBe(0);
    await panel.getByRole('button', { name: 'Close chat' }).click();
    await openPanel();
    await add.waitFor();
  });

  it('speak the language of the widget', async () => {
    const { url } = await seeing({ language: 'Polish' });
    const { page, panel, openPanel } = await pages.open(url);
    await openPanel();
    await arrive(page, 'drop', await picture(page));
    await panel.getByRole('button', { name: 'Usuń cat.png' }).waitFor();
  });

  // proves service-2.20-05
  it.each([
    ['unless the server takes them too', { HELPER__CLIENT__ENABLEIMAGEINPUT: 'true' }],
    ['unless the widget is to take them', { HELPER__ENABLEIMAGEINPUT: 'true' }],
  ])('are not offered %s', async (_title, overrides) => {
    const { url } = await realServer(overrides);
    const { panel, openPanel } = await pages.open(url);
    await openPanel();
    await expect.poll(() => panel.getByRole('button', { name: 'Add pictures' }).count()).toBe(0);
  });
});
