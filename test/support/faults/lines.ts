import { type HubRecord, RawHubClient } from '../hub-raw-client.ts';
import { openSse, type SseConversation, type SseFrame } from '../sse-client.ts';
import { clock } from './clock.ts';
import type { PlannedCall, PlannedTurn } from './fault-plan.ts';
import { type Signal, signals } from './moments.ts';
import type { Fields, Reading, ToldQuestion, ToldTurn } from './told.ts';
import type { World } from './world.ts';

const frameNames: Readonly<Record<string, string>> = {
  text: 'TextDelta',
  confirmation: 'ConfirmationRequested',
  end: 'TurnCompleted',
  failure: 'ErrorOccurred',
};

/** A hub connection that resumes turns. */
interface Reader {
  readonly readings: Map<string, Reading>;
  readonly hub: Promise<RawHubClient | undefined>;
  calls: number;
}

/** The lines of all users to one process. Everything that arrives over them is written into `told`. */
export class Lines {
  readonly #world: World;
  readonly #onQuestion: (question: ToldQuestion) => void;
  readonly #closing: (() => void)[] = [];
  readonly #hubs: RawHubClient[] = [];
  readonly #calls: ReadonlyMap<string, PlannedCall>;
  readonly #readers = new Map<string, Reader>();
  #isClosed = false;

  constructor(world: World, onQuestion: (question: ToldQuestion) => void) {
    this.#world = world;
    this.#onQuestion = onQuestion;
    const calls = world.told.plan.lives.flatMap(({ turns }) => turns.flatMap(({ rounds }) => rounds.flat()));
    this.#calls = new Map(calls.map((call) => [call.id, call]));
  }

  /** Sends the message of a turn. Resolves once the message was sent or the process is gone. */
  async send({ channel, user, paceMs, rounds }: PlannedTurn): Promise<void> {
    const plan = { paceMs, rounds: rounds.map((round) => round.map(({ id, name }) => ({ id, name }))) };
    const message = JSON.stringify(plan);
    if (channel === 'sse') {
      const stream = await this.#stream(user, { body: { message } });
      const turnId = stream?.headers['x-turn-id'];
      if (stream !== undefined && typeof turnId === 'string') this.#follow(stream, this.#begun(turnId, channel, user));
      return;
    }
    const hub = await this.#hub(user, (turnId) => this.#begun(turnId, channel, user));
    hub?.call('SendMessage', '1', message);
  }

  /** Resumes a turn over the hub. All readings from the beginning use one connection for each user. */
  async resume(turn: ToldTurn, goesOnFrom?: Reading): Promise<Reading> {
    const reading = this.#reading(turn, 'hub', goesOnFrom);
    const key = `${turn.user} ${goesOnFrom === undefined ? 'from the beginning' : 'on'}`;
    const reader = this.#readers.get(key) ?? this.#reader(turn.user);
    this.#readers.set(key, reader);
    reader.readings.set(turn.turnId, reading);
    const hub = await reader.hub;
    if (hub === undefined) return reading;
    reader.calls += 1;
    const id = String(reader.calls);
    hub.call('Resume', id, { turnId: turn.turnId, afterSeq: reading.afterSeq });
    const result = await hub.result(id).catch(() => undefined);
    if (result === null) reading.isUnknown = true;
    return reading;
  }

  /** Resumes a turn over server-sent events, as an event source does after it has lost its line. */
  async readOn(turn: ToldTurn, goesOnFrom?: Reading): Promise<Reading> {
    const reading = this.#reading(turn, 'sse', goesOnFrom);
    const lastEventId = `${turn.turnId}:${reading.afterSeq}`;
    const stream = await this.#stream(turn.user, { headers: { 'last-event-id': lastEventId } });
    if (stream?.status === 200) this.#follow(stream, reading);
    else if (stream !== undefined) reading.isUnknown = true;
    return reading;
  }

  close(): void {
    this.#isClosed = true;
    for (const close of this.#closing) close();
    for (const hub of this.#hubs) {
      if (hub.faults.length > 0) this.#world.trouble('disorder', `the hub broke the wire: ${hub.faults.join('; ')}`);
    }
  }

  #begun(turnId: string, channel: 'hub' | 'sse', user: 'ann' | 'nobody'): Reading {
    const { told, life } = this.#world;
    const turn = { turnId, channel, user, life };
    told.turns.push(turn);
    return this.#reading(turn, channel);
  }

