import { spokenBlocks } from '../../conversation/spoken-blocks.ts';
import type { Voice, VoiceModule, VoiceNotice, VoiceOptions } from '../../voice/voice-contract.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the voice chunk of this build (scripts/build-widget.ts). */
declare const VOICE_CHUNK: string;

export interface VoiceControlOptions extends Omit<VoiceOptions, 'settings' | 'blocks'> {
  readonly host: PanelHost;
  readonly addStyles: (css: string) => void;
}

/** What the buttons of the voice show. */
export interface VoiceView {
  readonly canListen: boolean;
  readonly canRead: boolean;
  readonly isReading: boolean;
  /** The text that tells what became of listening; `failed` where the chunk could not be fetched. */
  readonly notice: VoiceNotice | 'failed' | null;
}

/**
 * The voice of the panel: its buttons are there where option and browser both allow it, and the rest is fetched with the first
 * press of one. Nothing is heard or said before.
 */
export class VoiceControl {
  readonly #options: VoiceControlOptions;
  readonly #chunk: LazyChunk<VoiceModule>;
  readonly #end = new AbortController();
  #voice: Voice | null = null;
  #hasFailed = false;

  constructor(options: VoiceControlOptions) {
    this.#options = options;
    const { host, addStyles } = options;
    this.#chunk = new LazyChunk({ host, file: VOICE_CHUNK, addStyles });
    const { signal } = this.#end;
    document.addEventListener('visibilitychange', () => document.hidden && this.silence(), { signal });
    addEventListener('pagehide', () => this.silence(), { signal });
  }

  get view(): VoiceView {
    const { voice } = this.#options.host.settings;
    return {
      // Outside a secure context browsers refuse without asking.
      canListen:
        voice?.input === true &&
        isSecureContext &&
        ('SpeechRecognition' in window || 'webkitSpeechRecognition' in window),
      canRead: voice?.output === true && 'speechSynthesis' in window,
      isReading: this.#voice?.isReading ?? false,
      notice: this.#hasFailed ? 'failed' : (this.#voice?.notice ?? null),
    };
  }

  readonly pressMicrophone = (): void => void this.#use((voice) => voice.pressMicrophone());

  readonly toggleReading = (): void => void this.#use((voice) => voice.toggleReading());

  follow(isNews: boolean): void {
    this.#voice?.follow(isNews);
  }

  bargeIn(): void {
    this.#voice?.bargeIn();
  }

  silence(): void {
    this.#voice?.silence();
  }

  destroy(): void {
    this.#end.abort();
    this.silence();
  }

  async #use(press: (voice: Voice) => void): Promise<void> {
    const { voice: settings } = this.#options.host.settings;
    if (settings === undefined) return;
    try {
      const { createVoice } = await this.#chunk.load();
      this.#hasFailed = false;
      this.#voice ??= createVoice({ ...this.#options, settings, blocks: spokenBlocks });
      press(this.#voice);
    } catch {
      this.#hasFailed = true;
      this.#options.onChange();
    }
  }
}
