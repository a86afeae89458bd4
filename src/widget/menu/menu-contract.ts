import type { ComponentType } from 'preact';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

/** A button of the menu. */
export interface MenuItem {
  /** Names the drawing, which is the SVG path `path`. */
  readonly icon: string;
  readonly path: string;
  /** Its label, in the panel's language. */
  readonly name: () => string;
  /** Whether what the button switches is on now. Left out where it switches nothing. */
  readonly isOn?: () => boolean;
  /** The menu has closed. `opener` is the button that opens it, and takes the focus when the user comes back. */
  readonly press: (opener: HTMLElement) => void;
}

/** What the button and its menu show. */
export interface MenuProps {
  readonly items: readonly MenuItem[];
  readonly state: Pick<ConversationState, 'connection' | 'status' | 'isDemo'>;
  readonly texts: Pick<WidgetTexts, 'connection' | 'demoHint' | 'locale' | 'more'>;
}

/** What the `menu` chunk exports. Its components use the panel's own Preact (scripts/build-widget.ts). */
export interface MenuModule {
  readonly Menu: ComponentType<MenuProps>;
  readonly styles: string;
}
