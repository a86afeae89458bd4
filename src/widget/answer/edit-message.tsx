import { Component, createRef, type JSX } from 'preact';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { AnswerTexts } from './answer-texts.ts';

interface EditMessageProps {
  readonly texts: AnswerTexts & Pick<WidgetTexts, 'send'>;
  readonly text: string;
  /** UTF-16 code units; 0: no limit. */
  readonly maxLength: number;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}

/** A field for other words of the user's last message. */
export class EditMessage extends Component<EditMessageProps> {
  readonly #field = createRef<HTMLTextAreaElement>();

  override componentDidMount(): void {
    const { current: field } = this.#field;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  readonly #send = (event: Event): void => {
    event.preventDefault();
    const text = this.#field.current?.value.trim() ?? '';
    if (text !== '') this.props.send(text);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) this.#send(event);
    if (event.key !== 'Escape') return;
    // Without this, the key would also close the panel. The browser closes a modal dialog by itself.
    event.preventDefault();
    event.stopPropagation();
    this.props.cancel();
  };

  override render({ texts, text, maxLength, cancel }: EditMessageProps): JSX.Element {
    return (
      <form class="edit-message" onSubmit={this.#send}>
        <textarea
          aria-label={texts.edit}
          defaultValue={text}
          {...(maxLength > 0 ? { maxLength } : {})}
          rows={3}
          dir="auto"
          ref={this.#field}
          onKeyDown={this.#key}
        />
        <p>
          <button type="button" class="button" onClick={cancel}>
            {texts.cancel}
          </button>
          <button type="submit" class="button primary">
            {texts.send}
          </button>
        </p>
      </form>
    );
  }
}
