import { type HubConnection, HubConnectionBuilder, HubConnectionState, NullLogger } from '@microsoft/signalr';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import { HubHttpClient } from './hub-http-client.ts';
import { type HubLink, type HubListener, HubRefusal } from './hub-port.ts';
import { type PageToken, subjectOf } from './page-token.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { TokenRenewal } from './token-renewal.ts';

const turnEventNames: readonly TurnHubEvent['name'][] = [
  'TurnStarted',
  'TextDelta',
  'TextReplaced',
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

/** A connection's user, as far as a page can tell it from another's. */
interface User {
  /** As the server knows it. */
  readonly name: string;
  /** Whom the token is about; empty when there is no token to see. */
  readonly subject: string;
}

/** The official SignalR client, with what it lacks: its first connect is retried too, and its token is renewed in time. */
export class SignalRLink implements HubLink {
  readonly #connection: HubConnection;
  readonly #listener: HubListener;
  readonly #token: PageToken;
  readonly #http: HubHttpClient;
  readonly #renewal: TokenRenewal;
  #connecting: Promise<void> | null = null;
  #checking: Promise<void> | null = null;
  #leaving: Promise<void> | null = null;
  #isStopped = false;
  #isRefused = false;
  /** Whose connection it is or was last; null before the first. */
  #user: User | null = null;

  constructor(url: string, token: PageToken, listener: HubListener) {
    this.#listener = listener;
    this.#token = token;
    this.#http = new HubHttpClient(token);
    this.#renewal = new TokenRenewal({
      hubUrl: url,
      token,
      negotiated: () => this.#http.negotiated,
      // Else it is the connection that is gone, which shows by itself.
      onUnknown: () => void (this.#isAbout(this.#user) || this.#leave()),
    });
    this.#connection = new HubConnectionBuilder()
      .withUrl(url, { httpClient: this.#http, accessTokenFactory: () => token.read(), logger: NullLogger.instance })
      .withAutomaticReconnect({
        nextRetryDelayInMilliseconds: ({ previousRetryCount, retryReason }) => {
          this.#isRefused = refusalIn(retryReason) === 'signed-out';
          return this.#isRefused ? null : reconnectDelay(previousRetryCount);
        },
      })
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

  async connect(): Promise<void> {
    do {
      // What is about to be said waits until it is known in whose name.
      await this.#checking;
      if (!this.isConnected) await (this.#connecting ??= this.#start().finally(() => (this.#connecting = null)));
    } while (this.#checking !== null);
  }

  invoke(method: string, ...values: readonly unknown[]): Promise<unknown> {
    return this.#connection.invoke(method, ...values);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#connection.stop();
  }

  /** A connection of another user is left. Where nobody can tell, it is left too: nothing is said in a stranger's name. */
  checkUser(): Promise<void> {
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = null;
    });
    return (this.#checking = checking);
  }

  async #check(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    if (!(await this.#isSameUser().catch(() => false))) await this.#leave();
  }

  async #isSameUser(): Promise<boolean> {
    const user = this.#user;
    if (!this.isConnected) {
      if (user !== null) await this.#token.read();
      return user === null || this.#isAbout(user);
    }
    // Without a subject only the server can tell.
    const renewal = await this.#renewal.renew().catch(() => 'unknown');
    return renewal === 'renewed' || (user?.subject !== '' && this.#isAbout(user));
  }

  /** The token read last is the user's. */
  #isAbout(user: User | null): boolean {
    return user?.subject === subjectOf(this.#token.latest);
  }

  #connected(fields: ConnectionHubEvents['Connected']): void {
    const { isAuthenticated, name } = fields.user;
    const user = { name: `${String(isAuthenticated)} ${name}`, subject: subjectOf(this.#token.latest) };
    if (this.#user !== null && (this.#user.name !== user.name || !this.#isAbout(this.#user))) {
      this.#listener.onOtherUser();
    }
    this.#user = user;
    this.#renewal.begin();
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
