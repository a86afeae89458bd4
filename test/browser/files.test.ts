import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { pdfOf } from '../support/office-files.ts';
import { arrive, type PickedFile, picture } from '../support/pictures.ts';
import { saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';

function reading(settings: object = {}, client: object = {}): Promise<ScriptedServer> {
  return scriptedServer({
    scripts: [saying('It was read.'), saying('So was this.')],
    settings: { enableFileInput: true, client: { enableFileInput: true, ...client }, ...settings },
  });
}

function file(name: string, content: string | Buffer = 'some words', mimeType = 'text/plain'): PickedFile {
  return { name, mimeType, buffer: Buffer.from(content) };
}

/** The accessible name of the element in the widget that has the focus. */
const focused = `document.querySelector('helper-widget').shadowRoot.activeElement?.getAttribute('aria-label')`;

async function sentIn({ model }: ScriptedServer, index = 0): Promise<string> {
  return JSON.stringify((await model.request(index)).body['messages']);
}

describeInBrowser('files with a message (contract/widget.md#files)', (pages) => {
  // proves wire-23-10
  it('are picked, shown as chips, removed by the keyboard, sent and seen in the transcript, and axe finds nothing', async () => {
    const server = await reading();
    const { page, panel, log, composer, openPanel, messages } = await pages.open(server.url, { bypassCSP: true });
    await openPanel();
    const tray = panel.getByRole('list', { name: 'Files' });
    await expect.poll(() => tray.count()).toBe(0);
    const chooser = page.waitForEvent('filechooser');
    await panel.getByRole('button', { name: 'Add files' }).press('Enter');
    await (
      await chooser
    ).setFiles([
      file('contract.pdf', pdfOf('Three months of notice'), 'application/pdf'),
      file('notes.md', '# Ship on Friday', ''),
    ]);
    await tray.getByText('notes.md').waitFor();
    expect(await page.evaluate(focused)).toBe('Your message');
    expect(await axeViolations(page)).toEqual([]);
    await tray.getByRole('button', { name: 'Remove notes.md' }).press('Enter');
    await expect.poll(() => tray.getByRole('listitem').count()).toBe(1);
    expect(await page.evaluate(focused)).toBe('Remove contract.pdf');
    await composer.fill('What is in it?');
    await composer.press('Enter');
    await log.getByText('It was read.').waitFor();
    await expect.poll(() => tray.count()).toBe(0);
    await log.getByText('contract.pdf').waitFor();
    expect(await sentIn(server)).toContain('Three months of notice');
    expect(await sentIn(server)).not.toContain('Friday');
    expect(await axeViolations(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  // proves wire-23-10
  it.each(['paste', 'drop'] as const)('come by %s beside a picture, and need no text', async (how) => {
    const server = await reading({ enableImageInput: true }, { enableImageInput: true });
    const { page, panel, log, openPanel, messages } = await pages.open(server.url);
    await openPanel();
    await arrive(page, how, [file('orders.csv', 'number;city\n1001;Porto', 'text/csv'), await picture(page)]);
    const tray = panel.getByRole('list', { name: 'Files' });
    await tray.getByRole('img', { name: 'cat.png' }).waitFor();
    await tray.getByText('orders.csv').waitFor();
    await panel.getByRole('button', { name: 'Send' }).click();
    await log.getByText('orders.csv').waitFor();
    await log.getByRole('img', { name: 'cat.png' }).waitFor();
    expect(await sentIn(server)).toContain('Porto');
    expect(await sentIn(server)).toContain('data:image/png;base64,');
    expect(messages).toEqual([]);
  });

  // proves wire-23-11
  it('are refused one by one with a reason beside the text', async () => {
    const { url } = await reading({ maxFilesPerMessage: 1, maxFileBytes: '20KiB' });
    const { page, panel, openPanel } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    const error = panel.locator('#composer-error');
    await arrive(page, 'drop', [file('a.exe'), file('b.txt', 'x'.repeat(21_000)), await picture(page)]);
    await error
      .getByText('a.exe is of a type that cannot be sent here. b.txt is too large: at most 0.02 MB. cat.png is of')
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await arrive(page, 'drop', [file('c.txt'), file('d.txt'), file('e.txt')]);
    await panel.getByText('c.txt').waitFor();
    await error.getByText(/^Too many files\. The limit is 1 per message\.$/).waitFor();
  });

  // proves wire-23-12
  it('come back to the composer with the text when the server refuses the message, which says why', async () => {
    const { url } = await reading();
    const { page, panel, log, composer, openPanel, say } = await pages.open(url);
    await openPanel();
    await arrive(page, 'drop', file('broken.pdf', '%PDF-1.7 nothing', 'application/pdf'));
    const tray = panel.getByRole('list', { name: 'Files' });
    await tray.getByText('broken.pdf').waitFor();
    await say('What is in it?');
    await log.getByText('“broken.pdf” could not be read. It is damaged').waitFor();
    await tray.getByText('broken.pdf').waitFor();
    await expect.poll(() => composer.inputValue()).toBe('What is in it?');
  });

  // proves service-13-07, service-13-14
  it('say where only their beginning was read, and the reply follows', async () => {
    const { url } = await reading({ maxFileCharacters: 1_000 });
    const { page, log, openPanel, say, panel } = await pages.open(url);
    await openPanel();
    await arrive(page, 'drop', file('long.txt', 'word '.repeat(1_000)));
    await panel.getByText('long.txt').waitFor();
    await say('Sum it up');
    await log.getByText('Only the beginning of “long.txt” was read: 1,000 of 4,999 characters.').waitFor();
    await log.getByText('It was read.').waitFor();
  });

  // proves wire-23-13
  it('fetch their code with the panel, and only where they are taken', async () => {
    const [taking, other] = [await reading(), await scriptedServer({ scripts: [saying('Hello.')] })];
    for (const [server, count] of [
      [taking, 1],
      [other, 0],
    ] as const) {
      const { page, panel, openPanel, log, say } = await pages.open(server.url);
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      await openPanel();
      if (count === 1) await panel.getByRole('button', { name: 'Add files' }).waitFor();
      await say('Hello');
      await log
        .getByText(count === 1 ? 'It was read.' : 'Hello.')
        .last()
        .waitFor();
      expect(fetched.filter((url) => /\/files-\w+\.js/.test(url))).toHaveLength(count);
    }
  });
});
