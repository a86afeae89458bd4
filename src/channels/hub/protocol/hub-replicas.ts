import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request, and the body that it came with, which may be unread. */
export interface RequestElsewhere {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Left out, the request is answered without a body. */
  readonly body?: Readable;
}

/**
 * The processes that share a hub behind a balancer which sends each request to any of them. A connection is in one process, and its name is
 * known to all. Messages of the hub itself need none of this.
 */
export interface HubReplicas {
  /** The name of this process: it begins the ids of the connections that are negotiated here. Lower-case letters and digits. */
  readonly replica: string;
  /** Milliseconds by which the clocks of two processes may differ. */
  readonly skewMs: number;
  /**
   * Makes this process the one that has a connection. False when another process has it, so that a token opens one connection in all
   * processes. Never rejects: while the others cannot be asked, each process decides for itself.
   */
  claim(connectionId: string): Promise<boolean>;
  /** Called when a connection that was claimed has ended. */
  release(connectionId: string): void;
  /** Calls the listener with a connection that another process turns out to have, too. */
  onTaken(listener: (connectionId: string) => void): void;
  /**
   * The other process that has a connection which this process does not have. Undefined when no other has it, and for a request that another
   * process has sent here. With `mayBeNew`, and for a connection that no process has, it is the process that has negotiated it.
   * @throws when the others cannot be asked.
   */
  ownerOf(request: FastifyRequest, connectionId: string, mayBeNew?: 'mayBeNew'): Promise<string | undefined>;
  /**
   * What was posted for a new connection to the process that has negotiated it, where this is another one. Never rejects: while that process
   * cannot be asked, there is nothing.
   */
  takeEarly(connectionId: string): Promise<readonly Buffer[]>;
  /** Called once with what hands out the posts that wait here for a connection of another process. */
  offerEarly(take: (connectionId: string) => readonly Buffer[]): void;
  /**
   * Lets another process answer a request. False when there is no such process any more, and the request is still to be answered.
   * @throws when nobody knows whether it was answered.
   */
  forward(owner: string, elsewhere: RequestElsewhere): Promise<boolean>;
}
