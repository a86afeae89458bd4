import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { said, scriptedVoice } from '../support/scripted-voice.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const both = { enableVoiceInput: true, enableVoiceOutput: true };

/** A reply in pieces. Each piece is sent when the test allows it. */
function inPieces(...pieces: readonly string[]): { readonly script: ModelScript; readonly next: () => void } {
  const gates = pieces.map(() => Promise.withResolvers<boolean>());
  let at = 0;
  return {
    next: () => gates[at++]?.resolve(true),
    async script(exchange) {
      for (const [index, content] of pieces.entries()) {
        await gates[index]?.promise;
        await exchange.send(chunk({ content }));
      }
      await exchange.send(ending());
      exchange.end();
    },
  };
}

describeInBrowser('the voice of the widget (contract/widget.md#voice)', (browser) => {
  const open = async (
    options: {
      readonly scripts?: readonly ModelScript[];
      readonly settings?: object;
      readonly head?: string;
      readonly plugin?: string;
      /** Matches a file whose first request fails. */
      readonly lost?: RegExp;
    } = {},
  ) => {
    const site = await hostPage();
    const server = await scriptedServer({
      scripts: options.scripts ?? [],
      ...(options.plugin === undefined ? {} : { plugin: options.plugin }),
      settings: { cors: { default: { origins: [site.origin] } }, ...both, ...options.settings },
    });
    site.serve({
      html: `<!doctype html><html lang="en"><head><title>Shop</title>${options.head ?? scriptedVoice}</head>
        <body><h1>Shop</h1><script src="${server.url}/helper/widget.js"></script></body></html>`,
    });
    const opened = await browser.open(site.url, { bypassCSP: true });
    const { page, panel } = opened;
    if (options.lost !== undefined) {
      await page.route(options.lost, (route) => route.abort(), { times: 1 });
      await Promise.all([page.waitForEvent('requestfailed'), opened.openPanel()]);
    } else await opened.openPanel();
    return {
      ...opened,
      server,
      read: () => opened.choose('Read replies aloud'),
      isReading: async () => {
        const pressed = (await opened.openMenu()).locator('.icon-speaker').locator('..');
        const value = await pressed.getAttribute('aria-pressed');
        await panel.locator('.more > button').click();
        return value;
      },
      microphone: panel.getByRole('button', { name: 'Speak' }),
      line: panel.locator('.voice-line'),
    };
  };

  // proves service-2.4-08
  it('reads nothing before its button was pressed, then each sentence as it streams, without Markdown and code', async () => {
    const reply = inPieces('# Your *orders*\n\nOrder **1002** is', ' open. It was', ' paid.\n\n```\nrm -rf\n```\nBye');
    const { page, say, log, read, isReading } = await open({
      scripts: [saying('Not aloud.'), reply.script],
      settings: { voiceRate: 1.5 },
    });
    await say('Hi');
    await log.getByText('Not aloud.').waitFor();
    expect(await isReading()).toBe('false');
    await read();
    expect(await isReading()).toBe('true');
    expect(await said(page)).toEqual([]);

    await say('And my orders?');
    reply.next();
    await expect.poll(() => said(page)).toEqual(['Your orders']);
    reply.next();
    await log.getByText('It was').waitFor();
    await page.evaluate('speech.finish()');
    await expect.poll(() => said(page)).toEqual(['Your orders', 'Order 1002 is open.']);
    reply.next();
    await log.getByText('Bye').waitFor();
    for (const sentence of ['It was paid.', 'Bye']) {
      await page.evaluate('speech.finish()');
      await expect.poll(async () => (await said(page)).at(-1)).toBe(sentence);
    }
    expect(await page.evaluate('[speech.lang, speech.rate]')).toEqual(['en-US', 1.5]);
  });

  // proves service-2.4-08
  it('waits for the end of the reply with voiceStreaming: false', async () => {
    const reply = inPieces('One. Two. ', 'Three.');
    const { page, say, log, read } = await open({ scripts: [reply.script], settings: { voiceStreaming: false } });
    await read();
    await say('Count');
    reply.next();
    await log.getByText('One. Two.').waitFor();
    expect(await said(page)).toEqual([]);
    reply.next();
    await expect.poll(() => said(page)).toEqual(['One.']);
  });

  it('says that a question waits, and never answers it', async () => {
    const plugin = `export default { name: 'desk', actions: [{ name: 'cancel', title: 'Cancel the order', description: 'Cancels.',
      parameters: { type: 'object', properties: {} }, execute: () => 'done' }] }`;
    const { page, say, panel, read } = await open({
      scripts: [calling({ name: 'cancel', arguments: {} }), saying('Done.')],
      plugin,
    });
    await read();
    await say('Cancel it');
    await expect.poll(() => said(page)).toEqual(['Please confirm: Cancel the order']);
    await page.evaluate('speech.finish()');
    expect(await page.evaluate('hearing.started')).toBe(0);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => said(page)).toContain('Done.');
  });

  // proves service-2.4-09
  it.each([
    ['a message', 'say'],
    ['the microphone', 'Speak'],
    ['a new conversation', 'New conversation'],
    ['closing the panel', 'Close chat'],
  ])('stops reading at once: %s', async (_title, act) => {
    const { page, say, log, panel, read } = await open({ scripts: [saying('One. Two.'), saying('Three.')] });
    await read();
    await say('Count');
    await log.getByText('Two.').waitFor();
    await expect.poll(() => said(page)).toEqual(['One.']);
    if (act === 'say') await say('Stop it');
    else await panel.getByRole('button', { name: act }).click();
    await expect.poll(() => page.evaluate('speech.cancelled')).toBe(1);
    expect(await said(page)).not.toContain('Two.');
  });

  // proves service-2.4-09
  it('reads no more of a reply that the user stops', async () => {
    const reply = inPieces('One. Two', ' and more. Three.');
    const { page, say, panel, log, read } = await open({ scripts: [reply.script] });
    await read();
    await say('Count');
    reply.next();
    await expect.poll(() => said(page)).toEqual(['One.']);
    await panel.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('Stopped').waitFor();
    reply.next();
    expect(await page.evaluate('[speech.cancelled, speech.said.length]')).toEqual([1, 1]);
  });

  // proves service-2.4-09
  it('goes on reading with voiceBargeIn: false, and reads the next reply after it', async () => {
    const { page, say, read, log } = await open({
      scripts: [saying('One.'), saying('Two.')],
      settings: { voiceBargeIn: false },
    });
    await read();
    await say('Count');
    await expect.poll(() => said(page)).toEqual(['One.']);
    await say('Go on');
    await log.getByText('Two.').waitFor();
    expect(await page.evaluate('speech.cancelled')).toBe(0);
    await page.evaluate('speech.finish()');
    await expect.poll(() => said(page)).toEqual(['One.', 'Two.']);
  });

  it('is silent in a page that nobody sees', async () => {
    const { page, say, read } = await open({ scripts: [saying('One. Two.')] });
    await read();
    await say('Count');
    await expect.poll(() => said(page)).toEqual(['One.']);
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await page.evaluate('speech.cancelled')).toBe(1);
  });

  // proves service-2.4-07
  it('writes what it hears into the message, after what stood there, and sends nothing by itself', async () => {
    const { page, composer, microphone, panel, line, server } = await open();
    await composer.fill('Order');
    await microphone.click();
    await line.getByText('Listening… Speak now.').waitFor();
    await page.evaluate(`hearing.hear('one thousand')`);
    await expect.poll(() => composer.inputValue()).toBe('Order one thousand');
    await page.evaluate(`hearing.hear('one thousand ', 'and two')`);
    await panel.getByRole('button', { name: 'Stop listening' }).click();
    await microphone.waitFor();
    await expect.poll(() => composer.inputValue()).toBe('Order one thousand and two');
    expect(await line.textContent()).toBe('');
    expect(await page.evaluate('[hearing.stopped, hearing.lang]')).toEqual([1, 'en-US']);
    expect(server.model.requests).toHaveLength(0);
  });

  it('leaves the message to whoever writes in it meanwhile', async () => {
    const { page, composer, microphone } = await open();
    await microphone.click();
    await expect.poll(() => page.evaluate('hearing.started')).toBe(1);
    await composer.fill('By hand');
    await page.evaluate(`hearing.hear('by voice')`);
    await microphone.waitFor();
    await expect.poll(() => composer.inputValue()).toBe('By hand');
    expect(await page.evaluate('hearing.aborted')).toBe(1);
  });

  it('stops listening when the message is sent by hand', async () => {
    const { page, composer, microphone, say, log } = await open({ scripts: [saying('Hello.')] });
    await microphone.click();
    await expect.poll(() => page.evaluate('hearing.started')).toBe(1);
    await say('By hand');
    await log.getByText('Hello.').waitFor();
    await microphone.waitFor();
    expect(await page.evaluate('hearing.aborted')).toBe(1);
    await expect.poll(() => composer.inputValue()).toBe('');
  });

  it('is left out when it cannot be fetched, and is there when the panel opens again', async () => {
    const { panel, read, isReading, openPanel, openMenu, page } = await open({ lost: /voice-\w+\.js/ });
    expect(await (await openMenu()).getByText('Read replies aloud').count()).toBe(0);
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Close chat' }).click();
    await openPanel();
    await read();
    expect(await isReading()).toBe('true');
  });

  it.each([
    ['not-allowed', 'This page may not use the microphone. You can type instead.'],
    ['no-speech', 'No speech was heard. Press the microphone to try again.'],
    ['audio-capture', 'No microphone was found. You can type instead.'],
    ['network', 'Speech recognition did not work. You can type instead.'],
  ])('says in plain words why nothing was heard, and writing still works: %s', async (code, words) => {
    const { page, microphone, line, say, log } = await open({ scripts: [saying('Hello.')] });
    await microphone.click();
    await expect.poll(() => page.evaluate('hearing.started')).toBe(1);
    await page.evaluate(`hearing.fail('${code}')`);
    await line.getByText(words).waitFor();
    await say('Hi');
    await log.getByText('Hello.').waitFor();
  });

  // proves service-2.4-10
  it('talks hands-free: sends what it heard, reads the reply, and listens again after the last sentence', async () => {
    const { page, log, read, microphone } = await open({
      scripts: [saying('One. Two.'), saying('Three.')],
      settings: { voiceHandsFree: true },
    });
    await read();
    await microphone.click();
    await expect.poll(() => page.evaluate('hearing.started')).toBe(1);
    await page.evaluate(`hearing.hear('Count'); hearing.end()`);
    await log.getByText('One. Two.').waitFor();
    await expect.poll(() => said(page)).toEqual(['One.']);
    await page.evaluate('speech.finish()');
    expect(await page.evaluate('hearing.started')).toBe(1);
    await page.evaluate('speech.finish()');
    await expect.poll(() => page.evaluate('hearing.started')).toBe(2);
    // When nothing is heard, the microphone does not open again.
    await page.evaluate('hearing.end()');
    expect(await page.evaluate('hearing.started')).toBe(2);
  });

  it('does not listen by itself after a typed message, nor send where replies are not read', async () => {
    const { page, composer, say, read, microphone } = await open({
      scripts: [saying('One.')],
      settings: { voiceHandsFree: true },
    });
    await microphone.click();
    await expect.poll(() => page.evaluate('hearing.started')).toBe(1);
    await page.evaluate(`hearing.hear('Count'); hearing.end()`);
    await microphone.waitFor();
    await expect.poll(() => composer.inputValue()).toBe('Count');
    await read();
    await say('Count');
    await expect.poll(() => said(page)).toEqual(['One.']);
    await page.evaluate('speech.finish()');
    expect(await page.evaluate('hearing.started')).toBe(1);
  });

  it('speaks the language of the widget', async () => {
    const { page, say, choose } = await open({ scripts: [saying('Eins.')] });
    await page.evaluate(`HelperWidget.init({ language: 'German' })`);
    await choose('Antworten vorlesen');
    await say('Zähle');
    await expect.poll(() => said(page)).toEqual(['Eins.']);
    expect(await page.evaluate('speech.lang')).toBe('de-DE');
  });

  it('shows no button without its option, and none that the browser cannot serve', async () => {
    const off = await open({ settings: { enableVoiceInput: false, enableVoiceOutput: false } });
    expect(await (await off.openMenu()).getByText('Read replies aloud').count()).toBe(0);
    await expect.poll(() => off.microphone.count()).toBe(0);
    const unable = await open({
      head: '<script>delete window.webkitSpeechRecognition; delete window.SpeechRecognition</script>',
    });
    await (await unable.openMenu()).getByText('Read replies aloud').waitFor();
    await expect.poll(() => unable.microphone.count()).toBe(0);
  });

  it('asks the browser’s own engine without a word in the console', async () => {
    const { page, read, say, log, messages } = await open({ scripts: [saying('One. Two.')], head: '' });
    await page.evaluate(`window.asked = []; const speak = speechSynthesis.speak.bind(speechSynthesis);
      speechSynthesis.speak = (utterance) => { asked.push(utterance.text); speak(utterance); }`);
    await read();
    await say('Count');
    await log.getByText('Two.').waitFor();
    await expect.poll(() => page.evaluate('asked[0]')).toBe('One.');
    expect(messages).toEqual([]);
  });

  it('axe-core finds nothing while it listens and reads', async () => {
    const { page, read, microphone, panel } = await open();
    await read();
    await microphone.click();
    await panel.getByRole('button', { name: 'Stop listening' }).waitFor();
    await page.evaluate(axe);
    const found = await page.evaluate<string[]>(
      `Promise.all(document.querySelector('helper-widget').shadowRoot.getAnimations().map((a) => a.finished.catch(() => 0)))
        .then(() => axe.run('helper-widget'))
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.html).join(' | ')))`,
    );
    expect(found).toEqual([]);
  });
});
