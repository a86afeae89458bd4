import type { Conversation } from '../conversation/conversation.ts';
import type { KeptOfUser } from '../conversation/kept-of-user.ts';
import type { MenuItem } from '../menu/menu-contract.ts';
import type { Announcer } from '../panel/speech/announcer.ts';
import type { PageToken } from '../transport/page-token.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';

/** What the lists need of the panel around them. */
export interface ListOptions {
  readonly host: PanelHost;
  readonly conversation: Pick<Conversation, 'open' | 'onOtherUser' | 'state'>;
  readonly token: Pick<PageToken, 'headers'>;
  /** The inside of the panel, which a list covers. */
  readonly content: HTMLElement;
  readonly texts: () => Pick<WidgetTexts, 'locale' | 'timeLocale'>;
  readonly focusComposer: () => void;
  readonly announcer: Pick<Announcer, 'say'>;
}

/** What the `kept` chunk exports. */
export interface KeptModule {
  /** The items of the menu that open the lists. Calls `removed` when they are to go, because their user has. */
  readonly listsOf: (options: ListOptions, kept: KeptOfUser, removed: () => void) => readonly MenuItem[];
  readonly styles: string;
}
