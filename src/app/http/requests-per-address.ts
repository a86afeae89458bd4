import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../channels/shared/client-network.ts';

export interface RequestsPerAddressOptions {
  /** `server.maxRequestsPerAddress`. */
  readonly max: number;
  /** `server.trustProxy`. */
  readonly trustProxy: boolean;
}

/** Counts the running requests of each client address. Requests that wait for their socket are included. */
export class RequestsPerAddress {
  readonly #options: RequestsPerAddressOptions;
  readonly #underWay = new Map<string, number>();
  readonly #refused = new WeakSet<IncomingMessage>();
  /** The networks of sockets without a proxy in front. The address of such a socket never changes. */
  readonly #networks = new WeakMap<Socket, string>();

  constructor(options: RequestsPerAddressOptions) {
    this.#options = options;
  }

  /**
   * Counts a request until `leave` is called, and says whether the request is within the limit. `address`: the network of the client, if
   * the caller knows it already.
   */
  add(
    request: IncomingMessage,
    address: string = this.#addressOf(request),
  ): { readonly isWithin: boolean; readonly leave: () => void } {
    const others = this.#underWay.get(address) ?? 0;
    this.#underWay.set(address, others + 1);
    const isWithin = others < this.#options.max;
    if (!isWithin) this.#refused.add(request);
    return {
      isWithin,
      leave: () => {
        const left = (this.#underWay.get(address) ?? 1) - 1;
        if (left > 0) this.#underWay.set(address, left);
        else this.#underWay.delete(address);
      },
    };
  }

  /** Whether a request was one too many when it came in. */
  isTooMany(request: IncomingMessage): boolean {
    return this.#refused.has(request);
  }

  #addressOf(request: IncomingMessage): string {
    const { socket, headers } = request;
    // The proxy itself has added the last entry.
    const forwarded = this.#options.trustProxy ? headers['x-forwarded-for'] : undefined;
    const last = forwarded === undefined ? undefined : String(forwarded).split(',').at(-1)?.trim();
    if (last !== undefined && last !== '') return networkOf(last);
    const known = this.#networks.get(socket);
    if (known !== undefined) return known;
    const network = networkOf(socket.remoteAddress ?? '');
    this.#networks.set(socket, network);
    return network;
  }
}
