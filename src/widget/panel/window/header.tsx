import { Component, type JSX } from 'preact';
import type { ConversationState } from '../../conversation/conversation-state.ts';
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
  const { texts, display, actions, Menu, menuItems } = context;
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
        {(isDemo || menuItems[0] || Object.keys(state.status)[0]) &&
          (Menu ? (
            <Menu items={menuItems} state={state} texts={texts} />
          ) : (
            // The chunk is loaded as soon as the menu has something to show.
            <span ref={actions.openMenu} />
          ))}
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
