import { Component, type JSX } from 'preact';
import type { FollowUpsBody } from '../../wire/follow-ups-body.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { fill } from '../texts/widget-texts.ts';
import type { AnswerOptions } from './answer-contract.ts';

interface FollowUpsProps {
  readonly options: AnswerOptions;
  readonly context: PanelContext;
}

/** Buttons with what the user could say next (contract/widget.md#under-an-answer). Without an answer of the server there are none. */
export class FollowUps extends Component<FollowUpsProps, Partial<FollowUpsBody>> {
  readonly #gone = new AbortController();

  override componentDidMount(): void {
    // The answer is there without them, so nobody is told of a failure.
    askFollowUps(this.props.options, this.#gone.signal).then(
      (found) => this.setState(found),
      () => undefined,
    );
  }

  /** A new message, another conversation and the end of the panel end the request, and with it the question to the model. */
  override componentWillUnmount(): void {
    this.#gone.abort();
  }

  override render(
    { context }: FollowUpsProps,
    { messages = [], pages = [] }: Partial<FollowUpsBody>,
  ): JSX.Element | null {
    const { texts, actions } = context;
    const said = [...messages, ...pages.map((page) => fill(texts.goToPage, { page }))];
    if (said.length === 0) return null;
    return (
      <ul class="suggestions follow-ups" aria-label={texts.suggestions}>
        {said.map((message) => (
          <li key={message}>
            <button type="button" class="suggestion" dir="auto" onClick={() => actions.suggest(message)}>
              {message}
            </button>
          </li>
        ))}
      </ul>
    );
  }
}

async function askFollowUps(
  { host, token, conversation }: Pick<AnswerOptions, 'host' | 'token' | 'conversation'>,
  signal: AbortSignal,
): Promise<FollowUpsBody> {
  const { connectionId } = conversation;
  if (connectionId === null) throw new Error('there is no connection');
  const url = new URL(`${host.settings.controlPath}/follow-ups`, host.scriptUrl);
  url.searchParams.set('connectionId', connectionId);
  const response = await fetch(url, { headers: await token.headers(), credentials: 'include', signal });
  if (!response.ok) throw new Error(`follow-ups were answered with ${String(response.status)}`);
  return (await response.json()) as FollowUpsBody; // the server's schema says so
}
