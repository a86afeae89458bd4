import type { Client } from '@a2a-js/sdk/client';
import type { Logger } from '../../core/ports/logger.ts';
import {
  type RemoteAgent,
  RemoteAgentFault,
  type RemoteAgentStatus,
  type RemoteReply,
  type RemoteRequest,
} from '../../core/ports/remote-agent.ts';
import { agentAddress } from './agent-address.ts';
import { BackOff } from '../shared/back-off.ts';
import { CardKeeper } from './card-keeper.ts';
import { converse, type Exchange, optionsOf } from './converse.ts';
import { noReplyOf } from './no-reply.ts';
import { Patience } from './patience.ts';
import type { RemoteCard } from './read-card.ts';
import { RemoteConnection } from './remote-connection.ts';
import { type RemoteLimits, remoteLimits } from './remote-limits.ts';
import { RemoteTask } from './remote-task.ts';
import { ReplyText } from './reply-text.ts';

export interface A2aAgentOptions {
  readonly name: string;
  readonly agentCardUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Called after each change of `status`. */
  readonly statusChanged: () => void;
  /** Default: those of a running server. */
  readonly limits?: RemoteLimits;
}

/** An agent on another server, reached by A2A over JSON-RPC (contract/agents.md#remote-agents). */
export class A2aAgent implements RemoteAgent {
  readonly name: string;
  readonly #log: Logger;
  readonly #limits: RemoteLimits;
  readonly #statusChanged: () => void;
  readonly #connection: RemoteConnection;
  readonly #card: CardKeeper;
  /** Failures to fetch the first card, and failures of messages. A card that can be fetched does not prove that messages have a reply. */
  readonly #backOff: { readonly card: BackOff; readonly messages: BackOff };
  readonly #cancelling = new Set<Promise<void>>();
  #isOpen = false;
  #status: RemoteAgentStatus = 'connecting';

  /** @throws TypeError where the address or a header is not one of HTTP. */
  constructor({ name, agentCardUrl, headers, log, statusChanged, limits = remoteLimits }: A2aAgentOptions) {
    this.name = name;
    this.#log = log.child({ remoteAgent: name });
    this.#limits = limits;
    this.#statusChanged = statusChanged;
    const { cardAddress, authorization } = agentAddress(agentCardUrl);
    this.#connection = new RemoteConnection(cardAddress.origin, [...authorization, ...Object.entries(headers)], limits);
    const now = (): number => performance.now();
    this.#backOff = { card: new BackOff(limits.pauseMs, now), messages: new BackOff(limits.pauseMs, now) };
    this.#card = new CardKeeper({
      address: cardAddress,
      connection: this.#connection,
      limits,
      loaded: () => {
        this.#backOff.card.succeeded();
        const pauseMs = this.#backOff.messages.leftMs;
        if (pauseMs === 0) this.#tell(true);
        return pauseMs;
      },
      failed: (error) => {
        const { message } = noReplyOf(error);
        this.#log.warn({ reason: `${name} ${message}` }, 'the card of a remote agent could not be fetched');
        const pauseMs = this.#backOff.card.failed();
        this.#tell(false);
        return pauseMs;
      },
    });
  }

  get status(): RemoteAgentStatus {
    return this.#status;
  }

  /** Begins to fetch the card, in the background. Calls after the first do nothing. */
  open(): void {
    if (!this.#isOpen) this.#card.fetchIn(0);
    this.#isOpen = true;
  }

  async ask(request: RemoteRequest, onText: (piece: string) => void): Promise<RemoteReply> {
    request.signal.throwIfAborted();
    this.#refuseWhilePaused();
    const patience = new Patience(request.signal, this.#limits);
    const text = new ReplyText((piece) => {
      // What is still read while a Stop takes effect belongs to no turn any more.
      if (!request.signal.aborted) onText(piece);
    }, this.#limits.replyLength);
    try {
      const card = await this.#cardFor(request, patience);
      const task = new RemoteTask(text, this.#limits.idLength);
      await this.#converse({ card, request, patience, limits: this.#limits }, task);
      return task.reply;
    } finally {
      text.close();
      patience.end();
    }
  }

  /** Fetches the card no more. Replies under way go on. */
  retire(): void {
    this.#card.retire();
  }

  /** Ends all requests under way. */
  async close(): Promise<void> {
    this.retire();
    await this.#connection.close();
    await Promise.all(this.#cancelling);
  }

  #refuseWhilePaused(): void {
    const { card, messages } = this.#backOff;
    const isPaused = messages.leftMs > 0 || (!this.#card.hasCard && card.leftMs > 0);
    if (isPaused) throw new RemoteAgentFault(`${this.name} is paused: it has failed, and is asked again later`);
  }

  async #cardFor({ signal }: RemoteRequest, patience: Patience): Promise<RemoteCard> {
    try {
      return await this.#card.get(patience.signal);
    } catch (error) {
      signal.throwIfAborted();
      // The card keeper has told of its failure.
      throw this.#faultOf(error, patience);
    }
  }

  async #converse(exchange: Exchange, task: RemoteTask): Promise<void> {
    const { card, patience, request } = exchange;
    try {
      await patience.wait(converse(exchange, task));
      this.#backOff.messages.succeeded();
      this.#tell(true);
    } catch (error) {
      request.signal.throwIfAborted();
      const fault = this.#faultOf(error, patience);
      if (patience.isOver || noReplyOf(error).kind !== 'answer') this.#outage(fault);
      throw fault;
    } finally {
      if (task.isRunning) this.#cancel(card.client, task.id, request.traceparent);
    }
  }

  /** The fault for the caller. It has no cause, because the errors of the SDK hold text of the remote agent. */
  #faultOf(error: unknown, patience: Patience): RemoteAgentFault {
    const reason = patience.isOver ? 'did not answer in time' : noReplyOf(error).message;
    return new RemoteAgentFault(`${this.name} ${reason}`);
  }

  /** The agent is left alone for a while. Its card is then fetched, which shows whether it is there again. */
  #outage({ message: reason }: RemoteAgentFault): void {
    this.#log.warn({ reason }, 'a remote agent failed');
    this.#card.fetchIn(this.#backOff.messages.failed());
    this.#tell(false);
  }

  /** Asks the agent to work on a task no more. Nobody waits for it. */
  #cancel(client: Client, taskId: string | undefined, traceparent: string | undefined): void {
    if (taskId === undefined) return;
    const options = optionsOf(AbortSignal.timeout(this.#limits.cancelMs), traceparent);
    const cancelled = client.cancelTask({ tenant: '', id: taskId, metadata: undefined }, options).then(
      () => undefined,
      () => undefined,
    );
    this.#cancelling.add(cancelled);
    void cancelled.then(() => this.#cancelling.delete(cancelled));
  }

  #tell(isThere: boolean): void {
    const withoutCard: RemoteAgentStatus = isThere ? 'connecting' : 'failed';
    const status = isThere && this.#card.hasCard ? 'connected' : withoutCard;
    if (status === this.#status) return;
    this.#status = status;
    this.#statusChanged();
  }
}
