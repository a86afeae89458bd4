import type { Conversation } from '../conversation/conversation.ts';
import type { Announcer } from '../panel/speech/announcer.ts';
import type { PageToken } from '../transport/page-token.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';

/** What the list of kept conversations is made of. */
export interface ListOptions {
  readonly host: PanelHost;
  readonly conversation: Pick<Conversation, 'open'>;
  readonly token: Pick<PageToken, 'headers'>;
  /** The inside of the panel, which the list covers. */
  readonly content: HTMLElement;
  readonly texts: () => Pick<WidgetTexts, 'locale' | 'timeLocale'>;
  readonly focusComposer: () => void;
  readonly announcer: Pick<Announcer, 'say'>;
}

/** What the chunk of kept conversations exports. */
export interface ListModule {
  /** Adds the button that opens the list to the panel's header, unless it is there already. */
  readonly addList: (options: ListOptions) => void;
  readonly styles: string;
}
