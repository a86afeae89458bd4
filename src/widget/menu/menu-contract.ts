import type { ComponentType } from 'preact';
import type { ConversationState } from '../conversation/conversation-state.ts';

/** What the line tells, and the BCP 47 tag of the language in which it does. */
export interface StatusProps {
  readonly state: Pick<ConversationState, 'connection' | 'status'>;
  readonly locale: string;
}

/** What the `status` chunk exports. Its components use the panel's own Preact (scripts/build-widget.ts). */
export interface StatusModule {
  readonly StatusLine: ComponentType<StatusProps>;
  readonly styles: string;
}
