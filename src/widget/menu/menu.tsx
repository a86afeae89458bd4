import { Component, createRef, type JSX } from 'preact';
import type { MenuItem, MenuProps } from './menu-contract.ts';
import { menuTexts } from './menu-texts.ts';
import { Services } from './services.tsx';
import { StateLine } from './state-line.tsx';

const focusable = 'button, summary, [tabindex="0"]';

const menuId = 'menu';

/** The button in the header that opens the menu, and the menu while it is open. */
export class Menu extends Component<MenuProps, { readonly isOpen: boolean }> {
  override state = { isOpen: false };
  readonly #button = createRef<HTMLButtonElement>();

  readonly #close: OpenMenuProps['close'] = (then) => {
    const { current: button } = this.#button;
    this.setState({ isOpen: false }, () => button && then?.(button));
  };

  readonly #toggle = (): void => this.setState(({ isOpen }) => ({ isOpen: !isOpen }));

  override render(props: MenuProps, { isOpen }: { readonly isOpen: boolean }): JSX.Element {
    const { more } = props.texts;
    return (
      <div class="more">
        <button
          type="button"
          class="icon-button"
          aria-label={more}
          aria-expanded={isOpen}
          aria-controls={isOpen ? menuId : undefined}
          title={more}
          ref={this.#button}
          // The press would take the focus from the open menu, which closes then, and opens again.
          onMouseDown={(event) => event.preventDefault()}
          onClick={this.#toggle}
        >
          <svg class="icon icon-more" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M5 12h.01M12 12h.01M19 12h.01" />
          </svg>
        </button>
        {isOpen && <OpenMenu {...props} close={this.#close} />}
      </div>
    );
  }
}

interface OpenMenuProps extends MenuProps {
  /** Closes the menu. `then` runs afterwards, with the button that opens it. */
  readonly close: (then?: (opener: HTMLElement) => void) => void;
}

/**
 * The menu of the header: what the header has no room for, and in words what its dot says (contract/widget.md#looks). It takes the focus
 * as it opens, and closes when it loses it.
 */
class OpenMenu extends Component<OpenMenuProps> {
  readonly #element = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    const { current: element } = this.#element;
    (element?.querySelector<HTMLElement>(focusable) ?? element)?.focus();
  }

  readonly #press = (event: KeyboardEvent): void => {
    const { current: element } = this.#element;
    if (event.isComposing || element === null) return;
    if (event.key === 'Escape') this.props.close((opener) => opener.focus());
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.#move(event.key === 'ArrowDown' ? 1 : -1);
    else return;
    // Without this, the key would also act on the panel.
    event.preventDefault();
    event.stopPropagation();
  };

  #move(by: number): void {
    const { current: element } = this.#element;
    const all = [...(element?.querySelectorAll<HTMLElement>(focusable) ?? [])];
    const now = all.findIndex((item) => item.matches(':focus'));
    all.at((now + by) % all.length)?.focus();
  }

  readonly #leave = ({ relatedTarget }: FocusEvent): void => {
    const { current: element } = this.#element;
    if (relatedTarget instanceof Node && element?.parentElement?.contains(relatedTarget) === true) return;
    this.props.close();
  };

  override render({ items, state, texts, close }: OpenMenuProps): JSX.Element {
    const connections = { ...menuTexts(texts.locale), ...texts.connection };
    return (
      <div
        class="menu"
        id={menuId}
        role="group"
        aria-label={texts.more}
        tabIndex={-1}
        ref={this.#element}
        onKeyDown={this.#press}
        onFocusOut={this.#leave}
      >
        {items.length > 0 && (
          <ul role="list">
            {items.map((item) => (
              <Item key={item.icon} item={item} close={close} />
            ))}
          </ul>
        )}
        <p class="menu-line">
          <StateLine name={connections.chat} words={connections[state.connection]} state={state.connection} />
        </p>
        {state.isDemo && <p class="menu-hint">{texts.demoHint}</p>}
        <Services state={state} locale={texts.locale} />
      </div>
    );
  }
}

interface ItemProps extends Pick<OpenMenuProps, 'close'> {
  readonly item: MenuItem;
}

function Item({ item, close }: ItemProps): JSX.Element {
  return (
    <li>
      <button type="button" class="menu-item" aria-pressed={item.isOn?.()} onClick={() => close(item.press)}>
        <svg class={`icon icon-${item.icon}`} viewBox="0 0 24 24" aria-hidden="true">
          <path d={item.path} />
        </svg>
        {item.name()}
      </button>
    </li>
  );
}
