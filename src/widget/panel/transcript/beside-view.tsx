import { Component, type JSX } from 'preact';
import type { BesideProps } from '../panel-context.ts';

interface BesideViewState {
  readonly hasFailed: boolean;
}

/** An entry that the `beside` chunk draws. The chunk is loaded with the first such entry. */
export class BesideView extends Component<BesideProps, BesideViewState> {
  override state: BesideViewState = { hasFailed: false };

  override componentDidMount(): void {
    this.#load();
  }

  readonly #load = (): void => {
    this.props.context.actions.openBeside().catch(() => this.setState({ hasFailed: true }));
  };

  override render({ context, entry, place }: BesideProps, { hasFailed }: BesideViewState): JSX.Element | null {
    const { beside, texts } = context;
    if (beside) return <beside.BesideEntry context={context} entry={entry} place={place} />;
    if (!hasFailed) return null;
    return (
      <div class="notice">
        <p>{texts.notShown}</p>
        <button type="button" class="button" onClick={this.#load}>
          {texts.retry}
        </button>
      </div>
    );
  }
}
