import { Component, type JSX } from 'preact';
import type { ConversationState } from '../../conversation/conversation-state.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { Slot } from '../slot.tsx';

interface HeaderProps {
  readonly context: PanelContext;
  readonly state: Pick<ConversationState, 'connection' | 'status' | 'isDemo'>;
}

/** The head of the panel: the assistant's name, what stands behind it, the state of the connection, and the button that closes. */
export function Header({ context, state }: HeaderProps): JSX.Element {
  const { texts, display, actions, StatusLine } = context;
  const { connection, isDemo } = state;
  const status = texts.connection[connection];
  return (
    <div class="header" part="header">
      <Avatar url={display.avatarUrl} />
      <div class="identity">
        <div class="name-line">
          <h2 class="name" dir="auto">
            {display.botName}
          </h2>
          {context.aiDisclosure && <Badge kind="is-ai" name={texts.aiName} meaning={texts.aiNotice} />}
        </div>
        {Object.keys(state.status)[0] &&
          (StatusLine ? (
            <StatusLine state={state} locale={texts.locale} />
          ) : (
            // The chunk that draws the line is loaded as soon as there is something to tell.
            <div ref={actions.openStatus} />
          ))}
        {status && <p class={`connection is-${connection}`}>{status}</p>}
      </div>
      {isDemo && <Badge kind="is-demo" name={texts.demo} meaning={texts.demoHint} />}
      <Slot nodes={context.voice?.reading} />
      <button
        type="button"
        class="icon-button"
        aria-label={texts.newConversation}
        title={texts.newConversation}
        onClick={actions.newConversation}
      >
        <Icon name="renew" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.closeChat}
        title={texts.closeChat}
        onClick={actions.close}
      >
        <Icon name="close" />
      </button>
    </div>
  );
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
