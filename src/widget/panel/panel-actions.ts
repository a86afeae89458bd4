import type { Conversation } from '../conversation/conversation.ts';
import type { EditModule } from '../edit/edit-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { copyText } from './copy-text.ts';
import type { LazyChunk } from './lazy-chunk.ts';
import type { PanelActions } from './panel-context.ts';
import type { Announcer } from './speech/announcer.ts';
import type { VoiceControl } from './voice/voice-control.ts';
import type { CardLoader } from './transcript/card-loader.ts';

interface PanelParts extends Pick<PanelActions, 'send' | 'close'> {
  readonly conversation: Conversation;
  readonly editing: LazyChunk<EditModule>;
  readonly cards: CardLoader;
  readonly voice: Pick<VoiceControl, 'bargeIn'>;
  readonly announcer: Announcer;
  readonly content: HTMLElement;
  readonly texts: () => WidgetTexts;
  readonly focusComposer: () => void;
}

/** What the parts of the panel do when somebody presses something. */
export function panelActions(parts: PanelParts): PanelActions {
  const { conversation, editing, cards, voice, announcer, content, texts, send, focusComposer, close } = parts;
  return {
    send,
    suggest: (text) => {
      send({ text });
      focusComposer();
    },
    stop: () => {
      voice.bargeIn();
      void conversation.stop();
    },
    answer: (actionId, approved, options) => void conversation.answer(actionId, approved, options),
    editArguments: async (asked, idPrefix) => {
      const { editArguments } = await editing.load();
      return editArguments({ arguments: asked, idPrefix, texts: texts() });
    },
    newConversation: () => {
      voice.bargeIn();
      conversation.aside.begin();
      focusComposer();
    },
    bringBack: () => conversation.aside.takeBack(),
    close,
    copy: async (text) => {
      const isCopied = await copyText(text, content);
      announcer.say(isCopied ? texts().copied : texts().copyFailed);
      return isCopied;
    },
    drawCard: (card, onSubmit) => cards.draw(card, texts(), onSubmit),
  };
}
