import type { RecordedEvent, TurnEvent } from '../../core/events/turn-event.ts';
import type { EndedReply } from './reply-wire.ts';

type Fields<Type extends TurnEvent['type']> = Omit<Extract<TurnEvent, { readonly type: Type }>, 'type'>;

/** Reads the events of a turn as a text that can only grow. */
export class ReplyEvents {
  readonly #withdrawn: string;
  /** The reply as it is now. */
  #reply = '';
  #message = '';
  #end: EndedReply | undefined;

  /** `withdrawn`: the sentence, in the configured language, that takes back what stands above it. */
  constructor(withdrawn: string) {
    this.#withdrawn = withdrawn;
  }

  /** How the turn ended. Undefined while it runs. */
  get end(): EndedReply | undefined {
    return this.#end;
  }

  /** Returns the text by which the event makes the reply longer. Empty for most events. */
  read({ type, json }: RecordedEvent): string {
    switch (type) {
      case 'text-delta': {
        const { text } = JSON.parse(json) as Fields<'text-delta'>; // as this server has written it
        this.#reply += text;
        return text;
      }
      case 'text-replaced': {
        const { text } = JSON.parse(json) as Fields<'text-replaced'>; // likewise
        const before = this.#reply;
        this.#reply = text;
        // What a client has read cannot be taken back, so it is told that it does not hold.
        return text.startsWith(before) ? text.slice(before.length) : `\n\n[${this.#withdrawn}]\n\n${text}`;
      }
      case 'error-occurred': {
        const { message } = JSON.parse(json) as Fields<'error-occurred'>; // likewise
        this.#message = message;
        return '';
      }
      case 'turn-completed': {
        const { status, code, text, usage } = JSON.parse(json) as Fields<'turn-completed'>; // likewise
        this.#end = { status, code, text, usage, message: this.#message };
        return '';
      }
      default:
        return '';
    }
  }
}
