import type { MenuItem } from '../menu/menu-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';

/** What the room of the panel needs. */
export interface RoomOptions {
  readonly host: Pick<PanelHost, 'root' | 'scriptUrl' | 'isPage'>;
  /** The panel itself. */
  readonly dialog: HTMLElement;
  readonly texts: () => Pick<WidgetTexts, 'locale'>;
}

/** How large the panel is, and which keys it has. */
export interface Room {
  /** The items of the menu. */
  readonly items: readonly MenuItem[];
  /** Draws the texts in the current language. */
  redraw(): void;
  destroy(): void;
}

/** What the `room` chunk exports. */
export interface RoomModule {
  readonly openRoom: (options: RoomOptions) => Room;
  readonly styles: string;
}
