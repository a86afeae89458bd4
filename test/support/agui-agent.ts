import { type BaseEvent, HttpAgent, type Interrupt, type ResumeEntry, type Tool } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { expect } from 'vitest';

/** An event as it was on the wire. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What one run has come to. */
export interface Ran {
  /** What the strict client has let through. */
  readonly events: readonly WireEvent[];
  readonly text: string;
  readonly interrupts: readonly Interrupt[];
  readonly outcome: unknown;
  /** Why the run has failed, as the client says it. */
  readonly error: string | undefined;
}

interface RunParameters {
  readonly resume?: ResumeEntry[];
  readonly tools?: Tool[];
  readonly context?: { description: string; value: string }[];
}

/** The official client with its own checks, which reads each event of the wire with the protocol's schemas as well. */
export class AgUiAgent extends HttpAgent {
  constructor(url: string, options: { readonly token?: string; readonly threadId?: string } = {}) {
    const { token, threadId } = options;
    super({
      url: `${url}/agui`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(threadId === undefined ? {} : { threadId }),
    });
  }

  /** Says something as the user, and reads the run. */
  async ask(content: string, parameters: RunParameters = {}): Promise<Ran> {
    this.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    return this.read(parameters);
  }

  /** Answers the questions of the last run. */
  async answer(payload: object | 'cancelled', parameters: RunParameters = {}): Promise<Ran> {
    const resume = this.pendingInterrupts.map(({ id }): ResumeEntry => {
      return payload === 'cancelled'
        ? { interruptId: id, status: 'cancelled' }
        : { interruptId: id, status: 'resolved', payload };
    });
    return this.read({ ...parameters, resume });
  }

  /** Reads one run. */
  async read(parameters: RunParameters = {}): Promise<Ran> {
    const events: WireEvent[] = [];
    let error: string | undefined;
    const onEvent = ({ event }: { event: BaseEvent }): void => {
      events.push(event); // the schemas say so
    };
    const onRunErrorEvent = ({ event }: { event: { message: string } }): void => {
      error = event.message;
    };
    try {
      await this.runAgent(parameters, { onEvent, onRunErrorEvent });
    } catch (thrown) {
      error ??= String(thrown);
    }
    for (const event of events) expect(EventSchemas.safeParse(event).error).toBeUndefined();
    const finished = events.find(({ type }) => type === 'RUN_FINISHED');
    return { events, text: textIn(events), interrupts: this.pendingInterrupts, outcome: finished?.['outcome'], error };
  }
}

/** The text of the reply. */
export function textIn(events: readonly WireEvent[]): string {
  return events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? String(delta) : '')).join('');
}

/** The types of events in order, each run of the same as one. */
export function typesIn(events: readonly WireEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

/** What a custom event of this name says. */
export function customIn(events: readonly WireEvent[], name: string): unknown {
  return events.find((event) => event.type === 'CUSTOM' && event['name'] === name)?.['value'];
}

/** Posts a run as a client without a library does. */
export function posting(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/agui`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The events of a response. */
export async function eventsOf(response: Response): Promise<readonly WireEvent[]> {
  return eventsIn(await response.text());
}

/** The events in the text of a stream. */
export function eventsIn(text: string): readonly WireEvent[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => EventSchemas.parse(JSON.parse(frame.slice('data: '.length))) as WireEvent); // each has a type
}
