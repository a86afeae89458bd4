import type { ReplicaBus } from '../ports/replica-bus.ts';
import { clusterUnavailable } from '../ports/over-bus.ts';
import { ReplicaGone } from '../ports/replica-gone.ts';
import type { SharedTurns } from '../ports/turn-store.ts';
import type { MeantConversations } from '../sessions/forget-conversations.ts';
import { list, text, turnKinds, valueOf } from './turn-messages.ts';

/** Milliseconds that another replica may take to stop the turns of conversations. */
const longestWaitMs = 15_000;

/** The conversations that the other replicas hold. */
export class ConversationsElsewhere {
  readonly #bus: ReplicaBus;
  readonly #shared: SharedTurns;

  constructor(bus: ReplicaBus, shared: SharedTurns) {
    this.#bus = bus;
    this.#shared = shared;
  }

  /** Ids of the conversations of a user that are open there. @throws HelperError `cluster_unavailable` when a replica cannot be asked. */
  async open(userKey: string): Promise<readonly string[]> {
    const open = await this.#ofEach(async (replica) => {
      const call = { replica, kind: turnKinds.openConversations, body: { userKey } };
      return list(valueOf(await this.#bus.ask(call))).map(text);
    });
    return open.flat();
  }

  /** As `Assistant.forgetConversations`. @throws HelperError as `open`. */
  async forget(meant: MeantConversations): Promise<boolean> {
    const signal = AbortSignal.timeout(longestWaitMs);
    const forgotten = await this.#ofEach(async (replica) => {
      const call = { replica, kind: turnKinds.forgetConversations, body: meant };
      for await (const isOver of await this.#bus.follow(call, signal)) return isOver === true;
      return false;
    });
    return forgotten.every((isOver) => isOver);
  }

  async #ofEach<Value>(ask: (replica: string) => Promise<Value>): Promise<readonly Value[]> {
    const others = await this.#shared.others();
    const answers = await Promise.allSettled(others.map(ask));
    return answers.flatMap((answer) => {
      if (answer.status === 'fulfilled') return [answer.value];
      // A replica that has ended holds nothing.
      if (answer.reason instanceof ReplicaGone) return [];
      throw clusterUnavailable();
    });
  }
}
