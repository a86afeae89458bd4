import type { JSX } from 'preact';
import type { ConfirmationRequestedFields } from '../../wire/hub-events.ts';
import { type VisiblePart, visibleParts } from '../conversation/visible-text.ts';
import { fillCounted } from '../texts/fill-counted.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { Icon } from '../panel/icon.tsx';
import { foreignText, originText, sourceTexts } from '../panel/state-texts.ts';
import { VisibleText } from './visible-value.tsx';

interface BasedOnProps {
  readonly id: string;
  readonly request: ConfirmationRequestedFields;
  readonly texts: WidgetTexts;
}

/**
 * What the assistant has read before it asks, folded to one line (contract/confirmations.md#what-is-shown). Only where a value is not from
 * the user it warns, with a sentence that stands outside of the fold.
 */
export function BasedOn({ id, request, texts }: BasedOnProps): JSX.Element | null {
  const sources = sourceTexts(request, texts);
  const origin = visibleParts(originText(request, texts));
  if (sources.length === 0 && origin.length === 0) return null;
  return (
    <div class={foreignText(request, texts) === '' ? 'based-on' : 'based-on is-foreign'}>
      <Sentence id={id} kind="origin" parts={origin} />
      {sources.length > 0 && (
        <details>
          <summary>
            {fillCounted(texts.basedOn, { count: sources.length }, texts.locale)}
            <Icon name="unfold" />
          </summary>
          <ul>
            {sources.map((source) => (
              <li key={source} dir="auto">
                <VisibleText parts={visibleParts(source)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface SentenceProps {
  readonly id: string;
  readonly kind: string;
  readonly parts: readonly VisiblePart[];
}

/** A sentence about the question, in which nothing hides. There may be nothing to say. */
export function Sentence({ id, kind, parts }: SentenceProps): JSX.Element | null {
  if (parts.length === 0) return null;
  return (
    <p class={kind} id={id} dir="auto">
      <VisibleText parts={parts} />
    </p>
  );
}
