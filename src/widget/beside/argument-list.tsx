import type { JSX } from 'preact';
import type { ConfirmationEntry } from '../conversation/conversation-state.ts';
import { visibleParts, visibleValue } from '../conversation/visible-text.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface ArgumentListProps {
  readonly id: string;
  readonly entry: ConfirmationEntry;
  readonly texts: WidgetTexts;
}

/** Every argument with the value that will run, and the original value where the user has changed it. */
export function ArgumentList({ id, entry: { request, edited }, texts }: ArgumentListProps): JSX.Element | null {
  if (request.arguments.length === 0) return null;
  return (
    <dl class="arguments" id={id}>
      {request.arguments.map(({ name, label, value, notFromUser }) => {
        // `edited` has every argument as a property of its own, also one named `__proto__`.
        const runs = edited === null ? value : edited[name];
        const isChanged = JSON.stringify(runs) !== JSON.stringify(value);
        return (
          <div key={name}>
            <dt dir="auto">
              <VisibleText parts={visibleParts(label)} />
            </dt>
            <dd>
              <VisibleValue parts={visibleValue(runs)} texts={texts} />
              {notFromUser && !isChanged && <mark class="escaped">{texts.notFromUser}</mark>}
            </dd>
            {isChanged && (
              <dd class="was">
                {texts.changedFrom}
                <VisibleValue parts={visibleValue(value)} texts={texts} />
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
