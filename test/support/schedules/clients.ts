import { type HubRecord, RawHubClient } from '../hub-raw-client.ts';
import { openSse, type SseConversation } from '../sse-client.ts';
import type { SeenEvent } from './seen.ts';
import type { Place } from './steps.ts';

export type User = 'ann' | 'bob' | 'nobody';

/** The lines of all users to all servers of a schedule, and everything that arrived over them. */
export class Clients {
  readonly hubs: { readonly place: Place | 'reader'; readonly client: RawHubClient }[] = [];
  readonly streams: { readonly place: Place; readonly stream: SseConversation }[] = [];
  readonly #tokens: Readonly<Record<User, string | undefined>>;
  readonly #invocations = new WeakMap<RawHubClient, number>();
  #line = new AbortController();
  inFlight = 0;

  constructor(tokens: Readonly<Record<User, string | undefined>>) {
    this.#tokens = tokens;
  }

  headers(user: User): Readonly<Record<string, string>> {
    const token = this.#tokens[user];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** Undefined when the server accepts no connection. */
  async connect(place: Place | 'reader', user: User, url: string): Promise<RawHubClient | undefined> {
    const address = `${url}/helper-hub`;
    const { signal } = this.#line;
    const client = await this.#flying(RawHubClient.connect(address, { headers: this.headers(user) }));
    if (client === undefined) return undefined;
    if (signal.aborted) client.socket.terminate();
    else this.hubs.push({ place, client });
    return client;
  }

  async openStream(
    place: Place,
    user: User,
    request: { readonly url: string; readonly message?: string; readonly lastEventId?: string },
  ): Promise<SseConversation | undefined> {
    const { url, message, lastEventId } = request;
    const { signal } = this.#line;
    const stream = await this.#flying(
      openSse(`${url}/helper/chat`, {
        headers: { ...this.headers(user), ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
        ...(message === undefined ? {} : { body: { message } }),
      }),
    );
    if (stream === undefined) return undefined;
    if (signal.aborted) stream.close();
    else this.streams.push({ place, stream });
    return stream;
  }

  /** Undefined when the line or the server was gone before the answer came. */
  async post(
    user: User,
    url: string,
    body: object,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> } | undefined> {
    const { signal } = this.#line;
    return this.#flying(
      (async () => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...this.headers(user) },
          body: JSON.stringify(body),
          signal,
        });
        const text = await response.text();
        const value: unknown = text === '' ? {} : JSON.parse(text);
        return { status: response.status, body: value as Readonly<Record<string, unknown>> };
      })(),
    );
  }

  call(client: RawHubClient, target: string, ...given: readonly unknown[]): string {
    const id = this.#invocationId(client);
    client.call(target, id, ...given);
    return id;
  }

  /** Null is an answer of the server. Undefined means that the line was gone before the answer came. */
  async resultOf(client: RawHubClient, target: string, ...given: readonly unknown[]): Promise<unknown> {
    return client.result(this.call(client, target, ...given)).catch(() => undefined);
  }

  stream(client: RawHubClient, target: string, ...given: readonly unknown[]): void {
    client.say({ type: 4, target, arguments: given, invocationId: this.#invocationId(client) });
  }

  /** Plays the loss of the server's machine. Every line ends at once, and everything under way is lost. */
  cutAll(): void {
    this.#line.abort();
    this.#line = new AbortController();
    for (const { client } of this.hubs) client.socket.terminate();
    for (const { stream } of this.streams) stream.close();
  }

  get events(): readonly SeenEvent[] {
    return [
      ...this.hubs.flatMap(({ client }) => hubEvents(client)),
      ...this.streams.flatMap(({ stream }) => streamEvents(stream)),
    ];
  }

  /** The rules of the protocol that a server broke on any line. */
  get wireFaults(): readonly string[] {
    const streamFaults = this.streams.flatMap(({ stream }) => {
      const end = stream.frames.findIndex(({ event }) => event === 'end');
      const follows = end >= 0 && stream.frames.slice(end + 1).some(({ event }) => event !== undefined);
      return follows ? ['something follows the end of a stream'] : [];
    });
    return [...this.hubs.flatMap(({ client }) => client.faults), ...streamFaults];
  }

  /** Grows with everything that arrives. */
  get heard(): number {
    return (
      this.hubs.reduce((sum, { client }) => sum + client.frames.length, 0) +
      this.streams.reduce((sum, { stream }) => sum + stream.frames.length, 0)
    );
  }

  async #flying<Result>(request: Promise<Result>): Promise<Result | undefined> {
    this.inFlight += 1;
    try {
      return await request;
    } catch {
      return undefined;
    } finally {
      this.inFlight -= 1;
    }
  }

  #invocationId(client: RawHubClient): string {
    const next = (this.#invocations.get(client) ?? 0) + 1;
    this.#invocations.set(client, next);
    return String(next);
  }
}

/** The events of turns, including those of streams. */
export function hubEvents(client: RawHubClient): readonly SeenEvent[] {
  return client.records.flatMap((record) => {
    if (record['type'] === 2) {
      const item = record['item'] as HubRecord;
      return seenEvent(String(item['event']), item);
    }
    const [fields] = Array.isArray(record['arguments']) ? (record['arguments'] as HubRecord[]) : [];
    return record['type'] === 1 ? seenEvent(String(record['target']), fields) : [];
  });
}

const frameNames: Readonly<Record<string, string>> = {
  text: 'TextDelta',
  confirmation: 'ConfirmationRequested',
  end: 'TurnCompleted',
  failure: 'ErrorOccurred',
};

function streamEvents(stream: SseConversation): readonly SeenEvent[] {
  return stream.frames.flatMap(({ event, data }) =>
    event === undefined ? [] : seenEvent(frameNames[event] ?? event, data),
  );
}

function seenEvent(name: string, fields: HubRecord | undefined): readonly SeenEvent[] {
  if (fields === undefined || typeof fields['turnId'] !== 'string' || typeof fields['seq'] !== 'number') return [];
  return [{ name, turnId: fields['turnId'], seq: fields['seq'], fields }];
}
