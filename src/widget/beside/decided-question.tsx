import type { JSX, RefObject } from 'preact';
import type { ConfirmationEntry } from '../conversation/conversation-state.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import { Icon } from '../panel/icon.tsx';
import type { PanelContext } from '../panel/panel-context.ts';
import { decidedText, outcomeText } from '../panel/state-texts.ts';
import { actionIcons } from '../panel/transcript/action-line.tsx';
import { ArgumentList } from './argument-list.tsx';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface DecidedQuestionProps {
  readonly context: PanelContext;
  readonly entry: ConfirmationEntry;
  readonly box: RefObject<HTMLElement | null>;
  readonly line: RefObject<HTMLElement | null>;
}

/** A decided question as one line: its title, its outcome, and how its action ended. Opening the line shows the arguments. */
export function DecidedQuestion({ context, entry, box, line }: DecidedQuestionProps): JSX.Element {
  const { texts } = context;
  const { request, outcome, run } = entry;
  const details = box as RefObject<HTMLDetailsElement>; // a decided question gives the ref to a details element
  const status = run?.status ?? (outcome === 'approved' ? 'succeeded' : 'declined');
  const isRunning = status === 'running';
  const said = run === null ? '' : isRunning ? run.progress : run.reason;
  // A user who has approved the action and sees its result need not read who approved it.
  const isKnown = run !== null && outcome === 'approved' && entry.by === 'me';
  const whose = <span class="outcome">{outcomeText(entry, texts)}</span>;
  return (
    <details
      class={`confirmation is-${String(outcome)} ${run === null ? '' : `is-${status}`}`}
      part="confirm"
      ref={details}
    >
      <summary ref={line}>
        {isRunning ? <span class="spinner" aria-hidden="true" /> : <Icon name={actionIcons[status]} />}
        <span class="decided">
          <strong dir="auto">
            <VisibleText parts={visibleParts(decidedText(entry, texts))} />
          </strong>{' '}
          {!isKnown && whose}
          {said !== '' && (
            <span class="progress" dir="auto">
              {said}
            </span>
          )}
        </span>
        <Icon name="unfold" />
      </summary>
      {isKnown && whose}
      {request.description !== '' && <VisibleValue parts={visibleParts(request.description)} texts={texts} />}
      <ArgumentList id={`confirm-${String(entry.id)}-values`} entry={entry} texts={texts} />
      {!isRunning && run !== null && run.progress !== '' && <p class="outcome">{run.progress}</p>}
    </details>
  );
}
