import { Component, createRef, type JSX } from 'preact';
import type { ShownFeedback } from '../../wire/feedback-body.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { AnswerOptions } from './answer-contract.ts';
import type { AnswerTexts } from './answer-texts.ts';
import { sendRating } from './send-rating.ts';
import { ToolButton } from './tool-button.tsx';

/** The most characters of the word that may be added. */
const maxWord = 1000;

interface RatingProps {
  readonly options: AnswerOptions;
  readonly texts: AnswerTexts & Pick<WidgetTexts, 'send' | 'closeChat'>;
  readonly turnId: string;
  readonly feedback: ShownFeedback | undefined;
  /** The buttons before and behind those of the rating. */
  readonly before: JSX.Element;
  readonly behind: JSX.Element | null;
}

interface RatingState {
  readonly feedback: ShownFeedback | undefined;
  /** Whether the field for a word is open. */
  readonly isOpen: boolean;
  readonly problem: boolean;
}

/** Good and bad, and a field for a word once one of them was pressed. Pressing the same button again takes the rating back. */
export class Rating extends Component<RatingProps, RatingState> {
  readonly #field = createRef<HTMLInputElement>();

  constructor(props: RatingProps) {
    super(props);
    this.state = { feedback: props.feedback, isOpen: false, problem: false };
  }

  async #give(feedback: ShownFeedback | undefined, isOpen: boolean): Promise<void> {
    const { options, texts, turnId } = this.props;
    const { feedback: before } = this.state;
    this.setState({ feedback, isOpen, problem: false });
    try {
      await sendRating(options, turnId, feedback);
      options.conversation.rated(turnId, feedback);
      if (feedback !== undefined) options.announcer.say(texts.thanks);
    } catch {
      this.setState({ feedback: before, isOpen: false, problem: true });
      options.announcer.say(texts.notRated);
    }
  }

  readonly #press = (rating: ShownFeedback['rating']): void => {
    const isOn = this.state.feedback?.rating === rating;
    void this.#give(isOn ? undefined : { rating }, !isOn);
  };

  readonly #sendWord = (event: Event): void => {
    event.preventDefault();
    const comment = this.#field.current?.value.trim() ?? '';
    const { feedback } = this.state;
    if (feedback === undefined) return;
    if (comment === '') this.setState({ isOpen: false });
    else void this.#give({ rating: feedback.rating, comment }, false);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Without this, the key would also close the panel. The browser closes a modal dialog by itself.
    event.preventDefault();
    event.stopPropagation();
    this.setState({ isOpen: false });
  };

  override render({ texts, before, behind }: RatingProps, { feedback, isOpen, problem }: RatingState): JSX.Element {
    return (
      <>
        <div class="tools is-row">
          {before}
          {(['good', 'bad'] as const).map((rating) => (
            <ToolButton
              key={rating}
              icon={rating}
              name={texts[rating]}
              isOn={feedback?.rating === rating}
              press={() => this.#press(rating)}
            />
          ))}
          {behind}
        </div>
        {problem && <p class="rating-problem">{texts.notRated}</p>}
        {isOpen && (
          <form class="rating-word" onSubmit={this.#sendWord} onKeyDown={this.#key}>
            <input aria-label={texts.word} placeholder={texts.word} maxLength={maxWord} dir="auto" ref={this.#field} />
            <button type="submit" class="button">
              {texts.send}
            </button>
          </form>
        )}
        {feedback?.comment !== undefined && !isOpen && (
          <p class="rating-said" dir="auto">
            {feedback.comment}
          </p>
        )}
      </>
    );
  }
}
