import type { JSX } from 'preact';
import type { AnswerProps } from '../panel-context.ts';

/** What stands under a message. The `answer` chunk draws it, and is loaded with the first message. */
export function Tools(props: AnswerProps): JSX.Element {
  const { Answer, actions } = props.context;
  return Answer ? <Answer {...props} /> : <i ref={actions.openAnswers} />;
}
