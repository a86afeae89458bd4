import type { ConversationState } from '../conversation/conversation-state.ts';
import type { EditModule } from '../edit/edit-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelHost } from '../widget-contract.ts';
import { addStyles } from './add-styles.ts';
import { LazyChunk } from './lazy-chunk.ts';
import type { Navigation } from './navigation.ts';
import type { PanelContext } from './panel-context.ts';
import type { PanelView } from './panel-view.tsx';
import { TourLoader, type TourLoaderOptions } from './tour/tour-loader.ts';
import { CardLoader } from './transcript/card-loader.ts';
import { VoiceControl } from './voice/voice-control.ts';

/** File name of the edit chunk of this build (scripts/build-widget.ts). */
declare const EDIT_CHUNK: string;

export interface LazyPartsOptions {
  readonly host: PanelHost;
  readonly panel: TourLoaderOptions['panel'];
  readonly texts: () => WidgetTexts;
  readonly state: () => ConversationState;
  readonly view: { readonly current: PanelView | null };
  readonly navigation: Navigation;
  readonly draw: () => void;
  /** To screen readers. */
  readonly say: (text: string) => void;
}

/** What the panel fetches with its first use: cards, the fields of a question, the tour, the voice. */
export class LazyParts {
  readonly cards: CardLoader;
  readonly editing: LazyChunk<EditModule>;
  readonly tour: TourLoader;
  readonly voice: VoiceControl;
  readonly #options: LazyPartsOptions;

  constructor(options: LazyPartsOptions) {
    this.#options = options;
    const { host, panel, texts, state, view, draw } = options;
    const addChunkStyles = (css: string): void => addStyles(host.shadow, css);
    this.cards = new CardLoader(host, addChunkStyles);
    this.editing = new LazyChunk({ host, file: EDIT_CHUNK, addStyles: addChunkStyles });
    this.tour = new TourLoader({
      host,
      panel,
      texts,
      addStyles: addChunkStyles,
      openPage: ({ url, page, title }) => options.navigation.open({ url, page: page ?? '', title }),
      onOffer: (isNew) => {
        draw();
        if (isNew && state().entries.length === 0) options.say(texts().tourOffer);
      },
    });
    this.voice = new VoiceControl({ host, texts, state, view, addStyles: addChunkStyles, onChange: draw });
  }

  /** What the view shows of them. */
  get context(): Pick<PanelContext, 'tour' | 'voice'> {
    const { tour, voice } = this;
    const { view, say, texts } = this.#options;
    return {
      tour: {
        isOffered: tour.isOffered,
        start: () => void tour.start().catch(() => say(texts().failed)),
        decline: () => {
          void tour.decline().catch(() => 0);
          view.current?.focusComposer();
        },
      },
      voice: { ...voice.view, pressMicrophone: voice.pressMicrophone, toggleReading: voice.toggleReading },
    };
  }

  /** The panel has opened. */
  opened(): void {
    this.tour.end();
    void this.tour.offer();
  }

  destroy(): void {
    this.tour.end();
    this.voice.destroy();
  }
}
