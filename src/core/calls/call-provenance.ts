import type { AskedInfluence } from '../events/turn-event.ts';
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
  readonly influencedBy: readonly AskedInfluence[];
  /** Parameters that say where something goes, and whose value no trusted source has given. */
  readonly notFromUser: ReadonlySet<string>;
}

/** How many values of one call are looked for in the conversation. Further values count as given by no trusted source. */
export const mostValues = 20;

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

/** Whether the user, a trusted result or a trusted document has given a value (contract/provenance.md#sinks). */
export function givenIn({ turn, read }: Pick<CallScope, 'turn' | 'read'>): (value: string) => boolean {
  const earlier = turn.options.history.map(({ message }) => message);
  const all = [...new Set([...earlier, ...read])];
  const { channel } = turn.request;
  const given = new WordForWord([
    ...typedWords(turn.request),
    ...(channel.isFromAgent === true ? [] : earlier.flatMap(wordsOfUser)),
    ...trustedDocuments(turn.record),
  ]);
  const sources = sourcesIn(all, ({ text, typed = '', trusted }) => [
    ...(trusted === true ? [text] : []),
    ...(typed === '' ? [] : [typed]),
  ]);
  return (value) => given.has(value) || sources.some(({ has }) => has(value));
}

type ResultMessage = Extract<ChatMessage, { readonly role: 'tool' }>;

/** A text beside a call. */
interface Source {
  readonly message: ResultMessage;
  /** What the call has brought in its arguments comes from the model, whoever repeats it. */
  readonly has: (value: string) => boolean;
}

/** The results with texts that `textsOf` picks. */
export function sourcesIn(
  messages: readonly ChatMessage[],
  textsOf: (message: ResultMessage) => readonly string[],
): readonly Source[] {
  const brought = new Map<string, string>();
  const sources: Source[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) brought.set(call.id, call.arguments);
    if (message.role !== 'tool') continue;
    const texts = textsOf(message);
    if (texts.length === 0) continue;
    const [said, written] = [new WordForWord(texts), new WordForWord(decoded(brought.get(message.callId) ?? ''))];
    sources.push({ message, has: (value) => said.has(value) && !written.has(value) });
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
