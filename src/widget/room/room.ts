import type { MenuItem } from '../menu/menu-contract.ts';
import { Grip } from './grip.ts';
import { KeyList } from './key-list.ts';
import { readSize, type Size, writeSize } from './kept-size.ts';
import type { Room, RoomModule, RoomOptions } from './room-contract.ts';
import { roomTexts } from './room-texts.ts';

/** Fields in which a question mark is a character. */
const fields = 'input, textarea, select, [contenteditable]';

/** How large the panel is, and which keys it has (contract/widget.md#room). */
export const openRoom: RoomModule['openRoom'] = (options) => new PanelRoom(options);

class PanelRoom implements Room {
  readonly #options: RoomOptions;
  readonly #keys: KeyList;
  readonly #grip: Grip | null;
  readonly #end = new AbortController();
  #size: Size;

  constructor(options: RoomOptions) {
    const { host, dialog } = options;
    this.#options = options;
    this.#size = host.isPage === true ? {} : readSize(host.scriptUrl);
    this.#keys = new KeyList(dialog, () => roomTexts(options.texts().locale));
    this.#grip = host.isPage === true ? null : new Grip(dialog, host.root, (width) => this.#take({ width }));
    dialog.addEventListener('keydown', this.#press, { signal: this.#end.signal });
    this.redraw();
    this.#apply();
  }

  get items(): readonly MenuItem[] {
    const { host, texts } = this.#options;
    const expand: MenuItem = {
      icon: 'expand',
      path: 'M14 4h6v6m0-6-7 7M10 20H4v-6m0 6 7-7',
      name: () => roomTexts(texts().locale).larger,
      isOn: () => this.#size.isLarge === true,
      press: (opener) => {
        this.#take({ isLarge: this.#size.isLarge !== true });
        opener.focus();
      },
    };
    const keys: MenuItem = {
      icon: 'keys',
      path: 'M3 7h18v10H3zm4 3h.01M11 10h.01M15 10h.01M8 14h8',
      name: () => roomTexts(texts().locale).keys,
      press: (opener) => this.#keys.open(opener),
    };
    // A phone has neither room to give nor keys, and a narrow window has no room.
    const hasKeys = matchMedia('(any-hover: hover)').matches;
    const hasRoom = host.isPage !== true && hasKeys && matchMedia('(min-width: 480px)').matches;
    return [...(hasRoom ? [expand] : []), ...(hasKeys ? [keys] : [])];
  }

  redraw(): void {
    this.#grip?.name(roomTexts(this.#options.texts().locale).width);
    this.#keys.redraw();
  }

  destroy(): void {
    this.#end.abort();
    this.#grip?.remove();
  }

  readonly #press = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    if (event.key !== '?' || event.isComposing || !(target instanceof HTMLElement) || target.matches(fields)) return;
    event.preventDefault();
    this.#keys.open(target);
  };

  #take(size: Size): void {
    this.#size = { ...this.#size, ...size };
    writeSize(this.#options.host.scriptUrl, this.#size);
    this.#apply();
  }

  #apply(): void {
    const { dialog } = this.#options;
    const { width, isLarge = false } = this.#size;
    dialog.classList.toggle('is-large', isLarge);
    if (width === undefined) dialog.style.removeProperty('--room-width');
    else dialog.style.setProperty('--room-width', `${String(width)}px`);
    this.#grip?.tell();
  }
}
