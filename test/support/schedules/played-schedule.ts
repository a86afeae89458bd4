import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import type { RawHubClient } from '../hub-raw-client.ts';
import type { SseConversation } from '../sse-client.ts';
import { ActionLedger } from './action-ledger.ts';
import { Clients, hubEvents, type User } from './clients.ts';
import type { HeldClock } from './held-clock.ts';
import { minutes, MortalServer } from './mortal-server.ts';
import type { Death } from './mortal-stores.ts';
import { mayAnswer } from './owners.ts';
import type { ModelLoad, PlannedRounds } from './planned-model.ts';
import type { JournalledQuestion, Seen, SeenEvent, SeenQuestion, SeenTurn, SentAnswer, SentStop } from './seen.ts';
import { type Act, type Caller, type HubPlace, type Place, type Schedule, type StreamPlace } from './steps.ts';

/** What all schedules share. */
export interface Stage {
  /** The folder of this schedule. */
  readonly folder: string;
  readonly modelUrl: string;
  readonly clock: HeldClock;
  readonly tokens: Readonly<Record<User, string | undefined>>;
  readonly model: ModelLoad;
}

/** Milliseconds within which everything that must come has to come. */
const limitMs = 8000;

/** Plays a schedule on whole servers with real lines, and returns what was seen of it. */
export async function playSchedule(schedule: Schedule, stage: Stage): Promise<Seen> {
  const player = new SchedulePlayer(schedule, stage);
  try {
    return await player.play();
  } finally {
    await player.leave();
  }
}

class SchedulePlayer {
  readonly #schedule: Schedule;
  readonly #stage: Stage;
  readonly #clients: Clients;
  readonly #ledger: ActionLedger;
  readonly #turns: SeenTurn[] = [];
  readonly #questions: SeenQuestion[] = [];
  readonly #answers: SentAnswer[] = [];
  readonly #stops: SentStop[] = [];
  readonly #stuck: string[] = [];
  readonly #hubs = new Map<HubPlace, RawHubClient>();
  readonly #streams = new Map<StreamPlace, SseConversation>();
  readonly #buried: Promise<void>[] = [];
  readonly #performed: Promise<void>[] = [];
  /** Where the next process will die. */
  #nextDeath: Death | undefined;
  #starting: Promise<MortalServer> | undefined;
  #server: MortalServer | undefined;
  #processes = 0;
  #crashes = 0;
  #steps = 0;
  #ticks = 0;
  /** The time of the last event that may end questions. */
  #disturbedAt = 0;

