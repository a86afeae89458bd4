import { Component, createRef, type JSX } from 'preact';
import type { ComposedImage } from '../../images/composed-image.ts';
import type { ImageTray } from '../../images/image-contract.ts';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import type { ImageInput } from './image-input.ts';

interface ImageFieldProps {
  /** Takes the mounted component. */
  readonly self: { current: ImageField | null };
  readonly context: PanelContext;
  readonly input: ImageInput;
  /** Pictures came or went, or there is something to complain about. */
  readonly onChange: () => void;
  /** The keyboard goes back to the text. */
  readonly onLeft: () => void;
}

/** Takes pictures for the next message: picked with its button, or pasted into the panel or dropped on it. */
export class ImageField extends Component<ImageFieldProps> {
  readonly #picker = createRef<HTMLInputElement>();
  readonly #place = createRef<HTMLDivElement>();
  #panel: Element | null = null;
  #tray: ImageTray | null = null;
  #isLost = false;

  override componentDidMount(): void {
    this.props.self.current = this;
    this.#panel = this.#place.current?.closest('dialog') ?? null;
    for (const type of arrivals) this.#panel?.addEventListener(type, this);
  }

  override componentWillUnmount(): void {
    for (const type of arrivals) this.#panel?.removeEventListener(type, this);
  }

  override componentDidUpdate(before: ImageFieldProps): void {
    // In another language.
    if (before.context.version !== this.props.context.version) this.#tray?.show(this.#tray.images);
  }

  get images(): readonly ComposedImage[] {
    return this.#tray?.images ?? [];
  }

  get isBusy(): boolean {
    return this.#tray?.isBusy === true;
  }

  /** Why the last pictures were not taken. */
  get fault(): string {
    return this.#isLost ? this.props.context.texts.failed : (this.#tray?.fault ?? '');
  }

  /** Puts these in place of what is there; without any, the field is empty again. */
  show(images: readonly ComposedImage[] = []): void {
    this.#isLost = false;
    this.#tray?.show(images);
    this.props.onChange();
  }

  /** Files that are pasted or dropped. */
  handleEvent(event: Event): void {
    const { clipboardData, dataTransfer } = event as Partial<ClipboardEvent & DragEvent>; // one of them
    const isOver = event.type === 'dragover';
    this.#panel?.classList.toggle('is-dropping', isOver && dataTransfer?.types.includes('Files') === true);
    if (isOver && dataTransfer?.types.includes('Files') === true) event.preventDefault();
    // Spreadsheets and the like paste a picture beside what is meant, the text.
    if (clipboardData?.types.includes('text/plain') === true) return;
    const files = [...((clipboardData ?? dataTransfer)?.files ?? [])];
    if (isOver || files.length === 0) return;
    event.preventDefault();
    void this.#add(files);
  }

  async #add(files: readonly File[]): Promise<void> {
    const { input, onChange, onLeft } = this.props;
    try {
      const { openTray } = await input.load();
      this.#isLost = false;
      if (this.#tray === null) {
        const texts = (): PanelContext['texts'] => this.props.context.texts;
        this.#tray = openTray({ limits: input.limits, texts, onChange, onEmptied: onLeft });
        this.#place.current?.append(this.#tray.element);
      }
      await this.#tray.add(files);
    } catch {
      this.#isLost = true;
      onChange();
    }
  }

  override render({ context, input, onLeft }: ImageFieldProps): JSX.Element {
    const label = context.texts.attachImages;
    return (
      <>
        <div class="image-place" ref={this.#place} />
        <input
          ref={this.#picker}
          type="file"
          hidden
          multiple
          accept={input.limits.types.join()}
          aria-label={label}
          onChange={({ currentTarget }) => {
            void this.#add([...(currentTarget.files ?? [])]);
            // The same file may be picked again.
            currentTarget.value = '';
            onLeft();
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={label}
          title={label}
          onClick={() => this.#picker.current?.click()}
        >
          <Icon name="picture" />
        </button>
      </>
    );
  }
}

const arrivals = ['dragover', 'dragleave', 'drop', 'paste'] as const;
