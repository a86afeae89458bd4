import type { McpServerState, RemoteAgentState } from './hub-events.ts';
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

/** How the widget speaks and listens (contract/widget.md#looks). */
export interface VoiceSettings {
  readonly input: boolean;
  readonly output: boolean;
  /** Sentence by sentence while the reply is being written. */
  readonly streaming: boolean;
  readonly bargeIn: boolean;
  /** Possible only with both input and output. */
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
  /** The endpoints of the server, to which no reply and no card may link. What lies below one of them counts as well. */
  readonly endpoints: readonly string[];
  /** The path above `approve`, `cancel` and `session`. */
  readonly controlPath: string;
  /** null: the texts are in the page's language. */
  readonly language: Language | null;
  /** The files of the languages, relative like `panel`. The star stands for the language in lower case. */
  readonly texts: string;
  readonly botName: string;
  readonly theme: Theme;
  readonly position: Position;
  /** Hex colour. Left out, the theme's colour is used. */
  readonly primaryColor?: string | undefined;
  /** The greeting in the empty chat. Left out, a text in the language is shown. */
  readonly welcomeMessage?: WelcomeMessage | undefined;
  /** Left out, the built-in picture is used. */
  readonly avatarUrl?: string | undefined;
  /** Left out, a text in the language is used. */
  readonly inputPlaceholder?: string | undefined;
  /** Shows that a demo model answers. */
  readonly demo: boolean;
  /** Says in the header and before the first message that an AI answers. */
  readonly aiDisclosure: boolean;
  /** Hosts whose images cards may load, beside the page's own. */
  readonly imageHosts: readonly string[];
  /** A regular expression for the hosts that replies and cards may link to. Left out, any host is allowed. */
  readonly linkHosts?: string;
  /** The address of the onboarding tour's steps. Left out, there is no tour. */
  readonly tourUrl?: string;
  /** Left out, the widget neither speaks nor listens. */
  readonly voice?: VoiceSettings;
  /** The limits of pictures that users may send with a message. Left out, pictures are not allowed. */
  readonly images?: { readonly maxBytes: number; readonly maxCount: number; readonly types: readonly string[] };
  /** The limits of files that users may send with a message. Left out, files are not allowed. */
  readonly files?: { readonly maxBytes: number; readonly maxCount: number; readonly types: readonly string[] };
  /** Whether the panel names the tools that the provider runs itself. Left out, `HostedToolsReady` decides. */
  readonly showsHostedTools?: boolean;
  /** The panel shows how the agents on other servers are doing. Left out, it does not. */
  readonly showsRemoteAgents?: true;
  /** What the panel shows of them before the connection has told of them. Left out, nothing. */
  readonly expectedAgents?: readonly RemoteAgentState[];
  /** The panel shows how the MCP servers are doing. Left out, it does not. */
  readonly showsMcpServers?: true;
  /** What the panel shows of them before the connection has told of them. Left out, it has no place for them. */
  readonly expectedServers?: readonly McpServerState[];
  /** The tools of the provider that the panel names before the connection has told of them. Left out, none. */
  readonly expectedTools?: readonly string[];
  /** The panel leaves out which documents a reply goes by. Left out, it shows those that the server tells of. */
  readonly hidesSources?: true;
  /** Tools that the page offers by WebMCP become UI actions. Left out, they do not. */
  readonly webMcp?: true;
  /** Users may rate replies. Left out, they may not. */
  readonly feedback?: true;
  /** The panel asks what the user could say after an answer. Left out, it does not. */
  readonly followUps?: true;
  /** The first messages that the empty panel offers. For a page, the widget writes in its own language that the user wants to go there. */
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

/** The language of a locale such as `it`, `it-IT` or `pt_BR`. Undefined for one that the server does not speak. */
export function languageOfLocale(locale: string): Language | undefined {
  const tag = (locale.split(/[-_]/, 1)[0] ?? '').toLowerCase();
  return languages.find((language) => languageTags[language].split('-', 1)[0] === tag);
}
