import type { Language, Position, Theme } from '../wire/client-settings.ts';

/** What a page may choose for itself, by `data-` attributes or `HelperWidget.init` (configuration.md 4). Never a rule. */
export interface ChosenDisplay {
  /** null: the page's own. */
  readonly language: Language | null;
  readonly theme: Theme;
  readonly position: Position;
  /** Hex colour; null keeps the theme's. */
  readonly primaryColor: string | null;
  readonly botName: string;
}

/** How the widget looks at the moment: what follows the page is decided. */
export interface DisplayOptions extends ChosenDisplay {
  readonly language: Language;
  readonly theme: Exclude<Theme, 'Auto'>;
}
