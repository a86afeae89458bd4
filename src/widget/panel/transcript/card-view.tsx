import { Component, createRef, type JSX } from 'preact';
import type { CardField, CardPlan } from '../../cards/card-contract.ts';
import type { Entry } from '../../conversation/conversation-state.ts';
import { createNode } from '../../nodes/create-node.ts';
import { fill } from '../../texts/widget-texts.ts';
import type { PanelContext } from '../panel-context.ts';
import { missingField, readFields } from './card-fields.ts';

interface CardViewProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'card' }>;
}

interface CardViewState {
  readonly hasFailed: boolean;
  readonly missing: CardField | null;
}

/** A card of an action's result (wire.md 7), drawn by the cards chunk, which is loaded with the first one. */
export class CardView extends Component<CardViewProps, CardViewState> {
  override state: CardViewState = { hasFailed: false, missing: null };
  readonly #box = createRef<HTMLDivElement>();
  #plan: CardPlan | null = null;
  #isSent = false;

  override componentDidMount(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    try {
      this.#plan = await this.props.context.actions.planCard(this.props.entry.card);
      this.#box.current?.append(createNode(this.#plan.root));
    } catch {
      this.setState({ hasFailed: true });
    }
  }

  readonly #click = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('[data-action]') : null;
    const action = this.#plan?.actions[Number(button?.getAttribute('data-action') ?? -1)];
    const box = this.#box.current;
    if (action?.type !== 'submit' || this.#plan === null || box === null || this.#isSent) return;
    const values = readFields(box, this.#plan.fields);
    const missing = missingField(this.#plan.fields, values);
    this.setState({ missing });
    if (missing !== null) return;
    this.#isSent = true;
    for (const control of box.querySelectorAll('button, input, select, textarea')) {
      control.setAttribute('aria-disabled', 'true');
      if (control.tagName !== 'BUTTON') control.setAttribute('disabled', '');
    }
    const { cardId } = this.props.entry;
    const { actions, texts } = this.props.context;
    const data = { ...action.data, ...values };
    actions.send({ text: '', cardSubmit: { cardId, data } }, fill(texts.cardSent, { title: action.title }));
  };

  override render({ context }: CardViewProps, { hasFailed, missing }: CardViewState): JSX.Element {
    const { texts } = context;
    return (
      <div class="card" part="card">
        {hasFailed && <p class="card-failed">{texts.cardFailed}</p>}
        <div ref={this.#box} onClick={this.#click} />
        <p class="card-error" role="alert">
          {missing !== null && fill(texts.cardRequired, { field: missing.label })}
        </p>
      </div>
    );
  }
}
