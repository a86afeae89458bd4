import type { HubConnection } from '../../src/channels/hub/protocol/connection/hub-connection.ts';
import type {
  HubApplication,
  HubCall,
  HubMethod,
  StreamItems,
} from '../../src/channels/hub/protocol/hub-application.ts';
import { HubError } from '../../src/channels/hub/protocol/hub-errors.ts';
import type { SignalRHubOptions } from '../../src/channels/hub/protocol/hub-options.ts';
import { protocolServer } from './hub-server.ts';

export interface ScenarioServer {
  readonly url: string;
  /** Open and closed connections, in the order of their opening. */
  readonly connections: HubConnection[];
  readonly endings: string[];
  /** The arguments of `Note`. */
  readonly notes: unknown[];
}

type Options = Partial<Omit<SignalRHubOptions<undefined>, 'application'>> & {
  /** Whether the event `Opened` is sent as soon as a connection is open. */
  readonly greets?: boolean;
};

/** A hub with small methods, which knows nothing of assistants. */
export async function scenarioServer(options: Options = {}): Promise<ScenarioServer> {
  const connections: HubConnection[] = [];
  const endings: string[] = [];
  const notes: unknown[] = [];
  const application: HubApplication<undefined> = {
    methods: { ...methods, Note: invocation(({ arguments: [note] }) => void notes.push(note)) },
    connected: (connection) => {
      connections.push(connection);
      if (options.greets === true) connection.sendEvent('Opened', { number: 1 });
      return undefined;
    },
    disconnected: (_state, ending) => endings.push(ending),
  };
  const { url } = await protocolServer({ application, ...options });
  return { url, connections, endings, notes };
}

const methods: Readonly<Record<string, HubMethod<undefined>>> = {
  Echo: invocation(({ arguments: [value] }) => value),
  Nothing: invocation(() => undefined),
  Slowly: invocation(
    ({ arguments: [value] }) =>
      new Promise((resolve) => {
        setTimeout(() => {
          resolve(value);
        }, 5);
      }),
  ),
  Fail: invocation(() => {
    throw new Error('a secret of the server');
  }),
  Refuse: invocation(() => {
    throw new HubError('Not today.');
  }),
  /** During the call, asks the client the same question. */
  Ask: invocation(({ connection, arguments: [question] }) =>
    connection.invokeClient('Asked', { question }, { timeoutMs: 10_000 }),
  ),
  Raise: invocation(({ connection, arguments: [count] }) => {
    for (let number = 1; number <= Number(count); number += 1) connection.sendEvent('Raised', { number });
  }),
  /** Sends the value in an event. */
  Announce: invocation(({ connection, arguments: [value] }) => {
    connection.sendEvent('Announced', { value });
  }),
  /** Streams the value as its only item. */
  Repeat: stream((call, items) => {
    items.send(call.arguments[0]);
    return Promise.resolve();
  }),
  Count: stream(async (call, items) => {
    for (let number = 1; number <= Number(call.arguments[0]); number += 1) {
      items.sendJson(JSON.stringify({ number }));
      await Promise.resolve();
    }
  }),
  Break: stream((_call, items) => {
    items.sendJson('1');
    return Promise.reject(new Error('a secret of the server'));
  }),
  /** Streams one item, and then nothing until it is cancelled. */
  Wait: stream((call, items) => {
    items.send('waiting');
    return new Promise((resolve) => {
      call.signal.addEventListener('abort', () => {
        call.connection.sendEvent('Cancelled', {});
        resolve();
      });
    });
  }),
};

function invocation(invoke: (call: HubCall) => unknown): HubMethod<undefined> {
  return { kind: 'invocation', parameters: 1, concurrent: false, invoke: (_state, call) => invoke(call) };
}

function stream(open: (call: HubCall, items: StreamItems) => Promise<void>): HubMethod<undefined> {
  return { kind: 'stream', parameters: 1, open: (_state, call, items) => open(call, items) };
}
