import type { AnswerModule, AnswerOptions } from '../answer/answer-contract.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { FileLimits, ImageField, ImageLimits, ImagesModule } from '../images/image-contract.ts';
import { planBlocks } from '../markdown/plan-blocks.ts';
import { readBlocks } from '../markdown/read-blocks.ts';
import type { MenuItem, MenuModule } from '../menu/menu-contract.ts';
import type { Room, RoomModule } from '../room/room-contract.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { TourGuide, TourGuideOptions, TourModule } from '../tour/tour-contract.ts';
import type { Voice, VoiceModule } from '../voice/voice-contract.ts';
import type { RagSource } from '../../wire/hub-events.ts';
import type { PanelHost } from '../widget-contract.ts';
import type { Chunks } from './chunks.ts';
import { linkRules } from './link-rules.ts';
import type { Navigation } from './navigation.ts';
import type { BesideModule, PanelContext } from './panel-context.ts';
import type { PanelView } from './panel-view.tsx';

/** File names of chunks of this build (scripts/build-widget.ts). */
declare const ANSWER_CHUNK: string;
declare const BESIDE_CHUNK: string;
declare const FILES_CHUNK: string;
declare const IMAGES_CHUNK: string;
declare const MENU_CHUNK: string;
declare const ROOM_CHUNK: string;
declare const TOUR_CHUNK: string;
declare const VOICE_CHUNK: string;

export interface LazyPartsOptions {
  readonly host: PanelHost;
  readonly chunks: Chunks;
  readonly panel: TourGuideOptions['panel'];
  /** Where files may be pasted or dropped. */
  readonly dialog: HTMLElement;
  readonly texts: () => WidgetTexts;
  readonly state: () => ConversationState;
  readonly view: { readonly current: PanelView | null };
  readonly navigation: Navigation;
  readonly draw: () => void;
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void;
}

/** The parts that an opening panel fetches if the server has switched them on: the field for pictures, the tour and the voice. */
export class LazyParts {
  readonly #options: LazyPartsOptions;
  #images: ImageField | null = null;
  #tour: TourGuide | null = null;
  #voice: Voice | null = null;
  #beside: BesideModule | null = null;
  /** What the `beside` chunk was to be used for while it could not be fetched. */
  readonly #missed: ((beside: BesideModule) => void)[] = [];
  #menu: MenuModule | undefined;
  #room: Room | undefined;
  #answer: PanelContext['Answer'];
  #lists: readonly MenuItem[] = [];

  constructor(options: LazyPartsOptions) {
    this.#options = options;
  }

  /** Null until the chunk has loaded, and where voice is switched off. */
  get voice(): Voice | null {
    return this.#voice;
  }

