import { Component, createRef, type JSX, type RefObject } from 'preact';
import type { ConfirmationEntry } from '../conversation/conversation-state.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import type { Editor } from '../edit/edit-contract.ts';
import { fill } from '../texts/widget-texts.ts';
import { Icon } from '../panel/icon.tsx';
import type { PanelContext } from '../panel/panel-context.ts';
import { askerText, failureText, originText, repeatedText, untilText } from '../panel/state-texts.ts';
import { ArgumentList } from './argument-list.tsx';
import { BasedOn, Sentence } from './based-on.tsx';
import { DecidedQuestion } from './decided-question.tsx';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface ConfirmationBoxProps {
  readonly context: PanelContext;
  readonly entry: ConfirmationEntry;
  /** Its place among the open questions. Empty where it is the only one. */
  readonly place: string;
}

interface ConfirmationBoxState {
  /** The fields that replace the arguments while the user changes them. */
  readonly editor: Editor | null;
  readonly hasFailed: boolean;
  readonly remember: boolean;
}

/**
 * The question before an action runs (contract/confirmations.md#what-is-shown): its title, every argument as it will run, two buttons, and
 * below them what else there is to know. A decided question becomes one line with its outcome. If the focus was in the box, it moves to that line.
 */
export class ConfirmationBox extends Component<ConfirmationBoxProps, ConfirmationBoxState> {
  override state: ConfirmationBoxState = { editor: null, hasFailed: false, remember: false };
  readonly #box = createRef<HTMLElement>();
  /** The element that takes the focus from inside the box: the state of an open question, or the line of a decided one. */
  readonly #status = createRef<HTMLElement>();

