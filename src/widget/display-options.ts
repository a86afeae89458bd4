import type { Language, Position, Theme } from '../wire/client-settings.ts';

/** What a page may choose for itself, by `data-` attributes or `HelperWidget.init` (configuration.md 4). Never a rule. */
export interface DisplayOptions {
  readonly language: Language;
  readonly theme: Theme;
  readonly position: Position;
  /** Hex colour; null keeps the theme's. */
  readonly primaryColor: string | null;
  readonly botName: string;
}
