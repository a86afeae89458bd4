import type { VoiceSettings } from '../../wire/client-settings.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { MarkdownParser } from './spoken-blocks.ts';

/** The text in which a user is told about listening. */
export type VoiceNotice = keyof WidgetTexts &
  ('voiceListening' | 'voiceDenied' | 'voiceNoSpeech' | 'voiceNoMicrophone' | 'voiceFailed');

/** What the voice needs of the panel around it. */
export interface VoiceOptions {
  readonly settings: VoiceSettings;
  readonly texts: () => WidgetTexts;
  readonly markdown: MarkdownParser;
  readonly state: () => ConversationState;
  /** Where dictation is written. */
  readonly view: {
    readonly current: {
      readonly draft: string;
      write(text: string): void;
      send(): void;
      focusComposer(): void;
    } | null;
  };
  /** Draws the panel: what was written is in the composer then, ready to be sent. */
  readonly draw: () => void;
}

/** Speaks and listens for one panel. */
export interface Voice {
  /** The button that reads aloud, where option and browser both allow it. */
  readonly reading: readonly Node[];
  /** The microphone, likewise; on the embed page it comes and goes with the offer of the host. */
  readonly microphone: readonly Node[];
  /** What becomes of listening, in writing. */
  readonly line: readonly Node[];
  /** After each change of the conversation; what is no news was read on the page before. */
  follow(isNews: boolean): void;
  /** The user acts: sends, stops, begins anew. */
  bargeIn(): void;
  /** Panel or page are out of sight: neither a word nor an ear. */
  silence(): void;
  /** In another language. */
  redraw(): void;
  destroy(): void;
}

/** What the voice chunk exports. */
export interface VoiceModule {
  readonly createVoice: (options: VoiceOptions) => Voice;
  readonly styles: string;
}
