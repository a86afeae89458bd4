import type { Conversation } from '../conversation/conversation.ts';
import type { LazyParts } from './lazy-parts.ts';
import { linkRules } from './link-rules.ts';
import { keptOfUser } from '../conversation/kept-of-user.ts';
import type { KeptModule } from '../kept/kept-contract.ts';
import type { PageToken } from '../transport/page-token.ts';
import type { PanelHost } from '../widget-contract.ts';
import type { CardsModule } from '../cards/cards-module.ts';
import type { EditModule } from '../edit/edit-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { Chunks } from './chunks.ts';
import { copyText } from './copy-text.ts';
import { enrichReply } from './enrich-reply.ts';
import type { PanelActions } from './panel-context.ts';
import type { Announcer } from './speech/announcer.ts';

/** File names of chunks of this build (scripts/build-widget.ts). */
declare const CARDS_CHUNK: string;
declare const EDIT_CHUNK: string;
declare const KEPT_CHUNK: string;

interface PanelParts extends Pick<PanelActions, 'send' | 'close'> {
  readonly conversation: Conversation;
  readonly chunks: Chunks;
  readonly host: PanelHost;
  readonly token: PageToken;
  readonly lazy: Pick<LazyParts, 'voice' | 'openBeside' | 'cite' | 'openAnswers' | 'openMenu' | 'lists'>;
  readonly announcer: Announcer;
  readonly content: HTMLElement;
  readonly texts: () => WidgetTexts;
  readonly focusComposer: () => void;
}

/** What the buttons of the panel do. */
export function panelActions(parts: PanelParts): PanelActions {
  const { conversation, chunks, host, lazy, announcer, content, texts, send, focusComposer, close } = parts;
  let drawnCards = 0;
  return {
    send,
    suggest: (text) => {
      send({ text });
      focusComposer();
    },
    stop: () => {
      lazy.voice?.bargeIn();
      return conversation.stop();
    },
    answer: (actionId, approved, options) => void conversation.answer(actionId, approved, options),
    openBeside: () => lazy.openBeside(),
    openMenu: () => lazy.openMenu(),
    openAnswers: () => lazy.openAnswers(parts),
    editArguments: async (asked, idPrefix) => {
      const { editArguments } = await chunks.load<EditModule>(EDIT_CHUNK);
      return editArguments({ arguments: asked, idPrefix, texts: texts() });
    },
    newConversation: () => {
      lazy.voice?.bargeIn();
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
    offerLists: (fields) => {
      const kept = keptOfUser(fields);
      if (kept === null) return;
      // The panel works without the lists, so nobody is told when they cannot be fetched.
      chunks.load<KeptModule>(KEPT_CHUNK).then(
        ({ listsOf }) => {
          if (!lazy.lists[0]) lazy.lists = listsOf(parts, kept, () => (lazy.lists = []));
        },
        () => undefined,
      );
    },
    enrich: (box, cited) => {
      enrichReply(box, chunks);
      if (cited) lazy.cite(box, cited);
    },
    drawCard: async (card, onSubmit) => {
      const { drawCard } = await chunks.load<CardsModule>(CARDS_CHUNK);
      drawnCards += 1;
      return drawCard(card, {
        texts: texts(),
        imageHosts: host.settings.imageHosts,
        links: linkRules(host),
        idPrefix: `card-${drawnCards}`,
        onSubmit,
      });
    },
  };
}
