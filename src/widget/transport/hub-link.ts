import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import { after } from '../conversation/waiting-list.ts';
import { type HubLink, type HubListener, HubRefusal, statusEventNames } from './hub-port.ts';
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
  'ThoughtReady',
  'ActionExecuting',
  'ActionProgress',
  'ActionCompleted',
  'AgentActivity',
  'ConfirmationRequested',
  'ConfirmationResolved',
  'NavigationRequested',
  'CardReady',
  'RagSourcesReady',
  'TurnCompleted',
  'ErrorOccurred',
];

const firstAttempts = 4;

/** Milliseconds. A line that returns sooner is not announced. */
const silentRestoreMs = 1000;

/** The user of a connection, as far as a page can tell users apart. */
interface User {
  /** The server's name for the user. */
  readonly name: string;
  /** The subject of the token. Empty when the page can read none. */
  readonly subject: string;
}

export interface SignalRLinkOptions {
  /** The full address of the hub. */
  readonly url: string;
  readonly token: PageToken;
  readonly loadFallback: HubClientOptions['loadFallback'];
}

/** The hub over our SignalR client. The link retries the first connect too, and renews the token in time. */
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
  /** The user of the current or last connection. Null before the first. */
  #user: User | null = null;

  constructor({ url, token, loadFallback }: SignalRLinkOptions, listener: HubListener) {
    this.#listener = listener;
    this.#token = token;
    this.#renewal = new TokenRenewal({
      hubUrl: url,
      token,
      negotiated: () => this.#client.negotiated,
      // If the token still belongs to the user, the server has lost the connection. The client notices that by itself.
      onUnknown: () => void (this.#isAbout(this.#user) || this.#leave()),
    });
    this.#client = new HubClient({
      url,
      token,
      loadFallback,
      reconnectDelay: (previousAttempts, reason) =>
        statusIn(reason) === 401 ? null : reconnectDelay(previousAttempts, listener.isAwaiting()),
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
      // The server checks these fields where it sends them (channels/hub).
      this.#client.on(name, (fields: never) => listener.onTurnEvent({ name, fields }));
    }
    this.#client.on('UiActionRequested', listener.onUiAction);
    for (const name of statusEventNames) this.#client.on(name, listener.onStatus);
    this.#client.on('Connected', (fields: ConnectionHubEvents['Connected']) => this.#connected(fields));
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#cut);
  }

  get isConnected(): boolean {
    return this.#client.isConnected && this.#leaving === null;
  }

  async connect(): Promise<void> {
    do {
      // The message waits until the check has told to which user the connection belongs.
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

  /**
   * Leaves a connection that belongs to another user. Also leaves a connection whose user cannot be determined, so that no message is sent
   * in the name of another user.
   */
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
    // A lost connection may take long to return, so nobody waits for it here.
    if (!this.#client.isReconnecting) await this.#connecting?.catch(() => undefined);
    if (!(await this.#isSameUser().catch(() => false))) await this.#leave();
  }

  async #isSameUser(): Promise<boolean> {
    const user = this.#user;
    if (!this.isConnected) {
      if (user !== null) await this.#token.read();
      return user === null || this.#isAbout(user);
    }
    // A token without a subject does not tell the user, so the server is asked.
    const renewal = await this.#renewal.renew().catch(() => 'unknown');
    return renewal === 'renewed' || (user?.subject !== '' && this.#isAbout(user));
  }

  /** Whether the token that was read last belongs to this user. */
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

  /** Ends the connection of a user who has left the page. The next message opens another connection. */
  async #leave(): Promise<void> {
    this.#renewal.end();
    this.#user = null;
    // The connection may close before `stop` returns, so it is marked as left first.
    this.#leaving ??= Promise.resolve()
      .then(() => this.#client.stop())
      .finally(() => (this.#leaving = null));
    this.#listener.onOtherUser();
    await this.#leaving.catch(() => undefined);
  }

  async #start(): Promise<void> {
    // While reconnecting the client has announced that already.
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

/**
 * The reason why the server refuses the connection. Null when another attempt may help. A wrong path (404) counts as a refusal, because
 * another attempt does not help.
 */
function refusalIn(error: unknown): HubRefusal['type'] | null {
  const status = statusIn(error);
  // If the page's function fails now, trying again at once does not help. The user is asked to try again.
  if (status === 401 || error instanceof TokenFault) return 'signed-out';
  return status === 403 || status === 404 ? 'forbidden' : null;
}

/** The status of the server's refusal, if there was one. */
function statusIn(error: unknown): number | null {
  return error instanceof HttpRefusal ? error.status : null;
}