  constructor(schedule: Schedule, stage: Stage) {
    this.#schedule = schedule;
    this.#stage = stage;
    this.#clients = new Clients(stage.tokens);
    this.#ledger = new ActionLedger({
      isAlive: (folder) => this.#server?.folder === folder && !this.#server.isDead,
      tick: () => this.#tick(),
    });
  }

  async play(): Promise<Seen> {
    for (const { act, then } of this.#schedule.steps) {
      await this.#living();
      this.#look();
      const done = this.#perform(act);
      this.#performed.push(done);
      if (then === 'quiet') {
        await done;
        await this.#quiet();
      } else {
        for (let loop = 0; loop < then; loop += 1) await nextLoop();
      }
    }
    return this.#conclude();
  }

  async leave(): Promise<void> {
    this.#clients.cutAll();
    await Promise.allSettled(this.#performed);
    await Promise.all([...this.#buried, this.#server?.bury()]);
  }

  #tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  /** The running server. If the last one has died, the next process starts. */
  async #living(): Promise<MortalServer> {
    if (this.#server !== undefined && !this.#server.isDead) return this.#starting ?? this.#server;
    this.#starting ??= this.#start(this.#server).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(last: MortalServer | undefined): Promise<MortalServer> {
    this.#processes += 1;
    const folder = join(this.#stage.folder, String(this.#processes));
    mkdirSync(folder);
    last?.takeOver(folder);
    if (last?.isDead === true) this.#buried.push(last.bury());
    const { hitlMode, slowness } = this.#schedule;
    const { modelUrl, clock } = this.#stage;
    const server = new MortalServer({
      ...{ folder, hitlMode, modelUrl, clock, slowness },
      onStep: () => (this.#steps += 1),
      onDeath: () => {
        this.#crashes += 1;
        if (hitlMode === 'Blocking') this.#disturbed();
        this.#clients.cutAll();
      },
    });
    this.#server = server;
    if (this.#nextDeath !== undefined) server.dieAt(this.#nextDeath);
    this.#nextDeath = undefined;
    try {
      await server.start();
    } catch (error) {
      if (!server.isDead) throw error;
    }
    return server.isDead ? this.#start(server) : server;
  }

  /** Resolves when nothing comes any more by itself. */
  async #quiet(): Promise<void> {
    let before = -1;
    for (let still = 0, loop = 0; still < 12 && loop < 4000; loop += 1) {
      await nextLoop();
      const { model } = this.#stage;
      const heard = this.#clients.heard + this.#ledger.executions.length + this.#steps + model.requests;
      const inFlight = this.#clients.inFlight + model.inFlight + (this.#server?.inFlight ?? 0);
      still = heard === before && inFlight === 0 ? still + 1 : 0;
      before = heard;
    }
    this.#look();
  }

  async #until(holds: () => boolean): Promise<boolean> {
    const giveUpAt = performance.now() + limitMs;
    while (!holds()) {
      if (performance.now() > giveUpAt) return false;
      await nextLoop();
    }
    return true;
  }

  /** Records turns and questions that have become known. */
  #look(): void {
    for (const { place, client } of this.#clients.hubs) {
      if (place === 'reader') continue;
      for (const { name, turnId } of hubEvents(client)) if (name === 'TurnStarted') this.#note(turnId, place);
    }
    for (const { place, stream } of this.#clients.streams) {
      const turnId = stream.headers['x-turn-id'];
      if (typeof turnId === 'string') this.#note(turnId, place);
    }
    for (const event of this.#clients.events) if (event.name === 'ConfirmationRequested') this.#noteQuestion(event);
  }

  #note(turnId: string, place: Place): void {
    if (this.#turns.some((turn) => turn.turnId === turnId)) return;
    this.#turns.push({ turnId, place, user: place.startsWith('ann ') ? 'ann' : 'anonymous' });
  }

  #noteQuestion({ turnId, fields }: SeenEvent): void {
    const { actionId, callId, action, canRemember, editable } = fields;
    if (this.#questions.some((question) => question.actionId === actionId)) return;
    const shown = fields['arguments'] as readonly { readonly name: string; readonly value: unknown }[];
    this.#questions.push({
      ...{ actionId: String(actionId), callId: String(callId), turnId, action: String(action) },
      ...{ canRemember: canRemember === true, editable: editable === true },
      arguments: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    });
  }

  #disturbed(): void {
    this.#disturbedAt = this.#tick();
  }

  async #perform(act: Act): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const { url } = server;
    switch (act.do) {
      case 'send':
        return this.#send(act, url);
      case 'answer':
        return this.#answer(act, url);
      case 'forge':
        return this.#forge(act.what, url);
      case 'stop':
        return this.#stop(act, url);
      case 'new conversation': {
        this.#disturbed();
        const client = await this.#hub(act.place, url);
        if (client !== undefined) this.#clients.call(client, 'NewConversation');
        return;
      }
      case 'leave':
        this.#leavePlace(act.place, act.how);
        return;
      case 'come back':
        return this.#comeBack(act, url);
      case 'read on': {
        const turn = this.#turns.at(-1 - act.turn);
        if (turn === undefined) return;
        const lastEventId = `${turn.turnId}:${String(this.#seqOf(turn.turnId, act.after))}`;
        await this.#clients.openStream(turn.place, userOf(act.by, turn), { url, lastEventId });
        return;
      }
      case 'release':
        this.#ledger.release();
        return;
      case 'pass':
        this.#disturbed();
        this.#stage.clock.advance(act.minutes * 60_000);
        return;
      case 'drain':
        if (this.#schedule.hitlMode === 'Blocking') this.#disturbed();
        server.drain();
        return;
      case 'restart':
        return this.#restart(server);
      case 'crash':
        this.#nextDeath = act.next;
        if (act.at === undefined) server.die();
        else server.dieAt(act.at);
    }
  }

  async #send({ place, plan, stream }: Extract<Act, { readonly do: 'send' }>, url: string): Promise<void> {
    // Every call carries the number of its message, so it is known later when the message was sent.
    const sentAt = this.#tick();
    const rounds: PlannedRounds = plan.map((round, roundIndex) =>
      round.map((name, index) => ({ name, id: [sentAt, roundIndex, index].join('.'), amount: 10 + index })),
    );
    const message = JSON.stringify(rounds);
    if (place === 'ann (SSE)' || place === 'anonymous (SSE)') {
      const opened = await this.#clients.openStream(place, userAt(place), { url, message });
      if (opened !== undefined) this.#streams.set(place, opened);
      return;
    }
    const client = await this.#hub(place, url);
    if (client === undefined) return;
    if (stream) this.#clients.stream(client, 'StreamMessage', message);
    else this.#clients.call(client, 'SendMessage', message);
  }

  async #hub(place: HubPlace, url: string): Promise<RawHubClient | undefined> {
    const open = this.#hubs.get(place);
    if (open?.socket.readyState === open?.socket.OPEN && open !== undefined) return open;
    const client = await this.#clients.connect(place, userAt(place), url);
    if (client !== undefined) this.#hubs.set(place, client);
    return client;
  }

  async #answer(act: Extract<Act, { readonly do: 'answer' }>, url: string): Promise<void> {
    const question = this.#question(act.question);
    const turn = this.#turns.find(({ turnId }) => turnId === question?.turnId);
    if (question === undefined || turn === undefined) return;
    const by = userOf(act.by, turn);
    const edited = act.arguments === 'as shown' ? undefined : editedArguments(question, act.arguments);
    const decisions = act.says
      .split(' and ')
      .flatMap((says) => (says === 'approve twice' ? ['approve', 'approve'] : [says]));
    const isFirst = !this.#answers.some(({ actionId }) => actionId === question.actionId);
    const isSound = act.arguments === 'as shown' && !act.remember && decisions.length === 1;
    const sentAfter = Number(String(question.arguments['id']).split('.', 1)[0]);
    const isCalm = (): boolean => sentAfter > this.#disturbedAt && this.#server?.isDraining === false;
    const isPlain = isFirst && isSound && isCalm() && mayAnswer(by, turn);
    await Promise.all(
      decisions.map(async (says) => {
        const approved = says === 'approve';
        const answer: SentAnswer = {
          ...{ actionId: question.actionId, approved, by },
          ...{ remember: act.remember, arguments: edited, sentAt: this.#tick() },
        };
        this.#answers.push(answer);
        const { actionId } = answer;
        const body = {
          ...{ actionId, approved },
          ...(act.remember ? { remember: true } : {}),
          ...(edited === undefined ? {} : { arguments: edited }),
        };
        const got = await this.#clients.post(by, `${url}/helper/approve`, body);
        if (got === undefined) return;
        answer.status = got.status;
        answer.mustBeTaken = isPlain && isCalm();
      }),
    );
  }

  #question(which: 'unanswered' | number): SeenQuestion | undefined {
    if (which !== 'unanswered') return this.#questions.at(-1 - which);
    const answered = this.#answers.map(({ actionId }) => actionId);
    return this.#questions.findLast(({ actionId }) => !answered.includes(actionId));
  }

  async #forge(what: Extract<Act, { readonly do: 'forge' }>['what'], url: string): Promise<void> {
    const question = this.#questions.at(-1);
    if (question === undefined) return;
    const { actionId, callId } = question;
    const forged = {
      id: { actionId: `${actionId.slice(0, -1)}~`.replace('~', actionId.endsWith('A') ? 'B' : 'A'), approved: true },
      'call id': { actionId: callId, approved: true },
      answer: { actionId, approved: 'yes' },
    }[what];
    const got = await this.#clients.post('ann', `${url}/helper/approve`, forged);
    const expected = what === 'answer' ? 400 : 404;
    if (got !== undefined && got.status !== expected && got.status !== 503) {
      this.#stuck.push(`a forged ${what} was answered with ${String(got.status)}`);
    }
  }

  async #stop(act: Extract<Act, { readonly do: 'stop' }>, url: string): Promise<void> {
    const turn = this.#turns.at(-1 - act.turn);
    if (turn === undefined) return;
    this.#disturbed();
    const client = this.#hubs.get(turn.place as HubPlace);
    const byTurn = act.what === 'turn' || client === undefined;
    const body = byTurn ? { turnId: turn.turnId } : { connectionId: connectionIdOf(client) };
    const stop: SentStop = { turnId: byTurn ? turn.turnId : undefined, sentAt: this.#tick() };
    this.#stops.push(stop);
    const got = await this.#clients.post(userOf(act.by, turn), `${url}/helper/cancel`, body);
    if (got === undefined) return;
    stop.stopped = got.status === 200 && got.body['stopped'] === true;
    stop.answeredAt = this.#tick();
  }

  async #comeBack(
    { place, turn: which, after }: Extract<Act, { readonly do: 'come back' }>,
    url: string,
  ): Promise<void> {
    const turnId = this.#turns.at(-1 - which)?.turnId;
    const client = turnId === undefined ? undefined : await this.#hub(place, url);
    if (turnId === undefined || client === undefined) return;
    const afterSeq = this.#seqOf(turnId, after);
    const resumed = await this.#clients.resultOf(client, 'Resume', { turnId, afterSeq });
    if (resumed !== null) return;
    const fromStart = await this.#clients.resultOf(client, 'Resume', { turnId, afterSeq: 0 });
    if (fromStart !== null && fromStart !== undefined)
      this.#stuck.push(`${place} could resume a turn from its start, not from ${String(afterSeq)}`);
  }

  #leavePlace(place: Place, how: 'drop' | 'close'): void {
    if (how === 'close') this.#disturbed();
    const stream = this.#streams.get(place as StreamPlace);
    stream?.close();
    const client = this.#hubs.get(place as HubPlace);
    if (client === undefined) return;
    if (how === 'drop') client.socket.terminate();
    else if (client.socket.readyState === client.socket.OPEN) {
      client.say({ type: 7 });
      client.socket.close();
    }
  }

  async #restart(server: MortalServer): Promise<void> {
    if (this.#schedule.hitlMode === 'Blocking') this.#disturbed();
    server.drain();
    await this.#quiet();
    server.endGrace();
    await this.#endOf(server);
    server.retire();
    await this.#living();
  }

  async #endOf(server: MortalServer): Promise<void> {
    let hasEnded = false;
    void server.ended().then(() => {
      hasEnded = true;
    });
    if (await this.#until(() => hasEnded || server.isDead)) return;
    this.#stuck.push('the server did not end although nothing ran any more');
  }

  /** Ends everything, then reads all turns from their beginning and the journal. */
  async #conclude(): Promise<Seen> {
    await Promise.all(this.#performed);
    await this.#quiet();
    let server = await this.#living();
    server.dieAt(undefined);
    this.#nextDeath = undefined;
    if (server.isDraining) {
      await this.#restart(server);
      server = await this.#living();
    }
    for (const turn of this.#turns) {
      const { turnId } = turn;
      await this.#clients.post(userOf('owner', turn), `${server.url}/helper/cancel`, { turnId });
    }
    for (let round = 0; round < 2; round += 1) {
      this.#ledger.releaseAll();
      await this.#quiet();
      this.#stage.clock.advance(minutes.confirmationTimeout * 60_000);
      await this.#quiet();
    }
    server = await this.#living();
    const logs = await this.#readLogs(server.url);
    server.drain();
    await this.#endOf(server);
    this.#look();
    return {
      ...{ schedule: this.#schedule, turns: this.#turns, questions: this.#questions, logs },
      ...{ answers: this.#answers, stops: this.#stops, executions: this.#ledger.executions, crashes: this.#crashes },
      events: this.#clients.events,
      journal: readJournal(join(server.folder, 'data')),
      stuck: [...this.#stuck, ...this.#clients.wireFaults],
    };
  }

  async #readLogs(url: string): Promise<Seen['logs']> {
    const logs = new Map<string, readonly SeenEvent[]>();
    for (const user of ['ann', 'nobody'] as const) {
      const client = await this.#clients.connect('reader', user, url);
      if (client === undefined) continue;
      for (const turn of this.#turns.filter((candidate) => userOf('owner', candidate) === user)) {
        const { turnId } = turn;
        const result = await client.result(this.#clients.call(client, 'Resume', { turnId, afterSeq: 0 }));
        if (result === null) continue;
        const log = (): readonly SeenEvent[] => hubEvents(client).filter((event) => event.turnId === turnId);
        const ended = await this.#until(() => log().some(({ name }) => name === 'TurnCompleted'));
        if (!ended) this.#stuck.push(`a turn of ${turn.place} never ended`);
        logs.set(turnId, log());
      }
    }
    return logs;
  }

  #seqOf(turnId: string, after: 'start' | 'middle' | 'end'): number {
    const seen = this.#clients.events.flatMap((event) => (event.turnId === turnId ? [event.seq] : []));
    const last = Math.max(0, ...seen);
    return { start: 0, middle: Math.floor(last / 2), end: last }[after];
  }
}

function userAt(place: Place): User {
  return place.startsWith('ann ') ? 'ann' : 'nobody';
}

function userOf(by: Caller, { user }: SeenTurn): User {
  if (by !== 'owner') return by;
  return user === 'ann' ? 'ann' : 'nobody';
}

function editedArguments(
  { arguments: shown }: SeenQuestion,
  how: 'another amount' | 'nonsense',
): Readonly<Record<string, unknown>> {
  return how === 'nonsense' ? { id: 5 } : { ...shown, amount: Number(shown['amount']) + 100 };
}

function connectionIdOf(client: RawHubClient): string {
  const connected = client.records.find(({ target }) => target === 'Connected');
  const [fields] = (connected?.['arguments'] ?? []) as { readonly connectionId?: string }[];
  return fields?.connectionId ?? 'none';
}

function readJournal(folder: string): readonly JournalledQuestion[] {
  const database = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
  const rows = database
    .prepare('SELECT action_id actionId, call_id callId, turn_id turnId, state, answer, outcome FROM confirmation')
    .all();
  database.close();
  return rows as JournalledQuestion[];
}
