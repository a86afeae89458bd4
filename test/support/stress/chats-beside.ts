import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../bench/report/statistics.ts';
import type { ReceivedRequest } from '../scripted-model.ts';
import { openSse } from '../sse-client.ts';
import { lastUserText } from './last-user-text.ts';
import { patienceMs } from '../patience-limit.ts';

/** What a well-behaved client asks, what it is told, and its address. Attacks come from 127.0.0.1. */
export const wellBehaved = {
  message: 'How are you?',
  answer: 'All is well, thank you.',
  localAddress: '127.0.0.2',
  asked: (request: ReceivedRequest): boolean => lastUserText(request) === wellBehaved.message,
};

/** Milliseconds between two chats. */
const pauseMs = 20;

/** A client that chats all the time, each time on a new connection, and measures how long each chat takes to its end. */
export class ChatsBeside {
  readonly #url: string;
  readonly #milliseconds: number[] = [];
  readonly #failures: string[] = [];
  #goesOn = true;
  #running: Promise<void> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  begin(): void {
    this.#running = this.#chatOn();
  }

  async end(): Promise<void> {
    this.#goesOn = false;
    await this.#running;
  }

  get count(): number {
    return this.#milliseconds.length;
  }

  /** The time within which `share` of all chats ended. */
  quantileMs(share: number): number {
    return quantile(
      this.#milliseconds.toSorted((one, other) => one - other),
      share,
    );
  }

  /** What was wrong with the chats that failed. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Chats once and measures it. */
  async chat(): Promise<void> {
    const startedAt = performance.now();
    const failure = await chatOnce(this.#url);
    this.#milliseconds.push(performance.now() - startedAt);
    if (failure !== undefined) this.#failures.push(failure);
  }

  async #chatOn(): Promise<void> {
    while (this.#goesOn) {
      await this.chat();
      await wait(pauseMs);
    }
  }
}

/** Chats once. Returns what was wrong with the answer. */
async function chatOnce(url: string): Promise<string | undefined> {
  try {
    const { message, answer, localAddress } = wellBehaved;
    const chat = await openSse(`${url}/helper/chat`, { body: { message }, localAddress });
    const timer = setTimeout(() => {
      chat.close();
    }, patienceMs);
    await chat.closed;
    clearTimeout(timer);
    return chat.status === 200 && chat.text() === answer ? undefined : `${String(chat.status)} ${chat.raw()}`;
  } catch (error) {
    return String(error);
  }
}
