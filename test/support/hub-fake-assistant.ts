import type { Assistant } from '../../src/core/assistant.ts';
import { DirectCalls } from '../../src/core/direct/direct-calls.ts';
import type { SendOptions } from '../../src/core/request/send-options.ts';
import type { Session } from '../../src/core/sessions/session.ts';
import { anonymousPrincipal, type Principal } from '../../src/core/identity/principal.ts';
import type { RecordedEvent, TurnEventType } from '../../src/core/events/turn-event.ts';
import type { TurnListener } from '../../src/core/record/turn-listener.ts';
import type { TurnMessage } from '../../src/core/request/turn-request.ts';
import type { StopReason, Turn, TurnResult } from '../../src/core/turn/live/turn.ts';

/** A turn whose course the test decides. */
export interface FakeTurn extends Turn {
  readonly stops: StopReason[];
  readonly readers: number;
  /** Records an event and hands it to the reader. */
  emit(type: TurnEventType, fields?: object): void;
  end(result?: Partial<TurnResult>): void;
}

export function fakeTurn(id: string): FakeTurn {
  const events: RecordedEvent[] = [];
  const stops: StopReason[] = [];
  const result = Promise.withResolvers<TurnResult>();
  let reader: TurnListener | undefined;
  let running = true;
  return {
    id,
    conversationId: 'conversation',
    principal: anonymousPrincipal(id),
    channel: 'hub',
    suspended: false,
    stops,
    sources: [],
    result: result.promise,
    get running() {
      return running;
    },
    get lastSeq() {
      return events.length;
    },
    get readers() {
      return reader === undefined ? 0 : 1;
    },
    canReplay: (afterSeq) => afterSeq <= events.length,
    subscribe(listener, afterSeq) {
      if (afterSeq > events.length) return undefined;
      reader?.onEnd();
      reader = running ? listener : undefined;
      for (const event of events.slice(afterSeq)) listener.onEvent(event);
      if (!running) listener.onEnd();
      return {
        setPaused: () => undefined,
        close: () => {
          if (reader === listener) reader = undefined;
        },
      };
    },
    stop(reason) {
      stops.push(reason);
      return Promise.resolve(running);
    },
    emit(type, fields = {}) {
      const seq = events.length + 1;
      const event = { type, seq, json: JSON.stringify({ turnId: id, seq, ...fields }) };
      events.push(event);
      reader?.onEvent(event);
    },
    end(outcome = {}) {
      running = false;
      reader?.onEnd();
      reader = undefined;
      result.resolve({ turnId: id, status: 'completed', text: '', ...outcome });
    },
  };
}

export interface FakeSession extends Session {
  readonly sent: { readonly message: TurnMessage; readonly options: SendOptions | undefined; readonly now: boolean }[];
  readonly pages: unknown[];
  readonly adopted: Turn[];
  readonly closed: StopReason[];
  activeTurn: Turn | undefined;
}

export interface FakeAssistant extends Assistant {
  readonly sessions: Map<string, FakeSession>;
  /** The turns that the next messages start, in order. */
  readonly nextTurns: FakeTurn[];
  readonly turns: Map<string, Turn>;
}

/** An assistant whose turns the test plays. */
export function fakeAssistant(...nextTurns: FakeTurn[]): FakeAssistant {
  const sessions = new Map<string, FakeSession>();
  const turns = new Map<string, Turn>(nextTurns.map((turn) => [turn.id, turn]));
  return {
    sessions,
    nextTurns,
    turns,
    direct: new DirectCalls(() => {
      throw new Error('this assistant has no actions');
    }),
    replicaOfTurn: async () => undefined,
    replicaOfQuestion: async () => undefined,
    untilKept: () => Promise.resolve(),
    followUps: () => Promise.resolve({ messages: [], pages: [] }),
    serveWith: () => Promise.resolve(),
    checksMessages: false,
    openConversations: () => [],
    forgetConversations: () => Promise.resolve(true),
    openSession({ id = 'session', principal = anonymousPrincipal(id) }) {
      const session = fakeSession(id, principal, nextTurns);
      sessions.set(id, session);
      return session;
    },
    findSession: (id) => sessions.get(id),
    findTurn: (id) => Promise.resolve(turns.get(id)),
    followTurn: (id) => Promise.resolve(turns.get(id)),
    turnOfConfirmation: () => Promise.resolve(undefined),
    stopTurn: async (id) => turns.get(id)?.stop('user'),
    confirmation: (actionId) => Promise.resolve({ actionId, outcome: 'open' }),
    answerConfirmation: ({ actionId }) => Promise.resolve({ actionId, outcome: 'approved' }),
    draining: false,
    handsOver: false,
    runningTurns: 0,
    live: {
      runningTurns: { hub: 0, sse: 0, 'in-process': 0, openai: 0, a2a: 0, agui: 0 },
      openQuestions: 0,
      oldestQuestionMs: 0,
    },
    drain: () => Promise.resolve(),
    takeUpTurns: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function fakeSession(id: string, principal: Principal, nextTurns: FakeTurn[]): FakeSession {
  const start = (message: TurnMessage, options: SendOptions | undefined, now: boolean): Turn => {
    session.sent.push({ message, options, now });
    const turn = nextTurns.shift() ?? fakeTurn('unexpected');
    session.activeTurn = turn;
    return turn;
  };
  const session: FakeSession = {
    id,
    principal,
    renew: () => undefined,
    conversationId: 'conversation',
    activeTurn: undefined,
    transcript: [],
    waiting: undefined,
    sent: [],
    pages: [],
    adopted: [],
    closed: [],
    send: (message, options) => Promise.resolve(start(message, options, false)),
    startNow: (message, options) => start(message, options, true),
    stop: () => Promise.resolve(false),
    newConversation: () => ({ conversationId: 'another' }),
    replaceConversation: () => ({ conversationId: 'restored', turn: undefined }),
    rate: () => undefined,
    setPage: (page) => {
      session.pages.push(page);
    },
    adopt: (turn) => {
      session.adopted.push(turn);
      session.activeTurn = turn;
    },
    close: (reason) => {
      session.closed.push(reason);
    },
  };
  return session;
}
