import type { Influence } from '../events/turn-event.ts';
import { trustedDocuments } from '../knowledge/documents-key.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { wordsOfUser } from '../prompt/user-message.ts';
import { influencesOf } from '../provenance/influences.ts';
import { WordForWord } from '../provenance/word-for-word.ts';
import { sinkValues } from '../tools/sink-values.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallScope } from './call-scope.ts';

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
  const own = [
    turn.request.message.text,
    ...earlier.flatMap(wordsOfUser),
    ...all.flatMap(typedIn),
    ...trustedDocuments(turn.record),
  ];
  const given = new WordForWord(own);
  const results = trustedResults(all);
  // A result is not the source of a value that was already in the arguments of its own call.
  return (value) => given.has(value) || results.some(({ text, brought }) => text.has(value) && !brought.has(value));
}

function typedIn(message: ChatMessage): readonly string[] {
  return message.role === 'tool' && message.typed !== undefined ? [message.typed] : [];
}

interface TrustedResult {
  readonly text: WordForWord;
  /** The arguments of the call that gave the result. */
  readonly brought: WordForWord;
}

function trustedResults(messages: readonly ChatMessage[]): readonly TrustedResult[] {
  const brought = new Map<string, string>();
  const results: TrustedResult[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) brought.set(call.id, call.arguments);
    if (message.role !== 'tool' || message.trusted !== true) continue;
    const written = decoded(brought.get(message.callId) ?? '');
    results.push({ text: new WordForWord([message.text]), brought: new WordForWord([written]) });
  }
  return results;
}

/** Arguments in one spelling, because JSON can write a character in more than one way. */
function decoded(written: string): string {
  try {
    return JSON.stringify(JSON.parse(written));
  } catch {
    return written;
  }
}
