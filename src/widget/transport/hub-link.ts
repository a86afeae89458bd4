import { type HubConnection, HubConnectionBuilder, HubConnectionState, LogLevel } from '@microsoft/signalr';
import type { TurnHubEvent } from '../chat/apply-event.ts';
import { type HubLink, type HubListener, HubRefusal } from './hub-port.ts';
import { reconnectDelay } from './reconnect-delay.ts';

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

/** The official SignalR client, with what it lacks: its first connect is retried too. */
export class SignalRLink implements HubLink {
  readonly #connection: HubConnection;
  readonly #listener: HubListener;
  #connecting: Promise<void> | null = null;
  #isStopped = false;

  constructor(url: string, listener: HubListener) {
    this.#listener = listener;
    this.#connection = new HubConnectionBuilder()
      .withUrl(url)
      .withAutomaticReconnect({
        nextRetryDelayInMilliseconds: ({ previousRetryCount }) => reconnectDelay(previousRetryCount),
      })
      .configureLogging(LogLevel.None)
      .build();
    for (const name of turnEventNames) {
      // The server's side of this contract is checked where it sends (channels/hub).
      this.#connection.on(name, (fields: never) => listener.onTurnEvent({ name, fields }));
    }
    this.#connection.on('UiActionRequested', listener.onUiAction);
    this.#connection.on('Connected', listener.onConnected);
    // A coming restart is seen when it happens: the connection is closed to be opened again.
    this.#connection.on('ServerDraining', () => undefined);
    this.#connection.onreconnecting(listener.onReconnecting);
    this.#connection.onreconnected(listener.onReconnected);
    this.#connection.onclose(listener.onClosed);
  }

  get isConnected(): boolean {
    return this.#connection.state === HubConnectionState.Connected;
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

  async #start(): Promise<void> {
    this.#listener.onConnecting();
    for (let attempt = 0; ; attempt += 1) {
      try {
        // While it reconnects by itself, starting is not allowed and not needed: the next attempt finds it connected.
        if (this.isConnected) return;
        await this.#connection.start();
        return;
      } catch (error) {
        const message = String(error);
        // Unauthenticated and forbidden; 404 too: a path that is wrong stays wrong.
        if (/status code '40[134]'/i.test(message)) throw new HubRefusal(message, { cause: error });
        if (attempt + 1 >= firstAttempts || this.#isStopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt + 1)));
      }
    }
  }
}
