import { Component, createRef, type JSX } from 'preact';
import type { ConversationState } from '../../conversation/conversation-state.ts';
import type { MenuProps } from '../../menu/menu-contract.ts';
import { Icon, type IconName } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';

interface HeaderProps {
  readonly context: PanelContext;
  readonly state: Pick<ConversationState, 'connection' | 'status' | 'isDemo'>;
}

/**
 * The head of the panel, one line high: who answers, the menu, and two buttons. How the panel is connected has a line of its own, which
 * lies over the transcript and moves nothing.
 */
export function Header({ context, state }: HeaderProps): JSX.Element {
  const { texts, display, actions } = context;
  const { connection, isDemo } = state;
  const status = texts.connection[connection];
  return (
    <>
      <div class="header" part="header">
        <Avatar url={display.avatarUrl} />
        <span class={`dot is-${health(state)}`} aria-hidden="true" />
        <h2 class="name" dir="auto" title={display.botName}>
          {display.botName}
        </h2>
        {context.aiDisclosure && <Badge kind="is-ai" name={texts.aiName} meaning={texts.aiNotice} />}
        {isDemo && <Badge kind="is-demo" name={texts.demo} meaning={texts.demoHint} />}
        <More context={context} state={state} />
        <IconButton name={texts.newConversation} icon="renew" press={actions.newConversation} />
        <IconButton name={texts.closeChat} icon="close" press={actions.close} />
      </div>
      {status && (
        <div class="connection-line">
          <p class={`connection is-${connection}`}>{status}</p>
        </div>
      )}
    </>
  );
}

interface IconButtonProps {
  readonly name: string;
  readonly icon: IconName;
  readonly press: () => void;
}

function IconButton({ name, icon, press }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={name} title={name} onClick={press}>
      <Icon name={icon} />
    </button>
  );
}

/** What the dot shows. The menu and the line of the connection say it in words. */
function health({ connection, status: { agents = [], servers = [] } }: HeaderProps['state']): string {
  if (connection !== 'connected') return connection;
  return [...agents, ...servers].some((service) => service.status !== 'connected') ? 'troubled' : connection;
}

/** The button of the menu, and the menu while it is open. It is there where the menu has something to show. */
class More extends Component<HeaderProps, { readonly isOpen: boolean }> {
  override state = { isOpen: false };
  readonly #button = createRef<HTMLButtonElement>();

  readonly #close: MenuProps['close'] = (then) => {
    const { current: button } = this.#button;
    this.setState({ isOpen: false }, () => button && then?.(button));
  };

  readonly #toggle = (): void => {
    this.props.context.actions.openMenu();
    this.setState(({ isOpen }) => ({ isOpen: !isOpen }));
  };

  override render({ context, state }: HeaderProps, { isOpen }: { readonly isOpen: boolean }): JSX.Element | null {
    const { texts, Menu, menuItems } = context;
    if (!state.isDemo && !menuItems[0] && !Object.keys(state.status)[0]) return null;
    return (
      <div class="more">
        <button
          type="button"
          class="icon-button"
          aria-label={texts.more}
          aria-expanded={isOpen}
          aria-controls={isOpen ? menuId : undefined}
          title={texts.more}
          ref={this.#button}
          // The press would take the focus from the open menu, which closes then, and opens again.
          onMouseDown={(event) => event.preventDefault()}
          onClick={this.#toggle}
        >
          <Icon name="more" />
        </button>
        {isOpen && Menu && <Menu id={menuId} items={menuItems} state={state} texts={texts} close={this.#close} />}
      </div>
    );
  }
}

const menuId = 'menu';

/** A word whose meaning appears under the pointer and is read by screen readers. */
function Badge(props: { readonly kind: string; readonly name: string; readonly meaning: string }): JSX.Element {
  const { kind, name, meaning } = props;
  return (
    <span class={`badge ${kind}`} title={meaning}>
      {name}
      <span class="visually-hidden">: {meaning}</span>
    </span>
  );
}

interface AvatarProps {
  readonly url: string | undefined;
}

/** The assistant's picture. The built-in one is shown where none is set or the set one cannot be loaded. */
export class Avatar extends Component<AvatarProps, { readonly failed?: string | undefined }> {
  override render({ url }: AvatarProps, { failed }: { readonly failed?: string | undefined }): JSX.Element {
    return (
      <span class="avatar" aria-hidden="true">
        {url === failed ? (
          <Icon name="spark" />
        ) : (
          <img src={url} alt="" onError={() => this.setState({ failed: url })} />
        )}
      </span>
    );
  }
}
