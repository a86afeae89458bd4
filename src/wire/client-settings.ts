import type { WelcomeMessage } from './welcome-message.ts';

/** Languages of replies and texts (contract/assistant.md#language). */
export const languages = [
  'English',
  'Italian',
  'French',
  'German',
  'Spanish',
  'Portuguese',
  'Dutch',
  'Polish',
  'Japanese',
  'Chinese',
] as const;
export type Language = (typeof languages)[number];

export const themes = ['Default', 'Dark', 'Minimal', 'Custom', 'Auto'] as const;
export type Theme = (typeof themes)[number];

export const positions = ['BottomRight', 'BottomLeft', 'TopRight', 'TopLeft', 'SideRight', 'SideLeft'] as const;
export type Position = (typeof positions)[number];

/** What the widget says and hears aloud (contract/widget.md#looks). */
export interface VoiceSettings {
  readonly input: boolean;
  readonly output: boolean;
  /** Sentence by sentence while the reply is being written. */
  readonly streaming: boolean;
  readonly bargeIn: boolean;
  /** Only where input and output both are. */
  readonly handsFree: boolean;
  /** 0.5 to 2. */
  readonly rate: number;
}

/** What the server writes into `widget.js` for the page that embeds it (contract/embed.md). Public; holds no secret. */
export interface ClientSettings {
  /** Hashed file name of the panel chunk, relative to the script's own address. */
  readonly panel: string;
  /** Paths on this server, `server.basePath` included. */
  readonly hubPath: string;
  /** Above `approve`, `cancel` and `session`. */
  readonly controlPath: string;
  /** null: the texts are in the page's language. */
  readonly language: Language | null;
  /** The languages' files, like `panel`; the star stands for the language in lower case. */
  readonly texts: string;
  readonly botName: string;
  readonly theme: Theme;
  readonly position: Position;
  /** Hex colour; without it the theme's stays. */
  readonly primaryColor?: string | undefined;
  /** Greets in the empty chat; without it a text in the language does. */
  readonly welcomeMessage?: WelcomeMessage | undefined;
  /** Without it the picture is the built-in one. */
  readonly avatarUrl?: string | undefined;
  /** Without it a text in the language. */
  readonly inputPlaceholder?: string | undefined;
  /** Shows that a demo model answers. */
  readonly demo: boolean;
  /** Says in the header and before the first message that an AI answers. */
  readonly aiDisclosure: boolean;
  /** Hosts whose images cards may load, beside the page's own. */
  readonly imageHosts: readonly string[];
  /** A regular expression of the hosts that replies and cards may link to; without it, any host. */
  readonly linkHosts?: string;
  /** Where the steps of the onboarding tour come from; without it there is none. */
  readonly tourUrl?: string;
  /** Without it the widget neither speaks nor listens. */
  readonly voice?: VoiceSettings;
  /** What pictures may go with a message; left out when none may. */
  readonly images?: { readonly maxBytes: number; readonly maxCount: number; readonly types: readonly string[] };
  /** Tools that the page offers by WebMCP become UI actions; left out when they do not. */
  readonly webMcp?: true;
  /** First messages that the empty panel offers; of pages it says that the user wants to go there, in its own language. */
  readonly suggestions?: { readonly messages: readonly string[]; readonly pages: readonly string[] };
}

/** Language tags (BCP 47), as `lang` attributes have them. */
export const languageTags: Readonly<Record<Language, string>> = {
  English: 'en',
  Italian: 'it',
  French: 'fr',
  German: 'de',
  Spanish: 'es',
  Portuguese: 'pt',
  Dutch: 'nl',
  Polish: 'pl',
  Japanese: 'ja',
  Chinese: 'zh-Hans',
};
