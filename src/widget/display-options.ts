import type { Language, Position, Theme } from '../wire/client-settings.ts';
import type { WelcomeMessage } from '../wire/welcome-message.ts';

/**
 * What a page may choose for itself, by `data-` attributes or `HelperWidget.init` (contract/widget.md#looks). No choice affects a rule of
 * the server.
 */
export interface ChosenDisplay {
  /** Null: the language of the page. */
  readonly language: Language | null;
  readonly theme: Theme;
  readonly position: Position;
  /** A hex colour. Left out, the theme's colour applies. */
  readonly primaryColor?: string | undefined;
  readonly botName: string;
  /** Left out, a built-in text in the user's language greets. */
  readonly welcomeMessage?: WelcomeMessage | undefined;
  /** Left out, the built-in picture is shown. */
  readonly avatarUrl?: string | undefined;
  /** Left out, a built-in text in the user's language is shown. */
  readonly inputPlaceholder?: string | undefined;
}

/** How the widget looks now. Choices that follow the page are resolved. */
export interface DisplayOptions extends ChosenDisplay {
  readonly language: Language;
  readonly theme: Exclude<Theme, 'Auto'>;
}
