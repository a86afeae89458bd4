import type { VoiceSettings } from '../../wire/client-settings.ts';
import type { MenuItem } from '../menu/menu-contract.ts';
import { Listener } from './listener.ts';
import { ReplyReader } from './reply-reader.ts';
import { Speaker } from './speaker.ts';
import { spokenBlocks } from './spoken-blocks.ts';
import { VoiceButtons } from './voice-buttons.ts';
import type { Voice, VoiceNotice, VoiceOptions } from './voice-contract.ts';

/** The locales for speech of the languages whose country has another code. */
const speechLanguages: Readonly<Record<string, string>> = { en: 'en-US', ja: 'ja-JP', 'zh-Hans': 'zh-CN' };

/** Speaks and listens for one panel (contract/widget.md#voice). Nothing is heard or said before the user has pressed a button. */
export function createVoice(options: VoiceOptions): Voice {
  return new VoiceSession(options);
}

const speaker = 'M4 10v4h3l5 4V6l-5 4H4Zm12-1a4 4 0 0 1 0 6m3-9a8 8 0 0 1 0 12';

class VoiceSession implements Voice {
  /** Whether the user has turned reading on in this page. */
  #isReading = false;
  #notice: VoiceNotice | null = null;
  readonly #buttons = new VoiceButtons(() => this.#pressMicrophone());
  readonly #end = new AbortController();
  readonly #options: VoiceOptions;
  readonly #speaker: Speaker;
  readonly #listener: Listener;
  readonly #reader: ReplyReader;
  /** `#before` is the draft at the moment when the microphone was pressed. `#written` is that draft with the dictation. */
  #before = '';
  #written = '';
  /** Whether the last message was dictated, so that its reply is read aloud. */
  #isTalking = false;

  constructor(options: VoiceOptions) {
    this.#options = options;
    const language = (): string => {
      const { locale } = options.texts();
      return speechLanguages[locale] ?? `${locale}-${locale.toUpperCase()}`;
    };
    const { rate } = options.settings;
    this.#speaker = new Speaker({ rate, language, onIdle: () => this.#listenAgain() });
    this.#reader = new ReplyReader(options, this.#speaker);
    this.#listener = new Listener({
      language,
      onHeard: (text) => this.#heard(text),
      onEnd: (text, problem) => this.#endedListening(text, problem),
    });
    this.redraw();
    const { signal } = this.#end;
    document.addEventListener('visibilitychange', () => document.hidden && this.silence(), { signal });
    addEventListener('pagehide', () => this.silence(), { signal });
  }

  /** Reads replies aloud for as long as the page lives. Users with a screen reader leave it off. */
  get reading(): MenuItem | null {
    if (!canRead(this.#options.settings)) return null;
    return {
      icon: 'speaker',
      path: speaker,
      name: () => this.#options.texts().readAloud,
      isOn: () => this.#isReading,
      press: (opener) => {
        this.#toggleReading();
        opener.focus();
      },
    };
  }

  get readOut(): Voice['readOut'] {
    if (!canRead(this.#options.settings)) return null;
    return (text) => {
      this.silence();
      for (const block of spokenBlocks(text, this.#options.markdown)) this.#speaker.say(block.text);
    };
  }

  get microphone(): readonly Node[] {
    return canListen(this.#options.settings) ? [this.#buttons.microphone] : [];
  }

  get line(): readonly Node[] {
    return this.reading !== null || this.microphone.length > 0 ? [this.#buttons.line] : [];
  }

  get #composer(): VoiceOptions['view']['current'] {
    return this.#options.view.current;
  }

  #pressMicrophone(): void {
    if (this.#listener.isListening) {
      this.#isTalking = false;
      this.#listener.finish();
      return;
    }
    this.bargeIn();
    this.#listen();
  }

  #toggleReading(): void {
    this.#isReading = !this.#isReading;
    if (this.#isReading) {
      const state = this.#options.state();
      this.#reader.begin(state);
      this.#reader.follow(state);
    } else {
      this.#isTalking = false;
      this.#speaker.stop();
    }
    this.redraw();
  }

  follow(isNews: boolean): void {
    const state = this.#options.state();
    if (!isNews) this.#reader.skip(state);
    if (!this.#isReading) return;
    this.#reader.follow(state);
    this.#listenAgain();
  }

  bargeIn(): void {
    this.#isTalking = false;
    this.#listener.abort();
    this.#tell(null);
    if (!this.#options.settings.bargeIn) return;
    this.#speaker.stop();
    this.#reader.skip(this.#options.state());
  }

  silence(): void {
    this.#isTalking = false;
    this.#speaker.stop();
    this.#reader.skip(this.#options.state());
    this.#listener.abort();
    this.#tell(null);
  }

  redraw(): void {
    if (this.microphone.length === 0) this.#buttons.microphone.remove();
    this.#buttons.show(this.#options.texts(), this.#notice);
  }

  destroy(): void {
    this.#end.abort();
    this.silence();
  }

  #listen(): void {
    const draft = this.#composer?.draft ?? '';
    this.#before = draft === '' || /\s$/.test(draft) ? draft : `${draft} `;
    this.#written = draft;
    this.#tell('voiceListening');
    this.#listener.start();
  }

  #heard(text: string): void {
    const composer = this.#composer;
    // When the draft differs from the dictated text, the user has typed. Typing ends the dictation.
    if (composer?.draft !== this.#written) {
      this.#isTalking = false;
      this.#listener.abort();
      this.#tell(null);
      return;
    }
    this.#written = this.#before + text;
    composer.write(this.#written);
    this.#options.draw();
  }

  #endedListening(text: string, problem: VoiceNotice | null): void {
    const { settings } = this.#options;
    this.#tell(problem);
    if (text === '') {
      this.#isTalking = false;
      return;
    }
    // Without reading nobody would hear the answer, so the user sends the message by hand.
    if (!settings.handsFree || !this.#isReading) {
      this.#composer?.focusComposer();
      return;
    }
    this.#composer?.send();
    // A message that is too long stays in the composer.
    this.#isTalking = this.#options.state().turn !== null;
  }

  /** In hands-free mode the microphone opens again after the last sentence. */
  #listenAgain(): void {
    const { turn } = this.#options.state();
    if (!this.#isTalking || turn !== null || this.#speaker.isSpeaking || this.#listener.isListening) return;
    this.#isTalking = false;
    this.#listen();
  }

  #tell(notice: VoiceNotice | null): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.redraw();
  }
}

function canRead({ output }: VoiceSettings): boolean {
  return output && 'speechSynthesis' in window;
}

/** Outside a secure context browsers refuse the microphone without asking the user. */
function canListen({ input }: VoiceSettings): boolean {
  return input && isSecureContext && ('SpeechRecognition' in window || 'webkitSpeechRecognition' in window);
}
