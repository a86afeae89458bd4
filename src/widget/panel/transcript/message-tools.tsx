import { Component, type JSX } from 'preact';
import { Icon, type IconName } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { momentText } from '../state-texts.ts';

interface MessageToolsProps {
  readonly context: PanelContext;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The text to copy. The user's own messages have none. */
  readonly text?: string;
}

interface MessageToolsState {
  /** Shows for a moment whether copying worked. */
  readonly icon: IconName;
}

const shownMs = 2000;

/**
 * The time of a message, and a button that copies it. Both are visible under the pointer, with the focus, and while the user reads by
 * keyboard.
 */
export class MessageTools extends Component<MessageToolsProps, MessageToolsState> {
  override state: MessageToolsState = { icon: 'copy' };
  #timer: ReturnType<typeof setTimeout> | undefined;

  override componentWillUnmount(): void {
    clearTimeout(this.#timer);
  }

  readonly #copy = async (): Promise<void> => {
    const isCopied = await this.props.context.actions.copy(this.props.text ?? '');
    this.setState({ icon: isCopied ? 'check' : 'warning' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.setState({ icon: 'copy' }), shownMs);
  };

  override render({ context, at, text }: MessageToolsProps, { icon }: MessageToolsState): JSX.Element {
    const { texts } = context;
    const moment = new Date(at);
    return (
      <div class="tools">
        <time dateTime={moment.toISOString()}>{momentText(moment, texts)}</time>
        {text !== undefined && (
          <button type="button" aria-label={texts.copy} title={texts.copy} onClick={() => void this.#copy()}>
            <Icon name={icon} />
          </button>
        )}
      </div>
    );
  }
}
