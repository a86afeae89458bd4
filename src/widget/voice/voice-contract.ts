import type { VoiceSettings } from '../../wire/client-settings.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { MenuItem } from '../menu/menu-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { MarkdownParser } from './spoken-blocks.ts';

/** The texts that tell a user about listening. */
export type VoiceNotice = keyof WidgetTexts &
  ('voiceListening' | 'voiceDenied' | 'voiceNoSpeech' | 'voiceNoMicrophone' | 'voiceFailed');

/** What the voice needs of the panel around it. */
export interface VoiceOptions {
  readonly settings: VoiceSettings;
  readonly texts: () => WidgetTexts;
  readonly markdown: MarkdownParser;
  readonly state: () => ConversationState;
  /** The composer, into which dictation writes. */
  readonly view: {
    readonly current: {
      readonly draft: string;
      write(text: string): void;
      send(): void;
      focusComposer(): void;
    } | null;
  };
  /** Draws the panel. Afterwards the composer has the dictated text, ready to be sent. */
  readonly draw: () => void;
}

/** Speaks and listens for one panel. */
export interface Voice {
  /** The item of the menu that reads aloud. Null unless the option and the browser allow it. */
  readonly reading: MenuItem | null;
  /** Reads one reply aloud, given as Markdown. Null unless the option and the browser allow it. */
  readonly readOut: ((text: string) => void) | null;
  /** The microphone. Empty unless the option and the browser allow it. On the embed page the host's offer decides as well. */
  readonly microphone: readonly Node[];
  /** Says in writing how the listening goes. */
  readonly line: readonly Node[];
  /** Called after each change of the conversation. Without `isNews` the page before has read it. */
  follow(isNews: boolean): void;
  /** The user sends, stops or begins anew, so speaking and listening end. */
  bargeIn(): void;
  /** The panel or the page is out of sight, so speaking and listening end. */
  silence(): void;
  /** Draws the buttons in the current language. */
  redraw(): void;
  destroy(): void;
}

/** What the voice chunk exports. */
export interface VoiceModule {
  readonly createVoice: (options: VoiceOptions) => Voice;
  readonly styles: string;
}
