import type { JSX } from 'preact';
import type { ConfirmationEntry } from '../conversation/conversation-state.ts';
import type { BesideProps, PanelContext } from '../panel/panel-context.ts';
import { worded } from '../panel/worded.ts';
import { ConfirmationBox } from './confirmation-box.tsx';
import { ReceiptList } from './receipt-list.tsx';
import { SourceList } from './source-list.tsx';
import { Thought } from './thought.tsx';

/** One entry of the transcript that stands beside the replies. */
export function BesideEntry({ context, entry, place }: BesideProps): JSX.Element {
  switch (entry.kind) {
    case 'confirmation':
      return <ConfirmationBox context={context} entry={wordedEntry(entry, context)} place={place} />;
    case 'receipts':
      return <ReceiptList texts={context.texts} receipts={entry.receipts} />;
    case 'thought':
      return <Thought id={`thought-${String(entry.id)}`} texts={context.texts} text={entry.text} />;
    case 'sources':
      return <SourceList sources={entry.sources} label={context.texts.sources} links={context.links} />;
  }
}

function wordedEntry(entry: ConfirmationEntry, { texts }: PanelContext): ConfirmationEntry {
  return { ...entry, request: worded(entry.request, texts) };
}
