import type { JSX, RefObject } from 'preact';
import type { ConfirmationEntry } from '../../conversation/conversation-state.ts';
import { visibleParts } from '../../conversation/visible-text.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { outcomeText } from '../state-texts.ts';
import { ArgumentList } from './argument-list.tsx';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface DecidedQuestionProps {
  readonly context: PanelContext;
  readonly entry: ConfirmationEntry;
  readonly box: RefObject<HTMLElement | null>;
  readonly line: RefObject<HTMLElement | null>;
}

/** A question that is over: one line says what it was and how it ended, and opens to show what it was about. */
export function DecidedQuestion({ context, entry, box, line }: DecidedQuestionProps): JSX.Element {
  const { texts } = context;
  const { request, outcome } = entry;
  const details = box as RefObject<HTMLDetailsElement>; // of a decided question it is one
  return (
    <details class={`confirmation is-${String(outcome)}`} part="confirm" ref={details}>
      <summary ref={line}>
        <Icon name={outcome === 'approved' ? 'check' : 'cross'} />
        <span class="decided">
          <strong dir="auto">
            <VisibleText parts={visibleParts(request.title)} />
          </strong>{' '}
          <span class="outcome">{outcomeText(entry, texts)}</span>
        </span>
        <Icon name="unfold" />
      </summary>
      {request.description !== '' && <VisibleValue parts={visibleParts(request.description)} texts={texts} />}
      <ArgumentList id={`confirm-${String(entry.id)}-values`} entry={entry} texts={texts} />
    </details>
  );
}
