import { type HubConnection, HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../chat/apply-event.ts';
import { HubHttpClient } from './hub-http-client.ts';
import { type HubLink, type HubListener, HubRefusal } from './hub-port.ts';
import { type PageToken, subjectOf } from './page-token.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { TokenRenewal } from './token-renewal.ts';

const turnEventNames: readonly TurnHubEvent['name'][] = [
  'TurnStarted',
  'TextDelta',
  'ActionExecuting',
  'ActionProgress',
  'ActionCompleted',
  'ConfirmationRequested',
  'ConfirmationResolved',
  'NavigationRequested',
  'CardReady',
  'TurnCompleted',
  'ErrorOccurred',
];

const firstAttempts = 4;

/** The official SignalR client, with what it lacks: its first connect is retried too, and its token is renewed in time. */
export class SignalRLink implements HubLink {
  readonly #connection: HubConnection;
  readonly #listener: HubListener;
  readonly #token: PageToken;
  readonly #http: HubHttpClient;
  readonly #renewal: TokenRenewal;
  #connecting: Promise<void> | null = null;
  #leaving: Promise<void> | null = null;
  #isStopped = false;
  #isRefused = false;
  /** Whose connection it is or was last; null before the first. */
  #user: { readonly name: string; readonly subject: string } | null = null;

  constructor(url: string, token: PageToken, listener: HubListener) {
    this.#listener = listener;
    this.#token = token;
    this.#http = new HubHttpClient(token);
    this.#renewal = new TokenRenewal(url, token, () => void this.#leave());
    this.#connection = new HubConnectionBuilder()
      .withUrl(url, { httpClient: this.#http, accessTokenFactory: () => token.read() })
      .withAutomaticReconnect({
        nextRetryDelayInMilliseconds: ({ previousRetryCount, retryReason }) => {
          this.#isRefused = refusalIn(retryReason) === 'signed-out';
          return this.#isRefused ? null : reconnectDelay(previousRetryCount);
        },
      })
      .configureLogging(LogLevel.None)
      .build();
    for (const name of turnEventNames) {
      // The server's side of this contract is checked where it sends (channels/hub).
      this.#connection.on(name, (fields: never) => listener.onTurnEvent({ name, fields }));
    }
    this.#connection.on('UiActionRequested', listener.onUiAction);
    this.#connection.on('Connected', (fields: ConnectionHubEvents['Connected']) => this.#connected(fields));
    // A coming restart is seen when it happens: the connection is closed to be opened again.
    this.#connection.on('ServerDraining', () => undefined);
    this.#connection.onreconnecting(() => {
      this.#renewal.end();
      if (this.#leaving === null) listener.onReconnecting();
    });
    this.#connection.onreconnected(listener.onReconnected);
    this.#connection.onclose(() => {
      this.#renewal.end();
      if (this.#leaving === null) listener.onClosed(this.#isRefused ? 'signed-out' : null);
    });
  }

  get isConnected(): boolean {
    return this.#connection.state === HubConnectionState.Connected && this.#leaving === null;
  }

  connect(): Promise<void> {
    if (this.isConnected) return Promise.resolve();
    this.#connecting ??= this.#start().finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  invoke(method: string, ...values: readonly unknown[]): Promise<unknown> {
    return this.#connection.invoke(method, ...values);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#connection.stop();
  }

  /** A connection of another user is left. Where nobody can tell, it is left too: nothing is said in a stranger's name. */
  async checkUser(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    if (this.#user !== null && !(await this.#isUser(this.#user.subject).catch(() => false))) await this.#leave();
  }

  async #isUser(subject: string): Promise<boolean> {
    if (this.isConnected) return (await this.#renewal.renew()) === 'renewed';
    return subjectOf(await this.#token.read()) === subject;
  }

  #connected(fields: ConnectionHubEvents['Connected']): void {
    const { isAuthenticated, name } = fields.user;
    const user = { name: `${String(isAuthenticated)} ${name}`, subject: subjectOf(this.#token.latest) };
    const before = this.#user ?? user;
    if (before.name !== user.name || before.subject !== user.subject) this.#listener.onOtherUser();
    this.#user = user;
    if (this.#http.negotiated !== null) this.#renewal.begin(this.#http.negotiated);
    this.#listener.onConnected(fields);
  }

  /** Ends the connection of a user who has left the page; the next message opens another. */
  async #leave(): Promise<void> {
    this.#renewal.end();
    this.#user = null;
    // It may be closed before `stop` has returned, and then has to be known as left already.
    this.#leaving ??= Promise.resolve()
      .then(() => this.#connection.stop())
      .finally(() => (this.#leaving = null));
    this.#listener.onOtherUser();
    await this.#leaving.catch(() => undefined);
  }

  async #start(): Promise<void> {
    this.#listener.onConnecting();
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#leaving;
        // While it reconnects by itself, starting is not allowed and not needed: the next attempt finds it connected.
        if (this.isConnected) return;
        await this.#connection.start();
        return;
      } catch (error) {
        // What the page's function cannot give now, it cannot in a second either; the user is asked to try again.
        const refusal = /TokenFault/.test(String(error)) ? 'signed-out' : refusalIn(error);
        if (refusal !== null) throw new HubRefusal(refusal, error);
        if (attempt + 1 >= firstAttempts || this.#isStopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt + 1)));
      }
    }
  }
}

/** Why the server takes no connection, from the words of the SignalR client; a wrong path (404) stays wrong too. */
function refusalIn(error: unknown): HubRefusal['type'] | null {
  const message = String(error);
  if (/status code '401'/i.test(message)) return 'signed-out';
  return /status code '40[34]'/i.test(message) ? 'forbidden' : null;
}
