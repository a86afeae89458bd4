import { type Payload, readMessage } from './bridge-message.ts';
import type { HostChannel } from './host-channel.ts';

/** The page's reaction to each type of message from the host. A reaction throws, or rejects, with the fault of the payload. */
export type HostCommands = Readonly<Record<string, (payload: Payload, id: string | undefined) => unknown>>;

interface Waiting {
  readonly type: string;
  readonly answer: (payload: Payload) => void;
}

/** The largest number of questions that are open at once. */
const mostWaiting = 32;

/** Speaks with the host in messages of version 1 (contract/embed.md). */
export class Bridge {
  readonly #channel: HostChannel;
  readonly #waiting = new Map<string, Waiting>();
  #asked = 0;

  constructor(channel: HostChannel) {
    this.#channel = channel;
  }

  /**
   * Begins to take the host's messages. A message is an answer to a question of this page, or one of the commands. Any other message is
   * ignored.
   */
  listen(commands: HostCommands): void {
    this.#channel.listen((data) => {
      const message = readMessage(data);
      if (message === null) return;
      const { id = '', type, payload } = message;
      const waiting = this.#waiting.get(id);
      if (waiting?.type === type) waiting.answer(payload);
      else if (Object.hasOwn(commands, type)) void this.#obey(commands, message);
    });
  }

  tell(type: string, payload: Payload = {}, id?: string): void {
    this.#channel.post({ v: 1, ...(id === undefined ? {} : { id }), type, payload });
  }

  /** An id that no other question of this page has. */
  newId(): string {
    return `h${String((this.#asked += 1))}`;
  }

  /** Asks the host. The host's answer has the same type and id. Rejects when the answer takes longer than `limitMs`. */
  ask(type: string, payload: Payload, limitMs: number): Promise<Payload> {
    if (this.#waiting.size >= mostWaiting) return Promise.reject(new Error('The host owes too many answers.'));
    const id = this.newId();
    return new Promise<Payload>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error('The host did not answer in time.'));
      }, limitMs);
      const answer = (given: Payload): void => {
        clearTimeout(late);
        this.#waiting.delete(id);
        resolve(given);
      };
      this.#waiting.set(id, { type, answer });
      this.tell(type, payload, id);
    });
  }

  async #obey(
    commands: HostCommands,
    { type, payload, id }: { readonly type: string; readonly payload: Payload; readonly id?: string },
  ): Promise<void> {
    try {
      await commands[type]?.(payload, id);
    } catch (error) {
      const message = `${type}: ${error instanceof Error ? error.message : String(error)}`;
      this.tell('error', { code: 'invalid_request', message }, id);
    }
  }
}
