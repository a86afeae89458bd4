import { Component, type JSX } from 'preact';
import type { WelcomeMessage } from '../../../wire/welcome-message.ts';
import { createNode } from '../../nodes/create-node.ts';
import type { PanelContext } from '../panel-context.ts';
import { Avatar } from '../window/header.tsx';
import { Suggestions } from './suggestions.tsx';

/** The content of an empty chat: who answers, a greeting, and suggestions. */
export function Welcome({ context }: { readonly context: PanelContext }): JSX.Element {
  const { texts, display } = context;
  return (
    <div class="welcome">
      <Avatar url={display.avatarUrl} />
      {display.welcomeMessage === undefined ? (
        <>
          <h3>{texts.welcomeTitle}</h3>
          <p>{texts.welcomeText}</p>
        </>
      ) : (
        <Greeting message={display.welcomeMessage} />
      )}
      {context.aiDisclosure && <p class="ai-notice">{texts.aiNotice}</p>}
      <Suggestions context={context} />
    </div>
  );
}

/**
 * The welcome message (contract/widget.md#looks). The server has checked its addresses. The message is drawn once, so that a link in it
 * keeps its focus.
 */
class Greeting extends Component<{ readonly message: WelcomeMessage }> {
  override shouldComponentUpdate(next: { readonly message: WelcomeMessage }): boolean {
    return next.message !== this.props.message;
  }

  override render({ message }: { readonly message: WelcomeMessage }): JSX.Element {
    const fill = (element: HTMLElement | null): void => element?.replaceChildren(...message.map(createNode));
    return <div class="greeting markdown" dir="auto" ref={fill} />;
  }
}
