import type { VoiceSettings } from '../../wire/client-settings.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { SpokenBlock } from '../conversation/spoken-blocks.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

/** The text in which a user is told about listening. */
export type VoiceNotice = keyof WidgetTexts &
  ('voiceListening' | 'voiceDenied' | 'voiceNoSpeech' | 'voiceNoMicrophone' | 'voiceFailed');

/** What the voice needs of the panel around it. */
export interface VoiceOptions {
  readonly settings: VoiceSettings;
  readonly texts: () => WidgetTexts;
  /** Reads Markdown as what is to be said of it; it stands in the panel's chunk, where the parser is. */
  readonly blocks: (markdown: string) => readonly SpokenBlock[];
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
  /** Something to be shown has changed. */
  readonly onChange: () => void;
}

/** Speaks and listens for one panel. */
export interface Voice {
  readonly notice: VoiceNotice | null;
  /** The user has turned reading on in this page view. */
  readonly isReading: boolean;
  pressMicrophone(): void;
  toggleReading(): void;
  /** After each change of the conversation; what is no news was read on the page before. */
  follow(isNews: boolean): void;
  /** The user acts: sends, stops, begins anew. */
  bargeIn(): void;
  /** Panel or page are out of sight: neither a word nor an ear. */
  silence(): void;
}

/** What the voice chunk exports. */
export interface VoiceModule {
  readonly createVoice: (options: VoiceOptions) => Voice;
  readonly styles: string;
}
