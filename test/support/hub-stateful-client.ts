import { HttpHubClient } from './hub-http-client.ts';
import { RawHubClient, UpgradeRefused } from './hub-raw-client.ts';

export interface StatefulClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to wait for the event `Connected`. */
  readonly events?: boolean;
  /** The version of the hub protocol in the handshake. */
  readonly version?: number;
}

/** A raw client with stateful reconnect. All its sockets have the same address. */
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

  /** Opens the next socket. The client continues with its message of this number, or with `undefined` names none. */
  async comeBack(sequenceId: number | undefined): Promise<RawHubClient> {
    const client = await RawHubClient.open(this.address, this.#headers);
    if (sequenceId !== undefined) client.say({ type: 9, sequenceId });
    return client;
  }

  /** The status of the server's answer to a socket of this address. */
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