  override getSnapshotBeforeUpdate(): boolean {
    return this.#hasFocus();
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean): void {
    // The element that had the focus has been removed.
    if (hadFocus && !this.#hasFocus()) this.#status.current?.focus();
  }

  #hasFocus(): boolean {
    return this.#box.current?.matches(':focus-within') === true;
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

  /** Moves to the open question that is `step` further, round and round. */
  readonly #go = (step: number): void => {
    const { current: box } = this.#box;
    const open = [...(box?.parentElement?.querySelectorAll<HTMLElement>(':scope > .is-open') ?? [])];
    open.at((open.findIndex((question) => question === box) + step) % open.length)?.focus();
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
    { context, entry, place }: ConfirmationBoxProps,
    { editor, hasFailed, remember }: ConfirmationBoxState,
  ): JSX.Element {
    const { texts } = context;
    const { request } = entry;
    if (entry.outcome !== null) {
      return <DecidedQuestion context={context} entry={entry} box={this.#box} line={this.#status} />;
    }
    // While the user changes values, the question does not name them.
    const title = (editor === null ? request.confirm?.title : undefined) ?? request.title;
    const titleId = `confirm-${String(entry.id)}`;
    const valuesId = `${titleId}-values`;
    const warningId = `${titleId}-warning`;
    const originId = `${titleId}-origin`;
    const placeId = `${titleId}-place`;
    const askerId = `${titleId}-asker`;
    const repeatedId = `${titleId}-repeated`;
    const asker = visibleParts(askerText(request, texts));
    const repeated = visibleParts(repeatedText(request, texts));
    const described = [
      ...(editor === null && request.arguments.length > 0 ? [valuesId] : []),
      ...(repeated.length > 0 ? [repeatedId] : []),
      ...(request.destructive ? [warningId] : []),
      ...(asker.length > 0 ? [askerId] : []),
      ...(originText(request, texts) === '' ? [] : [originId]),
    ];
    const status = this.#status as RefObject<HTMLParagraphElement>; // an open question gives the ref to a paragraph
    return (
      <section
        class="confirmation is-open"
        part="confirm"
        aria-labelledby={place === '' ? titleId : `${titleId} ${placeId}`}
        aria-describedby={described.join(' ') || undefined}
        tabIndex={-1}
        ref={this.#box}
      >
        <p class="eyebrow">
          <Icon name="question" />
          {texts.confirmTitle}
          {place !== '' && <Place id={placeId} text={place} texts={texts} onGo={this.#go} />}
        </p>
        <h3 class="confirm-title" id={titleId} dir="auto">
          <VisibleText parts={visibleParts(title)} />
        </h3>
        {editor === null ? (
          <ArgumentList id={valuesId} entry={entry} texts={texts} />
        ) : (
          <EditorSlot editor={editor} isSending={entry.answering !== null} />
        )}
        {request.editable && request.arguments.length > 0 && (
          <button type="button" class="link-button" onClick={() => void this.#edit()}>
            {editor === null ? texts.changeValues : texts.discardChanges}
          </button>
        )}
        {hasFailed && <Fault text={texts.editFailed} />}
        <Sentence id={repeatedId} kind="irreversible" parts={repeated} />
        {request.destructive && (
          <p class="irreversible" id={warningId}>
            <Icon name="warning" />
            {texts.irreversible}
          </p>
        )}
        {request.canRemember && (
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
        <Buttons context={context} entry={entry} onApprove={this.#approve} onDecline={this.#decline} />
        <p
          class={entry.failure === null ? 'outcome' : 'outcome is-failed'}
          role={entry.failure === null ? undefined : 'alert'}
          dir="auto"
          tabIndex={-1}
          ref={status}
        >
          {statusText(entry, context)}
        </p>
        {request.description !== '' && <VisibleValue parts={visibleParts(request.description)} texts={texts} />}
        <Sentence id={askerId} kind="asker" parts={asker} />
        <BasedOn id={originId} request={request} texts={texts} />
      </section>
    );
  }
}

/** Holds the editor's fields, which Preact does not draw. */
function EditorSlot({ editor, isSending }: { readonly editor: Editor; readonly isSending: boolean }): JSX.Element {
  const put = (slot: HTMLElement | null): void => {
    // Appending the element again would take the focus from its fields.
    if (slot !== null && editor.element.parentElement !== slot) slot.append(editor.element);
  };
  return <div ref={put} inert={isSending} />;
}

interface PlaceProps {
  readonly id: string;
  readonly text: string;
  readonly texts: PanelContext['texts'];
  readonly onGo: (step: number) => void;
}

/** Which of several open questions this is, and the ways to the others. */
function Place({ id, text, texts, onGo }: PlaceProps): JSX.Element {
  return (
    <span class="place">
      <span id={id}>{text}</span>
      <button type="button" class="icon-button" aria-label={texts.previousQuestion} onClick={() => onGo(-1)}>
        <Icon name="unfold" />
      </button>
      <button type="button" class="icon-button" aria-label={texts.nextQuestion} onClick={() => onGo(1)}>
        <Icon name="unfold" />
      </button>
    </span>
  );
}

interface ButtonsProps extends Omit<ConfirmationBoxProps, 'place'> {
  readonly onApprove: () => void;
  readonly onDecline: () => void;
}

function Buttons({ context, entry, onApprove, onDecline }: ButtonsProps): JSX.Element {
  const { texts } = context;
  const { confirm = {} } = entry.request;
  const chosen = entry.answering;
  // `disabled` would take the focus from the pressed button.
  const decided = chosen === null ? {} : ({ 'aria-disabled': 'true', tabIndex: -1 } as const);
  const ifOpen =
    (press: () => void) =>
    ({ detail }: MouseEvent): void => {
      // The user meant the second click of a double click for the element that stood here before.
      if (chosen === null && detail < 2) press();
    };
  return (
    <div class="actions">
      <button
        type="button"
        class={`button ${entry.request.destructive ? 'danger' : 'primary'}${chosen === 'approved' ? ' is-chosen' : ''}`}
        onClick={ifOpen(onApprove)}
        {...decided}
      >
        <VisibleText parts={visibleParts(confirm.approve ?? texts.approve)} />
      </button>
      <button
        type="button"
        class={`button${chosen === 'declined' ? ' is-chosen' : ''}`}
        onClick={ifOpen(onDecline)}
        {...decided}
      >
        <VisibleText parts={visibleParts(confirm.decline ?? texts.decline)} />
      </button>
    </div>
  );
}

/** Is read out as it appears. */
function Fault({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="outcome is-failed" role="alert">
      {text}
    </p>
  );
}

/** The line of an open question: the progress of its answer, or the time until which it can be answered. */
function statusText(entry: ConfirmationEntry, { texts }: PanelContext): string {
  const { answering, failure, request } = entry;
  if (answering !== null) return texts.confirmSending;
  if (failure !== null) return failureText(failure, texts);
  return request.expiresAt === undefined ? '' : untilText(request.expiresAt, texts);
}
