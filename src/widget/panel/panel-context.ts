import type { DrawnCardOptions } from '../cards/cards-module.ts';
import type { ApprovalOptions, UserMessage } from '../conversation/conversation-state.ts';
import type { Argument, Editor } from '../edit/edit-contract.ts';
import type { ImageField } from '../images/image-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { Voice } from '../voice/voice-contract.ts';
import type { ClientSettings } from '../../wire/client-settings.ts';
import type { DisplayOptions } from '../display-options.ts';

/** What every part of the panel may show and do. */
export interface PanelContext {
  readonly texts: WidgetTexts;
  readonly display: DisplayOptions;
  readonly suggestions: ClientSettings['suggestions'];
  /** Says that an AI answers (contract/widget.md#looks). */
  readonly aiDisclosure: boolean;
  /** null until its chunk has come, and where no pictures are taken. */
  readonly images: ImageField | null;
  /** Changes when texts or display change, so that unchanged entries are drawn again. */
  readonly version: number;
  readonly actions: PanelActions;
  /** The offer to be shown around. */
  readonly tour: readonly Node[] | undefined;
  /** null until its chunk has come, and without its options. */
  readonly voice: Voice | null;
}

export interface PanelActions {
  readonly send: (message: UserMessage) => void;
  /** Sends a suggestion; the keyboard goes on in the composer, since its button is gone. */
  readonly suggest: (text: string) => void;
  readonly stop: () => Promise<void>;
  readonly answer: (actionId: string, approved: boolean, options?: ApprovalOptions) => void;
  /** Loads the edit chunk; rejects when it cannot be fetched. */
  readonly editArguments: (asked: readonly Argument[], idPrefix: string) => Promise<Editor>;
  readonly newConversation: () => void;
  /** Takes the new conversation back. */
  readonly bringBack: () => void;
  readonly close: () => void;
  /** Puts a text on the clipboard, and says whether that worked. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Loads the cards chunk; rejects when it cannot be fetched. */
  readonly drawCard: (card: unknown, onSubmit: DrawnCardOptions['onSubmit']) => Promise<HTMLElement>;
}