  #reading({ turnId }: ToldTurn, channel: 'hub' | 'sse', goesOnFrom?: Reading): Reading {
    const afterSeq = goesOnFrom?.events.at(-1)?.seq ?? goesOnFrom?.afterSeq ?? 0;
    const { told, life } = this.#world;
    const reading = {
      turnId,
      channel,
      life,
      afterSeq,
      events: [],
      ...(goesOnFrom === undefined ? {} : { goesOnFrom }),
    };
    told.readings.push(reading);
    return reading;
  }

  #reader(user: 'ann' | 'nobody'): Reader {
    const readings = new Map<string, Reading>();
    return { readings, hub: this.#hub(user, (turnId) => readings.get(turnId)), calls: 0 };
  }

  /** Opens a hub connection. It asks `readingOf` once for each turn of which an event arrives. */
  async #hub(
    user: 'ann' | 'nobody',
    readingOf: (turnId: string) => Reading | undefined,
  ): Promise<RawHubClient | undefined> {
    const hub = await this.#reached(
      RawHubClient.connect(`${this.#world.url}/helper-hub`, { headers: this.#world.headers(user) }),
    );
    if (hub === undefined) return undefined;
    this.#hubs.push(hub);
    this.#closing.push(() => hub.socket.terminate());
    const readings = new Map<string, Reading | undefined>();
    hub.socket.on('message', () => {
      for (const record of hub.frames.at(-1) ?? []) {
        const event = eventOf(record);
        if (event === undefined) continue;
        if (!readings.has(event.turnId)) readings.set(event.turnId, readingOf(event.turnId));
        const reading = readings.get(event.turnId);
        if (reading !== undefined) this.#tell(reading, event.name, event.fields);
      }
    });
    if (this.#isClosed) hub.socket.terminate();
    return hub;
  }

  async #stream(
    user: 'ann' | 'nobody',
    request: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<SseConversation | undefined> {
    const headers = { ...this.#world.headers(user), ...request.headers };
    const stream = await this.#reached(openSse(`${this.#world.url}/helper/chat`, { ...request, headers }));
    if (stream === undefined) return undefined;
    this.#closing.push(() => stream.close());
    if (this.#isClosed) stream.close();
    return stream;
  }

  /** Resolves with undefined when the process is gone. */
  async #reached<Result>(line: Promise<Result>): Promise<Result | undefined> {
    try {
      return await line;
    } catch {
      return undefined;
    }
  }

  #follow(stream: SseConversation, reading: Reading): void {
    let read = 0;
    const tell = (): void => {
      for (const { event, data } of stream.frames.slice(read) satisfies SseFrame[]) {
        read += 1;
        if (event === undefined || data === undefined) continue;
        const name = data['replace'] === true ? 'TextReplaced' : (frameNames[event] ?? event);
        this.#tell(reading, name, data);
      }
    };
    tell();
    stream.response.on('data', tell);
  }

  #tell(reading: Reading, name: string, fields: Fields): void {
    const seq = Number(fields['seq']);
    reading.events.push({ name, seq, fields, at: clock() });
    if (name === 'ConfirmationRequested') this.#asked(reading.turnId, fields);
    const signal = `${name} comes`;
    const known = signals.find((candidate): candidate is Signal => candidate === signal);
    if (known === undefined) this.#world.moments.activity += 1;
    else this.#world.moments.note(known);
  }

  #asked(turnId: string, fields: Fields): void {
    const { told, life } = this.#world;
    const actionId = String(fields['actionId']);
    if (told.questions.some((question) => question.actionId === actionId)) return;
    const shown = fields['arguments'] as readonly { readonly name: string; readonly value: unknown }[];
    const call = this.#calls.get(String(shown[0]?.value));
    if (call === undefined) {
      this.#world.trouble('disorder', `a question about a call that nobody planned: ${JSON.stringify(fields)}`);
      return;
    }
    const question = { actionId, callId: String(fields['callId']), turnId, call, life, at: clock() };
    told.questions.push(question);
    this.#onQuestion(question);
  }
}

function eventOf(
  record: HubRecord,
): { readonly name: string; readonly turnId: string; readonly fields: Fields } | undefined {
  if (record['type'] !== 1 || !Array.isArray(record['arguments'])) return undefined;
  const [fields] = record['arguments'] as readonly (Fields | undefined)[];
  if (typeof fields?.['turnId'] !== 'string' || typeof fields['seq'] !== 'number') return undefined;
  return { name: String(record['target']), turnId: fields['turnId'], fields };
}
