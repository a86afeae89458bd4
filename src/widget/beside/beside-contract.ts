import type { ComponentType } from 'preact';
import type { Entry } from '../conversation/conversation-state.ts';
import type { PanelContext } from '../panel/panel-context.ts';

/** What stands beside replies in some conversations only: questions, receipts and sources. */
export interface BesideProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'confirmation' | 'receipts' | 'sources' }>;
}

/** What the chunk of what stands beside replies exports. Its components are of the panel's own Preact (scripts/build-widget.ts). */
export interface BesideModule {
  readonly BesideEntry: ComponentType<BesideProps>;
  readonly styles: string;
}
