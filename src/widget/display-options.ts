import type { Language, Position, Theme } from '../wire/client-settings.ts';
import type { WelcomeMessage } from '../wire/welcome-message.ts';

/** What a page may choose for itself, by `data-` attributes or `HelperWidget.init` (contract/widget.md#looks). Never a rule. */
export interface ChosenDisplay {
  /** null: the page's own. */
  readonly language: Language | null;
  readonly theme: Theme;
  readonly position: Position;
  /** Hex colour; without one the theme's stays. */
  readonly primaryColor?: string | undefined;
  readonly botName: string;
  /** Without one a text in the language greets. */
  readonly welcomeMessage?: WelcomeMessage | undefined;
  /** Without one the picture is the built-in one. */
  readonly avatarUrl?: string | undefined;
  /** Without one a text in the language. */
  readonly inputPlaceholder?: string | undefined;
}

/** How the widget looks at the moment: what follows the page is decided. */
export interface DisplayOptions extends ChosenDisplay {
  readonly language: Language;
  readonly theme: Exclude<Theme, 'Auto'>;
}
