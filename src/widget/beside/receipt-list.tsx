import type { JSX } from 'preact';
import type { Receipt } from '../../wire/hub-events.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import { Icon } from '../panel/icon.tsx';
import { momentText } from '../panel/state-texts.ts';
import { actionIcons } from '../panel/transcript/action-line.tsx';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { VisibleText } from './visible-value.tsx';

interface ReceiptListProps {
  readonly texts: WidgetTexts;
  readonly receipts: readonly Receipt[];
}

/**
 * The list of the turn's actions and how each of them ended. It comes from the server, not from the reply (contract/widget.md#receipts).
 */
export function ReceiptList({ texts, receipts }: ReceiptListProps): JSX.Element {
  return (
    <div class="receipts" role="group" aria-label={texts.receipts}>
      <p aria-hidden="true">{texts.receipts}</p>
      <ul role="list">
        {receipts.map(({ callId, status, title, at }) => (
          <li key={callId} class={`is-${status}`}>
            <Icon name={actionIcons[status]} />
            <span dir="auto">
              <VisibleText parts={visibleParts(fill(texts.action[status], { action: title }))} />
            </span>
            <time dateTime={at}>{momentText(new Date(at), texts)}</time>
          </li>
        ))}
      </ul>
    </div>
  );
}