  /** The parts of the context that the loaded chunks provide, and the rules for links. */
  get context(): Pick<
    PanelContext,
    'images' | 'tour' | 'voice' | 'beside' | 'Answer' | 'Menu' | 'menuItems' | 'links'
  > {
    const links = linkRules(this.#options.host);
    return {
      images: this.#images,
      tour: this.#tour?.nodes,
      voice: this.#voice,
      beside: this.#beside,
      Answer: this.#answer,
      Menu: this.#menu?.Menu,
      menuItems: [...this.#lists, ...(this.#voice?.reading ? [this.#voice.reading] : []), ...(this.#room?.items ?? [])],
      links,
    };
  }

  /** Fetches the parts when the panel opens. */
  opened(): void {
    const { images, files, tourUrl, voice } = this.#options.host.settings;
    this.#tour?.end();
    void this.#openRoom().catch(ignore);
    // After a failure the next opening tries again.
    if (tourUrl !== undefined) void this.#openTour(tourUrl).then((tour) => tour.offer(), ignore);
    if (images ?? files) void this.#openImages(images, files).catch(ignore);
    if (voice !== undefined) void this.#openVoice(voice).catch(ignore);
  }

  /**
   * Resolves when the tour is on the screen.
   * @throws Error when there is no tour, or when the page has hidden the widget.
   */
  async startTour(): Promise<void> {
    const { settings, element } = this.#options.host;
    if (settings.tourUrl === undefined) throw new Error('enableOnboardingTour is off');
    if (element.hidden) throw new Error('the widget is hidden');
    const tour = await this.#openTour(settings.tourUrl);
    await tour.start();
  }

  /** Changes when a chunk has loaded that draws a part of entries, so that they are drawn again. */
  get version(): number {
    return Number(this.#beside !== null) + Number(this.#answer !== undefined);
  }

  /**
   * Loads the `beside` chunk and draws the panel with it. What could not use it before does so now. Rejects when the chunk cannot be
   * fetched.
   */
  async openBeside(): Promise<void> {
    const beside = await this.#options.chunks.load<BesideModule>(BESIDE_CHUNK);
    this.#beside = beside;
    this.#options.draw();
    for (const use of this.#missed.splice(0)) use(beside);
  }

  /** Without the chunk, what it draws is not on the screen either. Screen readers are told so, as others see it. */
  readonly withBeside = (use: (beside: BesideModule) => void): void => {
    const { chunks, say, texts } = this.#options;
    void chunks.load<BesideModule>(BESIDE_CHUNK).then(use, () => {
      this.#missed.push(use);
      say(texts().notShown);
    });
  };

  /** Makes buttons of the citations in the box of a reply. Without the chunk they stay text. */
  cite(box: HTMLElement, sources: readonly RagSource[]): void {
    this.withBeside((beside) => beside.cite(box, sources, linkRules(this.#options.host)));
  }

  /** Loads the `answer` chunk and draws the panel with it. */
  openAnswers(options: AnswerOptions): void {
    const { chunks, draw } = this.#options;
    void chunks.load<AnswerModule>(ANSWER_CHUNK).then(({ answersOf }) => {
      this.#answer ??= answersOf(options);
      draw();
    }, ignore);
  }

  /** Loads the `menu` chunk and draws the panel with it. */
  openMenu(): void {
    const { chunks, draw } = this.#options;
    void chunks.load<MenuModule>(MENU_CHUNK).then((menu) => {
      this.#menu = menu;
      draw();
    }, ignore);
  }

  /** The items of the menu that open what the server keeps of the user. */
  get lists(): readonly MenuItem[] {
    return this.#lists;
  }

  set lists(lists: readonly MenuItem[]) {
    this.#lists = lists;
    this.#options.draw();
  }

  /** Draws the parts in the current language. */
  redraw(): void {
    this.#images?.redraw();
    this.#tour?.redraw();
    this.#voice?.redraw();
    this.#room?.redraw();
  }

  destroy(): void {
    this.#tour?.end();
    this.#voice?.destroy();
    this.#room?.destroy();
  }

  async #openImages(limits?: ImageLimits, files?: FileLimits): Promise<void> {
    const { chunks, dialog, texts, view } = this.#options;
    for (const type of ['dragover', 'drop'] as const) dialog.addEventListener(type, keepPage);
    const { openField } = await chunks.load<ImagesModule>(files ? FILES_CHUNK : IMAGES_CHUNK);
    this.#images ??= openField({
      limits,
      files,
      dialog,
      texts,
      onChange: () => view.current?.drawComposer(),
      onLeft: () => view.current?.focusComposer(),
    });
    this.#hasCome();
  }

  async #openRoom(): Promise<void> {
    const { chunks, draw, ...options } = this.#options;
    const { openRoom } = await chunks.load<RoomModule>(ROOM_CHUNK);
    this.#room ??= openRoom(options);
    draw();
  }

  async #openTour(path: string): Promise<TourGuide> {
    const { host, chunks, panel, texts, state, view, navigation, draw, say } = this.#options;
    const { createGuide } = await chunks.load<TourModule>(TOUR_CHUNK);
    this.#tour ??= createGuide({
      url: new URL(path, host.scriptUrl).href,
      host,
      panel,
      texts,
      links: linkRules(host),
      openPage: ({ url, page, title }) => navigation.open({ url, page: page ?? '', title }),
      onOffer: () => {
        draw();
        if (state().entries.length === 0) say(texts().tourOffer);
      },
      onDeclined: () => view.current?.focusComposer(),
      say,
    });
    return this.#tour;
  }

  async #openVoice(settings: NonNullable<PanelHost['settings']['voice']>): Promise<void> {
    const { host, chunks, texts, state, view, draw } = this.#options;
    const { createVoice } = await chunks.load<VoiceModule>(VOICE_CHUNK);
    // The page may have removed the widget meanwhile.
    if (!host.element.isConnected) return;
    this.#voice ??= createVoice({ settings, texts, state, view, draw, markdown: { readBlocks, planBlocks } });
    this.#hasCome();
  }

  #hasCome(): void {
    const { view, draw } = this.#options;
    draw();
    view.current?.drawComposer();
  }
}

function ignore(): void {
  // The panel works without the part, so nobody is told.
}

/** Keeps the browser from opening a dropped file in place of the page, also before the field for files has loaded. */
function keepPage(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
}
