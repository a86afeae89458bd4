import { Component, type JSX } from 'preact';
import type { VisiblePart } from '../../conversation/visible-text.ts';
import type { WidgetTexts } from '../../texts/widget-texts.ts';

/** Text whose hidden characters are spelled out and told apart from the same letters typed by somebody. */
export function VisibleText({ parts }: { readonly parts: readonly VisiblePart[] }): JSX.Element {
  return <>{parts.map(({ text, isEscaped }) => (isEscaped ? <mark class="escaped">{text}</mark> : text))}</>;
}

interface VisibleValueProps {
  readonly parts: readonly VisiblePart[];
  readonly texts: WidgetTexts;
}

/** A longer value is a text to read rather than a figure to see at a glance. */
const shortValue = 40;
const longValue = 240;
const manyLines = 6;

/** A value that can be seen whole: a long one begins short and opens on demand (contract/confirmations.md#what-is-shown). */
export class VisibleValue extends Component<VisibleValueProps, { readonly isOpen: boolean }> {
  override state = { isOpen: false };

  override render({ parts, texts }: VisibleValueProps, { isOpen }: { readonly isOpen: boolean }): JSX.Element {
    const text = parts.map((part) => part.text).join('');
    const isLong = text.length > longValue || text.split('\n').length > manyLines;
    const toggle = (): void => this.setState({ isOpen: !isOpen });
    return (
      <>
        <div
          class={`value${text.length > shortValue || text.includes('\n') ? ' is-long' : ''}${isLong && !isOpen ? ' is-folded' : ''}`}
          dir="auto"
        >
          <VisibleText parts={parts} />
        </div>
        {isLong && (
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? texts.showLess : texts.showAll}
          </button>
        )}
      </>
    );
  }
}
