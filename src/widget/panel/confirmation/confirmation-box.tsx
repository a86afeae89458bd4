import { Component, createRef, type JSX } from 'preact';
import type { ConfirmationEntry } from '../../conversation/conversation-state.ts';
import { visibleParts } from '../../conversation/visible-text.ts';
import type { Editor } from '../../edit/edit-contract.ts';
import { fill } from '../../texts/widget-texts.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { failureText, outcomeText, untilText } from '../state-texts.ts';
import { ArgumentList } from './argument-list.tsx';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface ConfirmationBoxProps {
  readonly context: PanelContext;
  readonly entry: ConfirmationEntry;
}

interface ConfirmationBoxState {
  /** The fields that stand in place of the arguments while they are changed. */
  readonly editor: Editor | null;
  readonly hasFailed: boolean;
  readonly remember: boolean;
}

/**
 * The question before an action runs (wire.md 5): its own words, every argument as it will run, and two buttons. Answered
 * here, the buttons stay where they are, so that the focus is not lost; decided elsewhere, they go. The outcome stays.
 */
export class ConfirmationBox extends Component<ConfirmationBoxProps, ConfirmationBoxState> {
  override state: ConfirmationBoxState = { editor: null, hasFailed: false, remember: false };
  readonly #section = createRef<HTMLElement>();
  readonly #outcome = createRef<HTMLParagraphElement>();

  override getSnapshotBeforeUpdate(): boolean {
    return this.#hasFocus();
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean): void {
    // What had the focus is gone: whoever was here reads on with the outcome.
    if (hadFocus && !this.#hasFocus()) this.#outcome.current?.focus();
  }

  #hasFocus(): boolean {
    return this.#section.current?.matches(':focus-within') === true;
  }

  readonly #approve = (): void => {
    const { context, entry } = this.props;
    const { editor, remember } = this.state;
    const edited = editor === null ? null : editor.read();
    if (edited === undefined) return;
    context.actions.answer(entry.request.actionId, true, {
      ...(remember ? { remember } : {}),
      ...(edited === null ? {} : { arguments: edited }),
    });
  };

  readonly #decline = (): void => {
    this.props.context.actions.answer(this.props.entry.request.actionId, false);
  };

  readonly #edit = async (): Promise<void> => {
    if (this.state.editor !== null) {
      this.setState({ editor: null });
      return;
    }
    const { context, entry } = this.props;
    try {
      const editor = await context.actions.editArguments(entry.request.arguments, `edit-${String(entry.id)}`);
      const isStillHere = this.#hasFocus();
      this.setState({ editor, hasFailed: false }, () => {
        if (isStillHere) editor.focus();
      });
    } catch {
      this.setState({ hasFailed: true });
    }
  };

  override render(
    { context, entry }: ConfirmationBoxProps,
    { editor, hasFailed, remember }: ConfirmationBoxState,
  ): JSX.Element {
    const { texts } = context;
    const { request, outcome } = entry;
    const titleId = `confirm-${String(entry.id)}`;
    const valuesId = `${titleId}-values`;
    const isOpen = outcome === null;
    return (
      <section
        class={`confirmation is-${outcome ?? 'open'}`}
        part="confirm"
        aria-labelledby={titleId}
        aria-describedby={editor === null && request.arguments.length > 0 ? valuesId : undefined}
        tabIndex={-1}
        ref={this.#section}
      >
        <p class="eyebrow">
          <Icon name={isOpen ? 'question' : outcome === 'approved' ? 'check' : 'cross'} />
          {texts.confirmTitle}
        </p>
        <h3 class="confirm-title" id={titleId} dir="auto">
          <VisibleText parts={visibleParts(request.title)} />
        </h3>
        {request.description !== '' && <VisibleValue parts={visibleParts(request.description)} texts={texts} />}
        {isOpen && editor !== null ? (
          <EditorSlot editor={editor} isSending={entry.answering !== null} />
        ) : (
          <ArgumentList id={valuesId} entry={entry} texts={texts} />
        )}
        {isOpen && request.editable && request.arguments.length > 0 && (
          <button type="button" class="link-button" onClick={() => void this.#edit()}>
            {editor === null ? texts.changeValues : texts.discardChanges}
          </button>
        )}
        {hasFailed && <p class="outcome is-failed">{texts.editFailed}</p>}
        {isOpen && request.canRemember && (
          <label class="remember">
            <input
              type="checkbox"
              checked={remember}
              onChange={({ currentTarget }) => this.setState({ remember: currentTarget.checked })}
            />
            <span dir="auto">
              <VisibleText parts={visibleParts(fill(texts.remember, { action: request.title }))} />
            </span>
          </label>
        )}
        {(isOpen || entry.by === 'me') && (
          <Buttons context={context} entry={entry} onApprove={this.#approve} onDecline={this.#decline} />
        )}
        <p
          class={entry.failure === null ? 'outcome' : 'outcome is-failed'}
          role={entry.failure === null ? undefined : 'alert'}
          dir="auto"
          tabIndex={-1}
          ref={this.#outcome}
        >
          {statusText(entry, context)}
        </p>
      </section>
    );
  }
}

/** The fields, which are no part of what Preact draws. */
function EditorSlot({ editor, isSending }: { readonly editor: Editor; readonly isSending: boolean }): JSX.Element {
  const put = (slot: HTMLElement | null): void => {
    // Putting it where it is would take its focus away.
    if (slot !== null && editor.element.parentElement !== slot) slot.append(editor.element);
  };
  return <div ref={put} inert={isSending} />;
}

interface ButtonsProps extends ConfirmationBoxProps {
  readonly onApprove: () => void;
  readonly onDecline: () => void;
}

function Buttons({ context, entry, onApprove, onDecline }: ButtonsProps): JSX.Element {
  const { texts } = context;
  const chosen = entry.answering ?? entry.outcome;
  // `disabled` would take the focus away from whoever just pressed it.
  const decided = chosen === null ? {} : ({ 'aria-disabled': 'true', tabIndex: -1 } as const);
  const ifOpen = (press: () => void) => (): void => {
    if (chosen === null) press();
  };
  return (
    <div class="actions">
      <button
        type="button"
        class={`button primary${chosen === 'approved' ? ' is-chosen' : ''}`}
        onClick={ifOpen(onApprove)}
        {...decided}
      >
        {texts.approve}
      </button>
      <button
        type="button"
        class={`button${chosen === 'declined' ? ' is-chosen' : ''}`}
        onClick={ifOpen(onDecline)}
        {...decided}
      >
        {texts.decline}
      </button>
    </div>
  );
}

/** How it ended or went wrong, and until when it can be answered. */
function statusText(entry: ConfirmationEntry, { texts }: PanelContext): string {
  const { outcome, answering, failure, request } = entry;
  if (outcome !== null) return outcomeText(entry, texts);
  if (answering !== null) return texts.confirmSending;
  if (failure !== null) return failureText(failure, texts);
  return request.expiresAt === undefined ? '' : untilText(request.expiresAt, texts);
}
