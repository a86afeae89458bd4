import { type PartError, partErrorOf } from '../../core/errors/part-errors.ts';
import type { RecordedEvent, TurnEvent } from '../../core/events/turn-event.ts';
import type { ToldEnd } from '../../core/guardrails/honest-texts.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import type { EndedReply } from './reply-wire.ts';

type Fields<Type extends TurnEvent['type']> = Omit<Extract<TurnEvent, { readonly type: Type }>, 'type'>;

/** What the server itself says in a reply, in the configured language. */
export interface ReplyTexts {
  /** Takes back what stands above it. */
  readonly withdrawn: string;
  readonly interrupted: string;
  /** What was really done, to stand below what was said. Empty where there is nothing to tell. */
  readonly doneBelow: (end: ToldEnd) => string;
}

/** Reads the events of a turn as a text that can only grow. */
export class ReplyEvents {
  readonly #texts: ReplyTexts;
  /** The reply as it is now. */
  #reply = '';
  #message = '';
  readonly #warnings: PartError[] = [];
  #retryAfter: number | undefined;
  #end: EndedReply | undefined;

  constructor(texts: ReplyTexts) {
    this.#texts = texts;
  }

  /**
   * How the turn ended, once it brings no more events. A turn that brings no more without an end is told as a fault, so that no client takes
   * half a reply for the whole one (contract/openai.md#restarts).
   */
  endOf({ running, suspended }: Pick<Turn, 'running' | 'suspended'>): EndedReply {
    if (this.#end !== undefined) return this.#end;
    const cut = { status: 'failed', text: '', warnings: this.#warnings, usage: undefined } as const;
    return running && !suspended
      ? { ...cut, code: 'turn_in_progress', message: 'Another reader has taken this reply over.' }
      : { ...cut, code: 'interrupted', message: this.#texts.interrupted };
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
        return text.startsWith(before) ? text.slice(before.length) : `\n\n[${this.#texts.withdrawn}]\n\n${text}`;
      }
      case 'error-occurred': {
        const fault = JSON.parse(json) as Fields<'error-occurred'>; // likewise
        const warning = partErrorOf(fault);
        if (warning === undefined) ({ message: this.#message, retryAfter: this.#retryAfter } = fault);
        else this.#warnings.push(warning);
        return '';
      }
      case 'turn-completed':
        return this.#ended(JSON.parse(json) as Fields<'turn-completed'>); // likewise
      default:
        return '';
    }
  }
  /** Returns what was really done, where it stands below a reply. Otherwise it stands below the words that say why there is none. */
  #ended({ status, code, text, usage, receipts = [] }: Fields<'turn-completed'>): string {
    const isReply = status === 'completed';
    const below = this.#texts.doneBelow({ status, said: isReply ? text : this.#message, receipts });
    this.#end = {
      ...{ status, code, usage, retryAfter: this.#retryAfter, warnings: this.#warnings },
      text: isReply ? text + below : text,
      message: isReply ? this.#message : this.#message + below,
    };
    return isReply ? below : '';
  }
}
