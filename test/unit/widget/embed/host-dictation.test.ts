import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bridge } from '../../../../src/widget/embed/bridge.ts';
import type { BridgeMessage } from '../../../../src/widget/embed/bridge-message.ts';
import { HostDictation } from '../../../../src/widget/embed/host-dictation.ts';
import type { HostRecognition } from '../../../../src/widget/embed/host-recognition.ts';

interface Page {
  SpeechRecognition?: new () => HostRecognition;
}

/** A page whose host offers to listen. `log` has the events of every recogniser that the page has begun. */
function offered(page: Page = {}): {
  readonly page: Page;
  readonly posted: BridgeMessage[];
  readonly log: string[];
  readonly dictation: HostDictation;
  readonly begin: () => HostRecognition;
} {
  const posted: BridgeMessage[] = [];
  const log: string[] = [];
  const bridge = new Bridge({ post: (message) => posted.push(message), listen: () => undefined });
  const dictation = new HostDictation(bridge, page);
  dictation.offer(true);
  const begin = (): HostRecognition => {
    const { SpeechRecognition } = page;
    if (SpeechRecognition === undefined) throw new Error('nothing listens here');
    const recognition = new SpeechRecognition();
    recognition.addEventListener('result', (event) => {
      const { results } = event as Event & {
        readonly results: readonly (readonly { readonly transcript: string }[])[];
      };
      log.push(results.map(([first]) => first?.transcript).join(''));
    });
    recognition.addEventListener('error', (event) => log.push((event as Event & { readonly error: string }).error));
    recognition.addEventListener('end', () => log.push('end'));
    recognition.lang = 'pl-PL';
    recognition.start();
    return recognition;
  };
  return { page, posted, log, dictation, begin };
}

describe('the host as a recogniser of speech (contract/embed.md)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks the host under an id of its own, and hears what it says until it is final', () => {
    const { posted, log, dictation, begin } = offered();
    const { id } = begin();
    expect(posted).toEqual([{ v: 1, id, type: 'dictate', payload: { isOn: true, language: 'pl-PL' } }]);
    dictation.hear({ text: 'raz' }, id);
    dictation.hear({}, id);
    dictation.hear({ text: 'raz dwa', isFinal: true }, id);
    dictation.hear({ text: 'trzy' }, id);
    expect(log).toEqual(['raz', 'raz dwa', 'end']);
    expect(posted).toHaveLength(1);
  });

  it.each([['another id', 'h99'] as const, ['no id', undefined] as const])('hears nothing under %s', (_title, id) => {
    const { log, dictation, begin } = offered();
    dictation.hear({ text: 5 }, id);
    begin();
    dictation.hear({ text: 5 }, id);
    expect(log).toEqual([]);
  });

  it('a host that was told to stop has three seconds for its last words', () => {
    const { posted, log, begin } = offered();
    const recognition = begin();
    recognition.stop();
    recognition.stop();
    expect(posted.map(({ payload }) => payload['isOn'])).toEqual([true, false]);
    vi.advanceTimersByTime(2999);
    expect(log).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(log).toEqual(['network', 'end']);
    recognition.stop();
    recognition.abort();
    expect(posted).toHaveLength(2);
  });

  it('last words in time leave no timer behind', () => {
    const { log, dictation, begin } = offered();
    const recognition = begin();
    recognition.stop();
    dictation.hear({ text: 'raz', isFinal: true }, recognition.id);
    expect(vi.getTimerCount()).toBe(0);
    expect(log).toEqual(['raz', 'end']);
  });

  it('one that begins anew ends the one before', () => {
    const { posted, log, dictation, begin } = offered();
    const first = begin();
    const second = begin();
    expect(second.id).not.toBe(first.id);
    expect(posted.map(({ id, payload }) => [id, payload['isOn']])).toEqual([
      [first.id, true],
      [first.id, false],
      [second.id, true],
    ]);
    dictation.hear({ text: 'old' }, first.id);
    dictation.hear({ error: 'no-speech' }, second.id);
    expect(log).toEqual(['end', 'no-speech', 'end']);
  });

  it('an offer that is repeated changes nothing; one that is taken back ends listening', () => {
    const { page, posted, log, dictation, begin } = offered();
    const { id } = begin();
    dictation.offer(true);
    dictation.hear({ text: 'raz' }, id);
    dictation.offer(false);
    expect(log).toEqual(['raz', 'end']);
    expect(posted.at(-1)).toEqual({ v: 1, id, type: 'dictate', payload: { isOn: false } });
    expect('SpeechRecognition' in page).toBe(false);
  });

  it('the browser’s own recogniser is back when the host no longer offers', () => {
    const own = class extends EventTarget {} as unknown as new () => HostRecognition;
    const { page, dictation } = offered({ SpeechRecognition: own });
    expect(page.SpeechRecognition).not.toBe(own);
    dictation.offer(false);
    expect(page.SpeechRecognition).toBe(own);
    dictation.offer(false);
    expect(page.SpeechRecognition).toBe(own);
  });
});
