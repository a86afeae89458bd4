import type { ConversationState, Entry, UserMessage } from '../conversation/conversation-state.ts';
import { isNamed } from '../conversation/agents-at-work.ts';
import { fill } from '../texts/widget-texts.ts';
import { SentenceReader } from './sentence-reader.ts';
import type { Speaker } from './speaker.ts';
import type { VoiceOptions } from './voice-contract.ts';

/** Reads replies and questions aloud, in the order of the transcript. */
export class ReplyReader {
  readonly #options: VoiceOptions;
  readonly #speaker: Speaker;
  /** Entries before this one are not read. */
  #from = 0;
  /** The message whose turn is not read any further. */
  #silenced: UserMessage | null = null;
  #reading: { readonly id: number; readonly reader: SentenceReader } | null = null;

  constructor(options: VoiceOptions, speaker: Speaker) {
    this.#options = options;
    this.#speaker = speaker;
  }

  /** Reads the new parts of the conversation. */
  follow(state: ConversationState): void {
    // The transcript is empty: a new conversation has begun, perhaps of another user. Nothing of the earlier conversation may be spoken.
    if (state.entries.length === 0) this.#speaker.stop();
    for (const entry of state.entries) {
      if (entry.id < this.#from) continue;
      if (!this.#read(entry, state)) break;
      this.#from = entry.id + 1;
    }
  }

  /** The user turns reading on. It begins with the reply that is being written, else with the next one. */
  begin(state: ConversationState): void {
    const question = state.turn === null ? undefined : state.entries.findLast(({ kind }) => kind === 'user');
    this.#from = question?.id ?? state.nextId;
    this.#silenced = null;
    this.#reading = null;
  }

  /** Skips all present entries and the rest of the running turn. */
  skip(state: ConversationState): void {
    this.#from = state.nextId;
    this.#silenced = state.turn?.message ?? null;
    this.#reading = null;
  }

  /** Reads an entry. False while the entry may still grow. */
  #read(entry: Entry, state: ConversationState): boolean {
    if (state.turn !== null && state.turn.message === this.#silenced) return true;
    if (entry.kind === 'confirmation' && entry.outcome === null) {
      const { title } = entry.request;
      this.#speaker.say(`${this.#options.texts().confirmTitle}: ${title}`);
    }
    if (entry.kind !== 'reply') return true;
    const isComplete = entry.isComplete || state.turn === null;
    if (!isComplete && !this.#options.settings.streaming) return false;
    const { locale, botSaid } = this.#options.texts();
    const { speaker = '' } = entry;
    if (this.#reading?.id !== entry.id) {
      this.#reading = { id: entry.id, reader: new SentenceReader(this.#options.markdown, locale) };
      if (isNamed(speaker)) this.#speaker.say(fill(botSaid, { botName: speaker }));
    }
    const sentences = this.#reading.reader.read(entry.text, isComplete);
    if (sentences === null) {
      this.#speaker.stop();
      this.#reading = null;
      return this.#read(entry, state);
    }
    for (const sentence of sentences) this.#speaker.say(sentence);
    return isComplete;
  }
}
