import { isHeld } from '../guardrails/held-reply.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { RemoteAgent, RemoteReply, RemoteThread, Standing } from '../ports/remote-agent.ts';
import { influenceOf, influencesOf, joinInfluences } from '../provenance/influences.ts';
import { requestMark } from '../prompt/request-mark.ts';
import type { RemoteAgentDefinition } from './agent-definition.ts';
import type { MemberReply } from './member-reply.ts';
import { putHalf } from './recorded-reply.ts';
import type { MemberScope } from './staff.ts';

/** Characters of a question that the user has not read. */
const longestQuestion = 2_000;

/** A reply of a remote agent in the record. `speaker`: the user was shown it while it was read. */
export type RecordedRemote = RemoteReply & { readonly speaker?: string };

/**
 * Asks a remote agent (contract/agents.md#remote-agents). It is told the request only, and in a team what the members have said since.
 * @throws RemoteAgentFault where there is no reply; TurnStopped after a Stop.
 */
export async function askRemote(
  { definition, remote }: { readonly definition: RemoteAgentDefinition; readonly remote: RemoteAgent },
  messages: readonly ChatMessage[],
  scope: MemberScope,
): Promise<MemberReply> {
  const { turn, path, isSilent, gate } = scope;
  const { name } = definition;
  // The message may hold what others have read.
  const influencedBy = joinInfluences(influencesOf(messages), influenceOf('remote', name));
  const reply = await turn.record.step(`${path}/remote`, async (): Promise<RecordedRemote> => {
    turn.requireRunning();
    // Another server gets the message only once it has passed its check.
    await gate?.passed;
    const speak = isSilent || isHeld(turn.record) ? undefined : turn.events.speak(`${path}/remote`, name);
    const request = {
      text: requestIn(messages),
      thread: lastThread(name, scope),
      messageId: `${turn.id}/${path}`,
      signal: turn.signal,
      traceparent: turn.record.trace?.traceparent,
    };
    const onText = (piece: string): void => {
      if (speak === undefined) return;
      scope.onSpeaking?.();
      speak(JSON.stringify(piece).slice(1, -1));
    };
    try {
      const answered = await remote.ask(request, onText);
      turn.events.settle();
      return { ...answered, ...(isSilent ? {} : { speaker: name }) };
    } catch (error) {
      const half = speak === undefined ? '' : turn.events.replyText().trim();
      if (half !== '') putHalf(turn.record, `${path}/remote`, { text: half, influencedBy });
      throw error;
    }
  });
  // The user does not read what a silent agent asks, so whoever has handed over must ask it.
  const unseen = reply.asksBack && isSilent ? { question: reply.text.slice(0, longestQuestion) } : {};
  const standing: Standing | undefined =
    reply.thread === undefined ? undefined : { threads: { [name]: { ...reply.thread, ...unseen } } };
  return {
    status: 'succeeded',
    text: reply.text,
    influencedBy,
    ...(reply.asksBack ? { asksBack: true as const } : {}),
    ...(isSilent ? { isUnsaid: true as const } : {}),
    ...(standing === undefined ? {} : { standing }),
  };
}

/** The request, and what other members of a team have said since. What was said before is not for another server. */
function requestIn(messages: readonly ChatMessage[]): string {
  const begun = messages.findLastIndex(({ origin, text }) => origin === 'model' && text.startsWith(requestMark));
  const texts = messages.slice(begun < 0 ? -1 : begun).map(({ text }) => text);
  return texts.join('\n\n').replace(requestMark, '');
}

/** Where the conversation with a remote agent stands: as this turn has left it, else as the conversation has. */
export function lastThread(name: string, { turn }: Pick<MemberScope, 'turn'>): RemoteThread | undefined {
  const ofTurn = [...turn.record.entries()].flatMap(
    ([key, value]) => (key.endsWith('/said') ? [(value as MemberReply).standing] : []), // recorded by `runMember`
  );
  const ofConversation = turn.options.history.map(({ message }) =>
    message.role === 'tool' ? message.standing : undefined,
  );
  const known = [...ofConversation, ...ofTurn].findLast(({ threads = {} } = {}) => Object.hasOwn(threads, name));
  const thread = known?.threads?.[name];
  if (thread === undefined) return undefined;
  const { question: _, ...ids } = thread;
  return ids;
}
