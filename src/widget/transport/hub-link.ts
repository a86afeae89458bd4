import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import { after } from '../conversation/waiting-list.ts';
import { type HubLink, type HubListener, HubRefusal } from './hub-port.ts';
import { type PageToken, subjectOf, TokenFault } from './page-token.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { HubClient } from './signalr/hub-client.ts';
import type { HubClientOptions } from './signalr/hub-options.ts';
import { HttpRefusal } from './signalr/hub-requests.ts';
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

/** A line that is back sooner is not worth a word. */
const silentRestoreMs = 1000;

/** A connection's user, as far as a page can tell it from another's. */
interface User {
  /** As the server knows it. */
  readonly name: string;
  /** Whom the token is about; empty when there is no token to see. */
  readonly subject: string;
}

export interface SignalRLinkOptions {
  /** The hub's whole address. */
  readonly url: string;
  readonly token: PageToken;
  readonly loadFallback: HubClientOptions['loadFallback'];
}

/** The hub over our SignalR client: its first connect is retried too, and its token is renewed in time. */
export class SignalRLink implements HubLink {
  readonly #client: HubClient;
  readonly #listener: HubListener;
  readonly #token: PageToken;
  readonly #renewal: TokenRenewal;
  #connecting: Promise<void> | null = null;
  #checking: Promise<void> | null = null;
  #leaving: Promise<void> | null = null;
  #interruption: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  /** Whose connection it is or was last; null before the first. */
  #user: User | null = null;

  constructor({ url, token, loadFallback }: SignalRLinkOptions, listener: HubListener) {
    this.#listener = listener;
    this.#token = token;
    this.#renewal = new TokenRenewal({
      hubUrl: url,
      token,
      negotiated: () => this.#client.negotiated,
      // Else it is the connection that is gone, which shows by itself.
      onUnknown: () => void (this.#isAbout(this.#user) || this.#leave()),
    });
    this.#client = new HubClient({
      url,
      token,
      loadFallback,
      reconnectDelay: (previousAttempts, reason) =>
        statusIn(reason) === 401 ? null : reconnectDelay(previousAttempts),
      listener: {
        onInterrupted: () => {
          this.#interruption = setTimeout(listener.onReconnecting, silentRestoreMs);
        },
        onRestored: () => {
          clearTimeout(this.#interruption);
          listener.onRestored();
        },
        onReconnecting: () => {
          this.#lost();
          if (this.#leaving === null) listener.onReconnecting();
        },
        onReconnected: listener.onReconnected,
        onClosed: (reason) => {
          this.#lost();
          if (this.#leaving === null) listener.onClosed(statusIn(reason) === 401 ? 'signed-out' : null);
        },
      },
    });
    for (const name of turnEventNames) {
      // The server's side of this contract is checked where it sends (channels/hub).
      this.#client.on(name, (fields: never) => listener.onTurnEvent({ name, fields }));
    }
    this.#client.on('UiActionRequested', listener.onUiAction);
    this.#client.on('Connected', (fields: ConnectionHubEvents['Connected']) => this.#connected(fields));
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#cut);
  }

  get isConnected(): boolean {
    return this.#client.isConnected && this.#leaving === null;
  }

  async connect(): Promise<void> {
    do {
      // What is about to be said waits until it is known in whose name.
      await this.#checking;
      if (!this.isConnected) await (this.#connecting ??= this.#start().finally(() => (this.#connecting = null)));
    } while (this.#checking !== null);
  }

  invoke(method: string, ...values: readonly unknown[]): Promise<unknown> {
    return this.#client.invoke(method, values);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    removeEventListener('online', this.#wake);
    removeEventListener('offline', this.#cut);
    await this.#client.stop();
  }

  /** A connection of another user is left. Where nobody can tell, it is left too: nothing is said in a stranger's name. */
  checkUser(): Promise<void> {
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = null;
    });
    return (this.#checking = checking);
  }

  readonly #wake = (): void => this.#client.wake();

  readonly #cut = (): void => this.#client.cut();

  #lost(): void {
    clearTimeout(this.#interruption);
    this.#renewal.end();
  }

  async #check(): Promise<void> {
    // A lost connection may not be back for long.
    if (!this.#client.isReconnecting) await this.#connecting?.catch(() => undefined);
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
    this.#listener.onConnected(fields, user.subject);
  }

  /** Ends the connection of a user who has left the page; the next message opens another. */
  async #leave(): Promise<void> {
    this.#renewal.end();
    this.#user = null;
    // It may be closed before `stop` has returned, and then has to be known as left already.
    this.#leaving ??= Promise.resolve()
      .then(() => this.#client.stop())
      .finally(() => (this.#leaving = null));
    this.#listener.onOtherUser();
    await this.#leaving.catch(() => undefined);
  }

  async #start(): Promise<void> {
    // Whoever is coming back says so already.
    if (!this.#client.isReconnecting) this.#listener.onConnecting();
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#leaving;
        await this.#client.connect();
        return;
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal !== null) throw new HubRefusal(refusal, error);
        if (attempt + 1 >= firstAttempts || this.#isStopped) throw error;
        await after(reconnectDelay(attempt + 1));
      }
    }
  }
}

/** Why the server takes no connection; a wrong path (404) stays wrong too. */
function refusalIn(error: unknown): HubRefusal['type'] | null {
  const status = statusIn(error);
  // What the page's function cannot give now, it cannot in a second either; the user is asked to try again.
  if (status === 401 || error instanceof TokenFault) return 'signed-out';
  return status === 403 || status === 404 ? 'forbidden' : null;
}

/** The status that the server said no with, if it did. */
function statusIn(error: unknown): number | null {
  return error instanceof HttpRefusal ? error.status : null;
}
