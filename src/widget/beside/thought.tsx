import { Component, type JSX } from 'preact';
import { Icon } from '../panel/icon.tsx';
import type { WidgetTexts } from '../texts/widget-texts.ts';

interface ThoughtProps {
  readonly id: string;
  readonly texts: WidgetTexts;
  readonly text: string;
}

/** What the model has thought before a reply. One press opens it (contract/widget.md#thoughts). */
export class Thought extends Component<ThoughtProps, { readonly isOpen: boolean }> {
  override state = { isOpen: false };

  readonly #turn = (): void => this.setState(({ isOpen }) => ({ isOpen: !isOpen }));

  override render({ id, texts, text }: ThoughtProps, { isOpen }: { isOpen: boolean }): JSX.Element {
    return (
      <div class="thought">
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={this.#turn}>
          {texts.thought}
          <Icon name="unfold" />
        </button>
        <div id={id} role="region" aria-label={texts.thought} dir="auto" hidden={!isOpen}>
          {text}
        </div>
      </div>
    );
  }
}
