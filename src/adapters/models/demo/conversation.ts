import type { ChatMessage, ModelToolCall } from '../../../core/ports/chat-model.ts';
import type { ActionStatus } from '../../../core/events/turn-event.ts';
import { cardShownNote } from '../../../core/tools/tool-outcome.ts';
import { countOf, objectOf, parsedJson } from '../json-values.ts';
import { termsOf } from './lexicon.ts';
import { numbersIn } from './spoken-values.ts';
import { wordsOfName } from './words.ts';

/** A tool call of the conversation, together with its outcome. */
export interface FinishedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: ActionStatus;
  readonly text: string;
  /** Whether the user sees a card with the result. */
  readonly hasCard: boolean;
}

/** The value by which a message or a result names a thing: a whole number, or an id. */
export type Reference = string | number;

const outcomePattern = /^\[(succeeded|failed|declined|refused|cancelled|unknown)\] ?/;
/** The note that the server puts in front of an outcome when the user has changed the arguments. */
const editedNote = /^The user approved this action with other arguments than yours: (\{.*\})\.\n/;
/** The names of images that the server puts behind a message. */
const imageNames = /(?:(?:^|\n)\[(?:image|file): [^\]\n]*\])+$/;
const attachedData = /^(?:<data of="[^"]*">\n[^\n]*\n<\/data>\n)+/;
/**
 * A document as the server writes it. Documents stand before everything else, in the words of `ragSystemPromptTemplate`. The content of a
 * document cannot close such an element.
 */
const document = /<data of="document (\d+)">\n([^\n]*)\n<\/data>/g;
/** The most characters of a message that the demo model reads. Its rules understand nothing in longer texts, which only take time. */
const maxUnderstoodLength = 1_000;
const amountTerms = ['total', 'amount', 'sum', 'price', 'cost', 'value'];

/**
 * The user's own words, without the texts that the server puts around them (page, submitted form, names of images). Long messages are cut.
 */
export function ownWords(text: string): string {
  const documents = [...text.matchAll(document)].at(-1);
  const own =
    documents === undefined ? text : text.slice(documents.index + documents[0].length).replace(/^[^<]*?\n/, '');
  return own.replace(attachedData, '').replace(imageNames, '').trim().slice(0, maxUnderstoodLength);
}

/** Everything that was said and done up to a user's message, as far as the demo model needs it. */
export class Conversation {
  readonly messages: readonly ChatMessage[];

  constructor(messages: readonly ChatMessage[]) {
    this.messages = messages;
  }

  /** The user's messages, the last one first, each with the conversation up to it. */
  *userMessages(): Generator<{ readonly text: string; readonly before: Conversation; readonly at: number }> {
    for (let at = this.messages.length - 1; at >= 0; at -= 1) {
      const message = this.messages[at];
      if (message?.role !== 'user') continue;
      yield { text: message.text, before: new Conversation(this.messages.slice(0, at)), at };
    }
  }

  /** The calls since the last user message, in order. */
  callsOfThisTurn(): readonly FinishedCall[] {
    const start = this.messages.findLastIndex(({ role }) => role === 'user');
    return finishedCalls(this.messages.slice(start + 1));
  }

  /** The calls that the model's last message asked for, in order. */
  latestCalls(): readonly FinishedCall[] {
    const start = this.messages.findLastIndex(({ role }) => role === 'assistant');
    return finishedCalls(this.messages.slice(Math.max(0, start)));
  }

  /** The last call of a tool, whatever its outcome was. */
  lastCall(): FinishedCall | undefined {
    return finishedCalls(this.messages).at(-1);
  }

  /** The last number or id that an argument had: in a call, or in the data of the page that the user is on. */
  earlierReference(name: string): Reference | undefined {
    const call = finishedCalls(this.messages).findLast((finished) => Object.hasOwn(finished.arguments, name));
    const page = this.#pageData();
    const value = call?.arguments[name] ?? (Object.hasOwn(page, name) ? page[name] : undefined);
    return isReference(value) ? value : undefined;
  }

  /**
   * The sum that a result names for the thing with these references, for example the total of order 1003. The sum stays as the result
   * writes it.
   */
  amountOf(references: Readonly<Record<string, unknown>>): number | string | undefined {
    const wanted = Object.entries(references);
    if (wanted.length === 0) return undefined;
    const things = finishedCalls(this.messages)
      .toReversed()
      .flatMap((call) => objectsIn(parsedJson(call.text)));
    const thing = things.find((candidate) => wanted.every(([name, value]) => candidate[name] === value));
    for (const term of amountTerms) {
      const entry = Object.entries(thing ?? {}).find(([name]) =>
        termsOf(wordsOfName(name)).has([...termsOf([term])][0] ?? ''),
      );
      const value = entry?.[1];
      const amount = typeof value === 'string' && numbersIn(value)[0]?.isMoney === true ? value : countOf(value);
      if (amount !== undefined) return amount;
    }
    return undefined;
  }

  #pageData(): Readonly<Record<string, unknown>> {
    const last = this.messages.findLast(({ role }) => role === 'user');
    const line = /<data of="page[^"]*">\n([^\n]*)\n/.exec(last?.text ?? '')?.[1];
    return objectOf(objectOf(parsedJson(line ?? ''))?.['data']) ?? {};
  }
}

function finishedCalls(messages: readonly ChatMessage[]): readonly FinishedCall[] {
  const calls = new Map<string, ModelToolCall>();
  const finished: FinishedCall[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) calls.set(call.id, call);
    if (message.role !== 'tool') continue;
    const call = calls.get(message.callId);
    const status = outcomePattern.exec(message.text)?.[1] ?? 'succeeded';
    const outcome = message.text.replace(outcomePattern, '');
    const edited = editedNote.exec(outcome)?.[1];
    finished.push({
      name: message.name,
      arguments: objectOf(parsedJson(edited ?? call?.arguments ?? '')) ?? {},
      // The pattern lets only these words through.
      status: status as ActionStatus,
      // The answer of a page stands between marks. Only the text between them is kept.
      text: outcome
        .replace(editedNote, '')
        .replace(/<data of="[^"]*">\n([^\n]*)\n<\/data>/, '$1')
        .replace(`\n${cardShownNote}`, ''),
      hasCard: outcome.includes(`\n${cardShownNote}`),
    });
  }
  return finished;
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'string' ? /^[\w-]{1,64}$/.test(value) : Number.isSafeInteger(value);
}

/** The objects in a result, at most two levels deep: a thing, the things of a list, the things of a list in a thing. */
function objectsIn(value: unknown, depth = 0): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, depth));
  const fields = objectOf(value);
  if (fields === undefined || depth > 2) return [];
  return [fields, ...Object.values(fields).flatMap((item) => objectsIn(item, depth + 1))];
}
