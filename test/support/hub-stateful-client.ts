import { HttpHubClient } from './hub-http-client.ts';
import { RawHubClient, UpgradeRefused } from './hub-raw-client.ts';

export interface StatefulClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Wait for the event `Connected`. */
  readonly events?: boolean;
  /** Of the hub protocol, as the handshake names it. */
  readonly version?: number;
}

/** A raw client with stateful reconnect; every one of its sockets has the same address. */
export class StatefulClient {
  readonly address: string;
  readonly first: RawHubClient;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(address: string, first: RawHubClient, headers: Readonly<Record<string, string>>) {
    this.address = address;
    this.first = first;
    this.#headers = headers;
  }

  /** Negotiates, connects and shakes hands. */
  static async connect(url: string, options: StatefulClientOptions = {}): Promise<StatefulClient> {
    const { headers = {}, version = 2, events = false } = options;
    const { address } = await HttpHubClient.negotiate(url, headers, 'useStatefulReconnect=true');
    const first = await RawHubClient.connect(address, { events, headers, version });
    return new StatefulClient(address, first, headers);
  }

  /** The next socket, over which the client goes on with this message of its own; `undefined`: it does not say. */
  async comeBack(sequenceId: number | undefined): Promise<RawHubClient> {
    const client = await RawHubClient.open(this.address, this.#headers);
    if (sequenceId !== undefined) client.say({ type: 9, sequenceId });
    return client;
  }

  /** The status with which a socket of this address is answered. */
  status(headers = this.#headers): Promise<number> {
    return RawHubClient.open(this.address, headers).then(
      (client) => {
        client.socket.terminate();
        return 101;
      },
      (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
    );
  }
}
