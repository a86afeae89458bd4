import { Component, type JSX } from 'preact';
import type { VisiblePart } from '../conversation/visible-text.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

/** Text whose hidden characters are spelled out. Spelled-out characters look different from the same letters typed by somebody. */
export function VisibleText({ parts }: { readonly parts: readonly VisiblePart[] }): JSX.Element {
  return <>{parts.map(({ text, isEscaped }) => (isEscaped ? <mark class="escaped">{text}</mark> : text))}</>;
}

interface VisibleValueProps {
  readonly parts: readonly VisiblePart[];
  readonly texts: WidgetTexts;
}

/** Characters. A longer value is set as text to read, a shorter one as a figure. */
const shortValue = 40;
const longValue = 240;
const manyLines = 6;

/** A value that can be seen whole. A long value is shown short at first and opens on demand (contract/confirmations.md#what-is-shown). */
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
