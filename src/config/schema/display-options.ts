import type { SettingSchema } from './setting-schema.ts';

/** Languages of replies and texts (contract/assistant.md#language). */
const language = {
  type: 'string',
  enum: ['English', 'Italian', 'French', 'German', 'Spanish', 'Portuguese', 'Dutch', 'Polish', 'Japanese', 'Chinese'],
} as const satisfies SettingSchema;

const theme = {
  type: 'string',
  enum: ['Default', 'Dark', 'Minimal', 'Custom', 'Auto'],
} as const satisfies SettingSchema;

const position = {
  type: 'string',
  enum: ['BottomRight', 'BottomLeft', 'TopRight', 'TopLeft', 'SideRight', 'SideLeft'],
} as const satisfies SettingSchema;

/** What an option of the widget's look may be, for the top level and for `client` (contract/widget.md#looks). */
export const displayOptions = {
  language,
  theme,
  position,
  botName: { type: 'string', minLength: 1, maxLength: 100 },
  welcomeMessage: { type: ['string', 'null'], maxLength: 10_000, default: null },
  avatarUrl: { type: ['string', 'null'], format: 'asset-url', default: null },
  inputPlaceholder: { type: ['string', 'null'], maxLength: 200, default: null },
  primaryColor: {
    type: ['string', 'null'],
    pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
    allowed: 'a hex colour such as "#0a7" or "#00aa77" (in quotes, # begins a comment)',
    default: null,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;
