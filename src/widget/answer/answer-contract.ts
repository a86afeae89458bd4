import type { ComponentType } from 'preact';
import type { Conversation } from '../conversation/conversation.ts';
import type { UserMessage } from '../conversation/conversation-state.ts';
import type { AnswerProps } from '../panel/panel-context.ts';
import type { Announcer } from '../panel/speech/announcer.ts';
import type { PageToken } from '../transport/page-token.ts';
import type { Voice } from '../voice/voice-contract.ts';
import type { PanelHost } from '../widget-contract.ts';

/** What the buttons under a message need of the panel around them. */
export interface AnswerOptions {
  readonly host: PanelHost;
  readonly conversation: Pick<Conversation, 'state' | 'connectionId' | 'rated'>;
  readonly token: Pick<PageToken, 'headers'>;
  readonly lazy: { readonly voice: Voice | null };
  readonly announcer: Pick<Announcer, 'say'>;
  readonly send: (message: UserMessage) => void;
  readonly focusComposer: () => void;
}

/** What the `answer` chunk exports. Its components use the panel's own Preact (scripts/build-widget.ts). */
export interface AnswerModule {
  /** The component that draws what stands under a message. */
  readonly answersOf: (options: AnswerOptions) => ComponentType<AnswerProps>;
  readonly styles: string;
}
