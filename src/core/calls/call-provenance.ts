import type { Influence } from '../events/turn-event.ts';
import { trustedDocuments } from '../knowledge/documents-key.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { typedWords, wordsOfUser } from '../prompt/user-message.ts';
import { influencesOf } from '../provenance/influences.ts';
import { WordForWord } from '../provenance/word-for-word.ts';
import { sinkValues } from '../tools/sink-values.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallScope } from './call-scope.ts';
import { leavesOf } from './typed-by-user.ts';

/** What a model had read before it asked for a call, and which destinations of the call come from no trusted source. */
export interface CallProvenance {
  /** The untrusted texts among what it had read. */
  readonly influencedBy: readonly Influence[];
  /** Parameters that say where something goes, and whose value no trusted source has given. */
  readonly notFromUser: ReadonlySet<string>;
}

/** How many values of one call are looked for in the conversation. Further values count as given by no trusted source. */
const mostValues = 20;

/**
 * Where a call comes from (contract/provenance.md). The result depends only on what was said and done in the conversation, and on what
 * the tool declares.
 */
export function provenanceOf(
  tool: Tool,
  argumentsValue: Readonly<Record<string, unknown>>,
  scope: Pick<CallScope, 'turn' | 'read'>,
): CallProvenance {
  const values = sinkValues(tool.parameters, argumentsValue);
  const isGiven = values.length === 0 ? () => true : givenIn(scope);
  const foreign = values.filter(({ text }, index) => index >= mostValues || !isGiven(text));
  return {
    influencedBy: influencesOf(scope.read),
    notFromUser: new Set(foreign.map(({ parameter }) => parameter)),
  };
}

/** Whether a rule, or an earlier choice of the user, may replace the user's answer to the call. */
export function isUninfluenced({ influencedBy, notFromUser }: CallProvenance): boolean {
  return influencedBy.length === 0 && notFromUser.size === 0;
}

function givenIn({ turn, read }: Pick<CallScope, 'turn' | 'read'>): (value: string) => boolean {
  const earlier = turn.options.history.map(({ message }) => message);
  const all = [...new Set([...earlier, ...read])];
  const { channel } = turn.request;
  const given = new WordForWord([
    ...typedWords(turn.request),
    ...(channel.isFromAgent === true ? [] : earlier.flatMap(wordsOfUser)),
    ...trustedDocuments(turn.record),
  ]);
  const sources = sourcesIn(all);
  // What a call has brought in its arguments comes from the model, whoever repeats it.
  return (value) => given.has(value) || sources.some(({ text, brought }) => text.has(value) && !brought.has(value));
}

/** A trusted text beside a call. */
interface Source {
  readonly text: WordForWord;
  /** The arguments of the call. */
  readonly brought: WordForWord;
}

/** The results of trusted actions, and what the user has typed into questions. */
function sourcesIn(messages: readonly ChatMessage[]): readonly Source[] {
  const brought = new Map<string, string>();
  const sources: Source[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) brought.set(call.id, call.arguments);
    if (message.role !== 'tool') continue;
    const { text, typed = '', trusted } = message;
    const texts = [...(trusted === true ? [text] : []), ...(typed === '' ? [] : [typed])];
    if (texts.length === 0) continue;
    const written = decoded(brought.get(message.callId) ?? '');
    sources.push({ text: new WordForWord(texts), brought: new WordForWord(written) });
  }
  return sources;
}

/** Arguments in one spelling, because JSON can write a character in more than one way, and their texts as they are. */
function decoded(written: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(written);
    return [JSON.stringify(value), ...leavesOf(value)];
  } catch {
    return [written];
  }
}
