import { Component, type JSX } from 'preact';
import type { Entry } from '../conversation/conversation-state.ts';
import type { AnswerProps } from '../panel/panel-context.ts';
import { momentText } from '../panel/state-texts.ts';
import type { AnswerModule, AnswerOptions } from './answer-contract.ts';
import { answerTexts } from './answer-texts.ts';
import { CopyButton } from './copy-button.tsx';
import { EditMessage } from './edit-message.tsx';
import { FollowUps } from './follow-ups.tsx';
import { Rating } from './rating.tsx';
import { ToolButton } from './tool-button.tsx';

type Reply = Extract<Entry, { kind: 'reply' }>;
type Asked = Extract<Entry, { kind: 'user' }>;

/** The component that draws what stands under messages: the time, and what can be done with them (contract/widget.md#under-an-answer). */
export const answersOf: AnswerModule['answersOf'] = (options) =>
  function Tools({ context, entry, isLast }: AnswerProps): JSX.Element {
    return entry.kind === 'user' ? (
      <AskedTools options={options} context={context} entry={entry} isLast={isLast} />
    ) : (
      <ReplyTools options={options} context={context} entry={entry} isLast={isLast} />
    );
  };

interface OfEntry<Kind> extends Omit<AnswerProps, 'entry'> {
  readonly options: AnswerOptions;
  readonly entry: Kind;
}

/** The time of the user's own message. The last one can be worded differently while nothing was done because of it. */
class AskedTools extends Component<OfEntry<Asked>, { readonly isEditing: boolean }> {
  override state = { isEditing: false };

  override render(
    { options, context, entry, isLast }: OfEntry<Asked>,
    { isEditing }: { isEditing: boolean },
  ): JSX.Element {
    const { texts } = context;
    const own = { ...texts, ...answerTexts(texts.locale) };
    const leave = (): void => this.setState({ isEditing: false });
    if (isEditing && isLast) {
      const send = (text: string): void => {
        leave();
        options.send({ text, replaces: entry.turnId });
        options.focusComposer();
      };
      const { maxMessageLength: maxLength } = options.conversation.state;
      return <EditMessage texts={own} text={entry.text} maxLength={maxLength} send={send} cancel={leave} />;
    }
    return (
      <div class="tools">
        <Moment at={entry.at} texts={texts} />
        {isLast && mayGoAgain(entry) && (
          <ToolButton icon="edit" name={own.edit} press={() => this.setState({ isEditing: true })} />
        )}
      </div>
    );
  }
}

/** The row under a reply. A part of a reply that is not the last one can only be copied. */
function ReplyTools({ options, context, entry, isLast }: OfEntry<Reply>): JSX.Element {
  const { texts, voice } = context;
  const own = { ...texts, ...answerTexts(texts.locale) };
  const text = entry.text.replace(/^\n+/, '');
  const { entries } = options.conversation.state;
  const { asked, isEnd } = placeOf(entry, entries);
  const copy = <CopyButton context={context} text={text} />;
  if (!isEnd) {
    return (
      <div class="tools">
        <Moment at={entry.at} texts={texts} />
        {copy}
      </div>
    );
  }
  const before = (
    <>
      {copy}
      {voice?.readOut && <ToolButton icon="speaker" name={own.readOut} press={() => voice.readOut?.(text)} />}
    </>
  );
  const again =
    isLast && asked !== undefined && mayGoAgain(asked) && !isOfferedBelow(entries) ? (
      <ToolButton
        icon="again"
        name={texts.retry}
        press={() => {
          options.send({ text: asked.text, replaces: asked.turnId });
          options.focusComposer();
        }}
      />
    ) : null;
  const behind = (
    <>
      {again}
      <Moment at={entry.at} texts={texts} />
    </>
  );
  const { turnId, feedback } = asked ?? {};
  return (
    <>
      {turnId === undefined || options.host.settings.feedback !== true ? (
        <div class="tools is-row">
          {before}
          {behind}
        </div>
      ) : (
        <Rating key={turnId} options={options} texts={own} {...{ turnId, feedback, before, behind }} />
      )}
      {isLast && options.host.settings.followUps && mayFollow(entry, options.conversation.state.entries) && (
        <FollowUps key={entry.id} options={options} context={context} />
      )}
    </>
  );
}

/** Whether the answer has ended as it should: nothing but what belongs to it stands below it. */
function mayFollow({ id, ending }: Reply, entries: readonly Entry[]): boolean {
  const below = entries.slice(entries.findIndex((other) => other.id === id) + 1);
  return ending === 'none' && below.every(({ kind }) => kind !== 'notice' && kind !== 'confirmation');
}

function Moment({ at, texts }: { readonly at: number; readonly texts: AnswerProps['context']['texts'] }): JSX.Element {
  const moment = new Date(at);
  return <time dateTime={moment.toISOString()}>{momentText(moment, texts)}</time>;
}

/** Whether the message may be sent again, as far as the page knows. The server decides. */
function mayGoAgain({ turnId, isFinal, text }: Asked): boolean {
  return turnId !== undefined && isFinal !== true && text !== '';
}

/** Whether a notice at the end offers to try again: what went wrong stands beside it. */
function isOfferedBelow(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return last?.kind === 'notice' && last.retry !== null;
}

/** The message that a part of a reply answers, and whether it is the last part of the answer. */
function placeOf(
  entry: Reply,
  entries: readonly Entry[],
): { readonly asked: Asked | undefined; readonly isEnd: boolean } {
  const index = entries.findIndex(({ id }) => id === entry.id);
  const asked = entries.slice(0, index).findLast((other) => other.kind === 'user');
  const next = entries.slice(index + 1).find(({ kind }) => kind === 'user' || kind === 'reply');
  return { asked, isEnd: next?.kind !== 'reply' };
}
