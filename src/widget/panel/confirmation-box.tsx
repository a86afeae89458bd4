import type { JSX } from 'preact';
import type { Entry } from '../chat/chat-state.ts';
import { visibleParts, visibleValue } from '../chat/visible-text.ts';
import { fill } from '../texts/widget-texts.ts';
import { Icon } from './icon.tsx';
import type { PanelContext } from './panel-context.ts';
import { failureText, outcomeText } from './state-texts.ts';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface ConfirmationBoxProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'confirmation' }>;
}

/**
 * The question before an action runs (wire.md 5): its own words, every argument as it will run, and two buttons. Decided,
 * the buttons stay where they are, so that the focus is not lost, and the outcome stays readable.
 */
export function ConfirmationBox({ context, entry }: ConfirmationBoxProps): JSX.Element {
  const { texts } = context;
  const { request, outcome } = entry;
  const titleId = `confirm-${entry.id}`;
  return (
    <section class={`confirmation is-${outcome ?? 'open'}`} part="confirm" aria-labelledby={titleId}>
      <p class="eyebrow">
        <Icon name={outcome === null ? 'question' : outcome === 'approved' ? 'check' : 'cross'} />
        {texts.confirmTitle}
      </p>
      <h3 class="confirm-title" id={titleId} dir="auto">
        <VisibleText parts={visibleParts(request.title)} />
      </h3>
      {request.description !== '' && <VisibleValue parts={visibleParts(request.description)} texts={texts} />}
      {request.arguments.length > 0 && (
        <dl class="arguments">
          {request.arguments.map(({ name, label, value }) => (
            <div key={name}>
              <dt dir="auto">
                <VisibleText parts={visibleParts(label)} />
              </dt>
              <dd>
                <VisibleValue parts={visibleValue(value)} texts={texts} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Buttons context={context} entry={entry} />
      <Outcome context={context} entry={entry} />
    </section>
  );
}

function Buttons({ context, entry }: ConfirmationBoxProps): JSX.Element {
  const { texts, actions } = context;
  const { request, outcome, answering } = entry;
  const isDecided = outcome !== null || answering !== null;
  // `disabled` would take the focus away from whoever just pressed it.
  const decided = isDecided ? ({ 'aria-disabled': 'true', tabIndex: -1 } as const) : {};
  const answer = (approved: boolean) => (): void => {
    if (!isDecided) actions.answer(request.actionId, approved);
  };
  const chosen = answering ?? outcome;
  return (
    <div class="actions">
      <button
        type="button"
        class={`button primary${chosen === 'approved' ? ' is-chosen' : ''}`}
        onClick={answer(true)}
        {...decided}
      >
        {texts.approve}
      </button>
      <button
        type="button"
        class={`button${chosen === 'declined' ? ' is-chosen' : ''}`}
        onClick={answer(false)}
        {...decided}
      >
        {texts.decline}
      </button>
    </div>
  );
}

function Outcome({ context, entry }: ConfirmationBoxProps): JSX.Element | null {
  const { texts } = context;
  const { outcome, answering, failure, request } = entry;
  if (outcome !== null) return <p class="outcome">{outcomeText(entry, texts)}</p>;
  if (answering !== null) return <p class="outcome">{texts.confirmSending}</p>;
  if (failure !== null) {
    return (
      <p class="outcome is-failed" role="alert">
        {failureText(failure, texts)}
      </p>
    );
  }
  if (request.expiresAt === undefined) return null;
  const time = new Date(request.expiresAt).toLocaleTimeString(texts.locale, { hour: '2-digit', minute: '2-digit' });
  return <p class="outcome">{fill(texts.confirmUntil, { time })}</p>;
}
