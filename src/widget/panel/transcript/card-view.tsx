import { Component, createRef, type JSX } from 'preact';
import type { Entry } from '../../conversation/conversation-state.ts';
import { fill } from '../../texts/widget-texts.ts';
import type { PanelContext } from '../panel-context.ts';

interface CardViewProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'card' }>;
}

interface CardViewState {
  readonly hasFailed: boolean;
}

/** A card of an action's result (contract/cards.md). The cards chunk draws it, and is loaded with the first card. */
export class CardView extends Component<CardViewProps, CardViewState> {
  override state: CardViewState = { hasFailed: false };
  readonly #box = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const { context, entry } = this.props;
    try {
      this.#box.current?.append(await context.actions.drawCard(entry.card, this.#submit));
    } catch {
      this.setState({ hasFailed: true });
    }
  }

  readonly #submit = (title: string, data: Readonly<Record<string, unknown>>): void => {
    const { context, entry } = this.props;
    // Names the pressed button, so that later readers and the model know what the user pressed.
    const text = fill(context.texts.cardSent, { title });
    context.actions.send({ text, cardSubmit: { cardId: entry.cardId, data } });
  };

  override render({ context }: CardViewProps, { hasFailed }: CardViewState): JSX.Element {
    return (
      <div class="card" part="card">
        {hasFailed && (
          <p class="card-failed" role="alert">
            {context.texts.cardFailed}
          </p>
        )}
        <div ref={this.#box} />
      </div>
    );
  }
}
