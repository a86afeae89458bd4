import type { JSX } from 'preact';
import type { ConfirmationEntry } from '../conversation/conversation-state.ts';
import { readableValue } from '../conversation/readable-value.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { VisibleText, VisibleValue } from './visible-value.tsx';

interface ArgumentListProps {
  readonly id: string;
  readonly entry: ConfirmationEntry;
  readonly texts: WidgetTexts;
}

/**
 * Every argument with the value that will run, and the original value where the user has changed it. Those that the action does not declare
 * stand last, in a frame that says so.
 */
export function ArgumentList({ id, entry, texts }: ArgumentListProps): JSX.Element | null {
  const { arguments: all } = entry.request;
  if (all.length === 0) return null;
  const declared = all.filter(({ undeclared }) => !undeclared);
  const undeclared = all.filter((argument) => argument.undeclared);
  return (
    <div class="argument-list" id={id}>
      {declared.length > 0 && <Values list={declared} entry={entry} texts={texts} />}
      {undeclared.length > 0 && (
        <div class="undeclared">
          <p>{texts.undeclared}</p>
          <Values list={undeclared} entry={entry} texts={texts} />
        </div>
      )}
    </div>
  );
}

interface ValuesProps extends Omit<ArgumentListProps, 'id'> {
  readonly list: ConfirmationEntry['request']['arguments'];
}

function Values({ list, entry: { edited }, texts }: ValuesProps): JSX.Element {
  return (
    <dl class="arguments">
      {list.map((argument) => {
        const { name, label, value, notFromUser } = argument;
        // `edited` has every argument as a property of its own, also one named `__proto__`.
        const runs = edited === null ? value : edited[name];
        const isChanged = JSON.stringify(runs) !== JSON.stringify(value);
        return (
          <div key={name}>
            <dt dir="auto">
              <VisibleText parts={visibleParts(label)} />
            </dt>
            <dd>
              <VisibleValue parts={readableValue(runs, argument, texts)} texts={texts} />
              {notFromUser && !isChanged && <mark class="escaped">{texts.notFromUser}</mark>}
            </dd>
            {isChanged && (
              <dd class="was">
                {texts.changedFrom}
                <VisibleValue parts={readableValue(value, argument, texts)} texts={texts} />
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
