import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Pages } from '../support/browser.ts';
import { framedBy, type FramedChat, framingSite, openFramed } from '../support/framing-page.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { scriptedVoice } from '../support/scripted-voice.ts';

/** A browser whose voice does what the test says, and that recognises no speech, as the WebViews of most platforms. */
const deaf = `${scriptedVoice.replaceAll(/<\/?script>/g, '')}
  delete window.SpeechRecognition; delete window.webkitSpeechRecognition;`;
const ableToListen = scriptedVoice.replaceAll(/<\/?script>/g, '');

interface Dictate {
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Listening extends FramedChat {
  readonly microphone: Locator;
  readonly composer: Locator;
  readonly line: Locator;
  readonly requests: readonly unknown[];
  /** The messages about dictation that the page has sent, with their ids. */
  readonly dictated: () => Promise<readonly Dictate[]>;
  /** Sends what the host has heard, under the id of the last request. */
  readonly hear: (payload: object, id?: string) => Promise<void>;
}

describeInBrowser('dictation by the host of the embed page (contract/embed.md)', (pages) => {
  const open = async (
    options: { readonly browser?: string; readonly scripts?: readonly ModelScript[]; readonly settings?: object } = {},
  ): Promise<Listening> => {
    const site = await framingSite();
    const { url, model } = await scriptedServer({
      scripts: options.scripts ?? [],
      settings: { enableVoiceInput: true, enableVoiceOutput: true, ...options.settings },
      overrides: framedBy(site),
    });
    const chat = await openFramed(withScript(pages, options.browser ?? deaf), site, url);
    const { page, frame, tell } = chat;
    // The chunk of the voice has come.
    await frame.getByRole('button', { name: 'More' }).waitFor();
    const dictated = (): Promise<Dictate[]> => page.evaluate(`heard.filter(({ type }) => type === 'dictate')`);
    return {
      ...chat,
      microphone: frame.getByRole('button', { name: 'Speak' }),
      composer: frame.locator('textarea'),
      line: frame.locator('.voice-line'),
      requests: model.requests,
      dictated,
      hear: async (payload, id) => {
        // The page may take a moment to ask the host for its microphone.
        await expect.poll(dictated).not.toEqual([]);
        await tell('dictate', payload, id ?? (await dictated()).at(-1)?.id);
      },
    };
  };

  // proves wire-9-62
  it('writes what the host hears into the message, in a browser that recognises no speech', async () => {
    const { tell, microphone, composer, line, dictated, hear, requests, heard, complaints } = await open();
    await expect.poll(() => microphone.count()).toBe(0);
    await tell('init', { can: ['dictate'] });
    await composer.fill('Order');
    await microphone.click();
    await line.getByText('Listening… Speak now.').waitFor();
    await expect.poll(dictated).toMatchObject([{ v: 1, payload: { isOn: true, language: 'en-US' } }]);
    await hear({ text: 'one thousand' });
    await expect.poll(() => composer.inputValue()).toBe('Order one thousand');
    await hear({ text: 'one thousand and two', isFinal: true });
    await microphone.waitFor();
    await expect.poll(() => composer.inputValue()).toBe('Order one thousand and two');
    expect(await line.textContent()).toBe('');
    expect(await dictated()).toHaveLength(1);
    expect(requests).toHaveLength(0);
    expect(await heard('error')).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it('tells the host to stop, and takes its last words, but none that come later', async () => {
    const { tell, frame, microphone, composer, dictated, hear } = await open();
    await tell('init', { can: ['dictate'], locale: 'de-DE' });
    await frame.getByRole('button', { name: 'Sprechen' }).click();
    await frame.getByRole('button', { name: 'Nicht mehr zuhören' }).click();
    await expect.poll(async () => (await dictated()).length).toBe(2);
    const [on, off] = await dictated();
    expect(on?.payload).toEqual({ isOn: true, language: 'de-DE' });
    expect(off).toMatchObject({ id: on?.id, payload: { isOn: false } });
    await hear({ text: 'Zwei Bücher', isFinal: true });
    await expect.poll(() => composer.inputValue()).toBe('Zwei Bücher');
    await hear({ text: 'Zu spät', isFinal: true });
    await hear({ text: 'Von niemandem' }, 'h99');
    await tell('setLocale', { locale: 'en' });
    await microphone.waitFor();
    await expect.poll(() => composer.inputValue()).toBe('Zwei Bücher');
  });

  it.each([
    ['not-allowed', 'This page may not use the microphone. You can type instead.'],
    ['no-speech', 'No speech was heard. Press the microphone to try again.'],
    ['audio-capture', 'No microphone was found. You can type instead.'],
    ['whatever', 'Speech recognition did not work. You can type instead.'],
  ])('says in plain words what the host’s fault means: %s', async (error, words) => {
    const { tell, microphone, line, hear, say, frame } = await open({ scripts: [saying('Hello.')] });
    await tell('init', { can: ['dictate'] });
    await microphone.click();
    await hear({ error });
    await line.getByText(words).waitFor();
    await say('Hi');
    await frame.locator('.log').getByText('Hello.').waitFor();
  });

  it.each([
    [{ text: 5 }, 'dictate: text has to be a text of at most 10000 characters'],
    [{ text: 'x'.repeat(10_001) }, 'dictate: text has to be a text of at most 10000 characters'],
    [{ text: 'Not this', isFinal: 'yes' }, 'dictate: isFinal has to be true or false'],
    [{ text: 'Not this', error: {} }, 'dictate: error has to be a text of at most 100 characters'],
  ])('says what is wrong about a faulty answer, and listens on', async (payload, message) => {
    const { tell, microphone, composer, hear, heard } = await open();
    await tell('init', { can: ['dictate'] });
    await microphone.click();
    await hear(payload);
    await expect.poll(() => heard('error')).toEqual([{ code: 'invalid_request', message }]);
    await expect.poll(() => composer.inputValue()).toBe('');
    await hear({ text: 'This', isFinal: true });
    await expect.poll(() => composer.inputValue()).toBe('This');
  });

  it('talks hands-free by the host’s ears', async () => {
    const { tell, frame, microphone, dictated, hear } = await open({
      scripts: [saying('One.')],
      settings: { voiceHandsFree: true },
    });
    await tell('init', { can: ['dictate'] });
    await frame.getByRole('button', { name: 'More' }).click();
    await frame.getByRole('button', { name: 'Read replies aloud' }).click();
    await microphone.click();
    await hear({ text: 'Count', isFinal: true });
    await frame.locator('.log').getByText('One.').waitFor();
    await expect.poll(() => frame.evaluate('speech.said')).toEqual(['One.']);
    expect(await dictated()).toHaveLength(1);
    await frame.evaluate('speech.finish()');
    await expect.poll(async () => (await dictated()).map(({ payload }) => payload['isOn'])).toEqual([true, true]);
    const [first, second] = await dictated();
    expect(second?.id).not.toBe(first?.id);
  });

  it.each(['a typed message', 'close', 'an offer taken back'])(
    'the host’s microphone goes off at once: %s',
    async (act) => {
      const { tell, say, microphone, composer, dictated, hear } = await open({ scripts: [saying('Hello.')] });
      await tell('init', { can: ['dictate', 'close'] });
      await microphone.click();
      await hear({ text: 'Half a' });
      await expect.poll(() => composer.inputValue()).toBe('Half a');
      if (act === 'a typed message') await say('By hand');
      else await tell(act === 'close' ? 'close' : 'init');
      await expect.poll(async () => (await dictated()).map(({ payload }) => payload['isOn'])).toEqual([true, false]);
      if (act === 'an offer taken back') await expect.poll(() => microphone.count()).toBe(0);
    },
  );

  it('is left to the browser where the host does not offer it, and comes before the browser where it does', async () => {
    const { tell, frame, microphone, dictated } = await open({ browser: ableToListen });
    await microphone.click();
    await expect.poll(() => frame.evaluate('hearing.started')).toBe(1);
    await frame.evaluate('hearing.end()');
    await tell('init', { can: ['dictate'] });
    await tell('init', { can: ['dictate'], botName: 'Ada' });
    await frame.getByRole('heading', { name: 'Ada' }).waitFor();
    await microphone.click();
    await expect.poll(dictated).toHaveLength(1);
    await tell('init', { botName: 'Bea' });
    await frame.getByRole('heading', { name: 'Bea' }).waitFor();
    await microphone.click();
    await expect.poll(() => frame.evaluate('hearing.started')).toBe(2);
    expect((await dictated()).map(({ payload }) => payload['isOn'])).toEqual([true, false]);
  });

  it('has no microphone without enableVoiceInput, whatever the host can do', async () => {
    const { tell, frame, microphone } = await open({ settings: { enableVoiceInput: false } });
    await tell('init', { can: ['dictate'], botName: 'Ada' });
    await frame.getByRole('heading', { name: 'Ada' }).waitFor();
    await expect.poll(() => microphone.count()).toBe(0);
  });
});

/** Pages in which this runs before any script of theirs, in frames too. */
function withScript(pages: Pages, script: string): Pages {
  return {
    async open(url, options) {
      const opened = await pages.open('about:blank', options);
      await opened.page.addInitScript(script);
      await opened.page.goto(url);
      return opened;
    },
  };
}
