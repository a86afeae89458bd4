import type { ComponentType } from 'preact';
import type { DrawnCardOptions } from '../cards/cards-module.ts';
import type { ApprovalOptions, Entry, UserMessage } from '../conversation/conversation-state.ts';
import type { Argument, Editor } from '../edit/edit-contract.ts';
import type { ImageField } from '../images/image-contract.ts';
import type { MenuItem, MenuModule } from '../menu/menu-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { SpokenBeside } from './speech/narrator.ts';
import type { LinkRules } from '../nodes/plan-link.ts';
import type { Voice } from '../voice/voice-contract.ts';
import type { ConnectionHubEvents, RagSource } from '../../wire/hub-events.ts';
import type { ClientSettings } from '../../wire/client-settings.ts';
import type { DisplayOptions } from '../display-options.ts';

/** What every part of the panel may show and do. */
export interface PanelContext {
  readonly texts: WidgetTexts;
  readonly display: DisplayOptions;
  readonly suggestions: ClientSettings['suggestions'];
  /** Whether the panel says that an AI answers (contract/widget.md#looks). */
  readonly aiDisclosure: boolean;
  /** Null until the chunk has loaded, and where the server takes no pictures. */
  readonly images: ImageField | null;
  /** Changes when texts or display change, so that unchanged entries are drawn again. */
  readonly version: number;
  readonly actions: PanelActions;
  readonly links: LinkRules;
  /** Null until the chunk has loaded. */
  readonly beside: BesideModule | null;
  /** What stands under a message. Undefined until the chunk has loaded. */
  readonly Answer: ComponentType<AnswerProps> | undefined;
  /** Undefined until the chunk has loaded. */
  readonly Menu: MenuModule['Menu'] | undefined;
  readonly menuItems: readonly MenuItem[];
  /** The offer of the tour. */
  readonly tour: readonly Node[] | undefined;
  /** Null until the chunk has loaded, and where voice is switched off. */
  readonly voice: Voice | null;
}

/** A message, and whether it belongs to the last exchange while nothing runs. */
export interface AnswerProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'user' | 'reply' }>;
  readonly isLast: boolean;
}

/** An entry beside the replies that only some conversations have: a question, receipts, sources or a thought. */
export interface BesideProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'confirmation' | 'receipts' | 'sources' | 'thought' }>;
  /** The place of a question among those that are open. Empty where it is the only one. */
  readonly place: string;
}

/** What the `beside` chunk exports. Its components use the panel's own Preact (scripts/build-widget.ts). */
export interface BesideModule extends SpokenBeside {
  /** Makes buttons of the citations in the box of a reply. Each opens what stands in its document. */
  readonly cite: (box: HTMLElement, sources: readonly RagSource[], links: LinkRules) => void;
  readonly BesideEntry: ComponentType<BesideProps>;
  readonly styles: string;
}

export interface PanelActions {
  readonly send: (message: UserMessage) => void;
  /** Sends a suggestion. Its button disappears, so the focus moves to the composer. */
  readonly suggest: (text: string) => void;
  readonly stop: () => Promise<void>;
  readonly answer: (actionId: string, approved: boolean, options?: ApprovalOptions) => void;
  /** Loads the `beside` chunk and draws the panel with it. Rejects when the chunk cannot be fetched. */
  readonly openBeside: () => Promise<void>;
  /** Loads the `answer` chunk and draws the panel with it. Without it the panel works, so nobody is told of a failure. */
  readonly openAnswers: () => void;
  /** Loads the `menu` chunk and draws the panel with it. Without it the panel works, so nobody is told of a failure. */
  readonly openMenu: () => void;
  /** Loads the edit chunk. Rejects when it cannot be fetched. */
  readonly editArguments: (asked: readonly Argument[], idPrefix: string) => Promise<Editor>;
  readonly newConversation: () => void;
  /** Brings the conversation back that "New conversation" has put aside. */
  readonly bringBack: () => void;
  readonly close: () => void;
  /** Adds the lists to the menu that show what the server keeps of the connected user. */
  readonly offerLists: (fields: ConnectionHubEvents['Connected']) => void;
  /** Puts a text on the clipboard. Resolves with whether that worked. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Draws formulas, colours code, and makes citations buttons in the box of a complete reply. The chunks are loaded where it has some. */
  readonly enrich: (box: HTMLElement, cited?: readonly RagSource[]) => void;
  /** Loads the cards chunk. Rejects when it cannot be fetched. */
  readonly drawCard: (card: unknown, onSubmit: DrawnCardOptions['onSubmit']) => Promise<HTMLElement>;
}
