import type { ClientSettings } from './client-settings.ts';

/** What the server writes into `embed.js` for its embed page (contract/embed.md). Public; holds no secret. */
export interface EmbedSettings extends ClientSettings {
  /** Who may frame the page: exact origins, and `'self'` for the page's own. */
  readonly frameAncestors: readonly string[];
}
