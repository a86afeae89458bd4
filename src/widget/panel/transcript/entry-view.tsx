import { Component, type ComponentChildren, type JSX } from 'preact';
import type { Entry } from '../../conversation/conversation-state.ts';
import { safeLink } from '../../nodes/safe-link.ts';
import { fill } from '../../texts/widget-texts.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { Slot } from '../slot.tsx';
import { noticeText, renewalText } from '../state-texts.ts';
import { ActionLine } from './action-line.tsx';
import { BesideView } from './beside-view.tsx';
import { CardView } from './card-view.tsx';
import { ReplyBubble } from './reply-bubble.tsx';
import { Tools } from './tools.tsx';

interface EntryViewProps {
  readonly context: PanelContext;
  readonly entry: Entry;
  /** The place of a question among those that are open. Empty for all other entries. */
  readonly place: string;
  /** Whether the entry belongs to the last exchange, while nothing runs. */
  readonly isLast: boolean;
}

/** One line of the transcript. It is drawn again only when it has changed. */
export class EntryView extends Component<EntryViewProps> {
  override shouldComponentUpdate(next: EntryViewProps): boolean {
    const { entry, place, isLast, context } = this.props;
    return (
      next.entry !== entry || next.isLast !== isLast || next.place !== place || next.context.version !== context.version
    );
  }

  override render({ context, entry, place, isLast }: EntryViewProps): JSX.Element {
    switch (entry.kind) {
      case 'user':
        return (
          <div class="message from-user" part="message-user">
            <span class="visually-hidden">{context.texts.youSaid}</span>
            {entry.images && <Slot nodes={context.images?.sent(entry.images)} />}
            {entry.text !== '' && (
              <div class="bubble" dir="auto">
                {entry.text}
              </div>
            )}
            <Tools context={context} entry={entry} isLast={isLast} />
          </div>
        );
      case 'reply':
        return <ReplyBubble context={context} entry={entry} isLast={isLast} />;
      case 'action':
        return <ActionLine context={context} entry={entry} />;
      case 'confirmation':
      case 'receipts':
      case 'sources':
      case 'thought':
        return <BesideView context={context} entry={entry} place={place} />;
      case 'card':
        return <CardView context={context} entry={entry} />;
      case 'navigation':
        return <NavigationLine context={context} entry={entry} />;
      case 'notice':
        return <NoticeLine context={context} entry={entry} />;
    }
  }
}

function NavigationLine(props: {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'navigation' }>;
}): JSX.Element {
  const { texts, links } = props.context;
  const { title, url, isHandled } = props.entry;
  const address = safeLink(url, links);
  return (
    <div class="action-line">
      <Icon name="page" />
      {isHandled || address === null ? (
        <span>{fill(texts.opening, { page: title })}</span>
      ) : (
        <a href={address}>{fill(texts.openPage, { page: title })}</a>
      )}
    </div>
  );
}

function NoticeLine(props: {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'notice' }>;
}): JSX.Element {
  const { texts, display, actions } = props.context;
  const { notice, retry } = props.entry;
  const isQuiet = notice.type === 'stopped' || notice.type === 'forgotten';
  const { budget, retryAt = 0 } = 'message' in notice ? notice : {};
  return (
    <div class={isQuiet ? 'notice is-quiet' : `notice is-${notice.type}`}>
      <p dir="auto">{noticeText(notice, texts, display.botName)}</p>
      {budget && <p>{renewalText(budget, texts)}</p>}
      {retry !== null && (
        <RetryButton at={retryAt} onClick={() => actions.send(retry)}>
          {texts.retry}
        </RetryButton>
      )}
    </div>
  );
}

interface RetryButtonProps {
  /** Epoch milliseconds, before which the button does nothing. */
  readonly at: number;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** The button that sends a message again, once that can help. */
class RetryButton extends Component<RetryButtonProps, { readonly isDue?: boolean }> {
  #timer: ReturnType<typeof setTimeout> | undefined;

  override componentDidMount(): void {
    const left = this.props.at - Date.now();
    if (left > 0) this.#timer = setTimeout(() => this.setState({ isDue: true }), left);
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer);
  }

  override render({ at, onClick, children }: RetryButtonProps, { isDue }: { readonly isDue?: boolean }): JSX.Element {
    const isEarly = isDue !== true && Date.now() < at;
    return (
      <button type="button" class="button" aria-disabled={isEarly} onClick={isEarly ? undefined : onClick}>
        {children}
      </button>
    );
  }
}
