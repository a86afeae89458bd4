import type { HostedUse } from '../../src/core/agents/hosted/hosted-use.ts';
import type { OwnAssistant } from '../../src/core/replicas/own-assistant.ts';
import type { KeptConversations } from '../../src/core/conversations/kept-conversations.ts';
import { RefusalLines } from '../../src/core/limits/refusal-lines.ts';
import { OpenConfirmations } from '../../src/core/confirmations/open-confirmations.ts';
import { createAssistant } from '../../src/core/create-assistant.ts';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import type { Honesty } from '../../src/core/guardrails/honest-questions.ts';
import type { HistoryServices } from '../../src/core/history/history-services.ts';
import type { Knowledge } from '../../src/core/knowledge/knowledge.ts';
import { CallerRoom } from '../../src/core/limits/caller-room.ts';
import { MessageRate } from '../../src/core/limits/message-rate.ts';
import type { ImageSettings } from '../../src/core/limits/take-attachments.ts';
import type { FileInput } from '../../src/core/turn/live/turn-services.ts';
import { navigateTool } from '../../src/core/tools/navigate-tool.ts';
import type { Page } from '../../src/core/pages/page.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import type { CallServices } from '../../src/core/calls/call-scope.ts';
import type { ConfirmationJournal } from '../../src/core/ports/confirmation-journal.ts';
import type { TurnStore } from '../../src/core/ports/turn-store.ts';
import type { TapePolicy } from '../../src/core/record/tape-services.ts';
import { SessionSnapshots } from '../../src/core/sessions/snapshot/session-snapshots.ts';
import { type ExceptionMapper, exceptionTexts } from '../../src/core/tools/exception-rules.ts';
import { ToolPolicy } from '../../src/core/tools/tool-policy.ts';
import type { ToolFilter } from '../../src/core/tool-filter/tool-filter.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { Toolbox } from '../../src/core/tools/toolbox.ts';
import type { RecordedEvent } from '../../src/core/events/turn-event.ts';
import type { TurnServices } from '../../src/core/turn/live/turn-services.ts';
import type { ReleasedTurn } from '../../src/core/turn/kept/drain.ts';
import type { Turn } from '../../src/core/turn/live/turn.ts';
import type { UiActions } from '../../src/core/request/ui-actions.ts';
import { imagesOff } from './images.ts';
import { memoryStores } from './memory-stores.ts';
import { recordingLogger, recordingMetrics } from './quiet.ts';
import './replayed-turns.ts';
import { testRecordSealer, testSealer } from './test-sealer.ts';

export interface TestAssistantOptions extends Partial<CallServices> {
  readonly model: ChatModel;
  readonly toolList?: readonly Tool[];
  /** Tools that the provider of the model runs itself. Left out, there are none. */
  readonly hosted?: HostedUse;
  readonly pageList?: readonly Page[];
  readonly requireConfirmation?: boolean;
  /** The kill switch. Left out, no tool is switched off. */
  readonly isSwitchedOff?: (tool: Pick<Tool, 'name'>, readOnly: boolean) => boolean;
  readonly mappers?: readonly ExceptionMapper[];
  readonly maxMessageLength?: number;
  /** Messages in 60 seconds. */
  readonly rateLimitPerUser?: number;
  readonly maxToolRounds?: number;
  readonly maxSessionMessages?: number;
  /** Left out, the whole kept conversation is sent to the model. */
  readonly history?: HistoryServices;
  readonly disconnectGraceMs?: number;
  readonly resumeWindowMs?: number;
  readonly maxSuspendedMs?: number;
  /** Epoch milliseconds. Both clocks of the assistant use this function. */
  readonly now?: () => number;
  /** The store of turns. The rows of the journal belong to these turns, so a test gives both or neither. */
  readonly turns?: TurnStore;
  /** The default is `Native` when `turns` is given, because a question then outlives its process. Otherwise it is `Blocking`. */
  readonly hitlMode?: 'Blocking' | 'Native';
  /** Left out, no conversations are kept. */
  readonly conversations?: KeptConversations;
  /** Left out, `model` answers all messages. */
  readonly routing?: TurnServices['routing'];
  /** Left out, there are no budgets. */
  readonly spending?: TurnServices['spending'];
  /** Left out, no model is asked whether replies are true. */
  readonly honesty?: Honesty;
  /** Left out, no documents are looked for. */
  readonly knowledge?: Knowledge;
  /** Left out, the coordinator hands over to nobody. */
  readonly agents?: TurnServices['agents'];
  /** Left out, neither messages nor replies are checked. */
  readonly guards?: TurnServices['guards'];
  readonly tapePolicy?: TapePolicy;
  readonly turnRoom?: CallerRoom;
  readonly queueRoom?: CallerRoom;
  readonly imageRoom?: CallerRoom;
  /** Left out, image input is off. */
  readonly images?: ImageSettings;
  /** Left out, no files are read. */
  readonly files?: FileInput;
  /** Used in place of `toolList` and `pageList`. */
  readonly toolboxOf?: () => Toolbox;
  /** Left out, the model gets all tools. */
  readonly toolFilter?: ToolFilter;
  /** Left out, other replicas are not told of turns that are handed over. */
  readonly onReleased?: (turn: ReleasedTurn) => Promise<void>;
}

export interface TestAssistant {
  readonly assistant: OwnAssistant;
  readonly journal: ConfirmationJournal;
  readonly turns: TurnStore;
  readonly snapshots: SessionSnapshots;
  readonly log: ReturnType<typeof recordingLogger>;
  readonly metrics: ReturnType<typeof recordingMetrics>;
}

const sealer = testRecordSealer();

/** Room without any limit. */
export function ampleRoom(): CallerRoom {
  return new CallerRoom({ perUser: Infinity, perAddress: Infinity });
}

/** The real core over a given model, with an in-memory journal. Each of its turns is replayed after its end. */
export function testAssistant(options: TestAssistantOptions): TestAssistant {
  const log = recordingLogger();
  const metrics = recordingMetrics();
  if ((options.journal === undefined) !== (options.turns === undefined))
    throw new Error('a journal goes with its turns');
  const { journal, turns } = { ...memoryStores(), ...defined(options) };
  const hitlMode = options.hitlMode ?? (options.turns === undefined ? 'Blocking' : 'Native');
  const pages = options.pageList ?? [];
  const tools = [...(options.toolList ?? []), ...(pages.length > 0 ? [navigateTool(pages)] : [])];
  const toolbox = new Toolbox(tools, pages);
  const texts = textsByLanguage.English;
  const now = options.now ?? Date.now;
  const clock = options.clock ?? { now, elapsed: options.now ?? (() => performance.now()) };
  const assistant = createAssistant({
    flushIntervalMs: 0,
    onReleased: options.onReleased,
    disconnectGraceMs: options.disconnectGraceMs ?? 1000,
    resumeWindowMs: options.resumeWindowMs ?? 60_000,
    maxSuspendedMs: options.maxSuspendedMs ?? 60_000,
    rooms: {
      turns: options.turnRoom ?? ampleRoom(),
      queue: options.queueRoom ?? ampleRoom(),
      attachments: options.imageRoom ?? ampleRoom(),
    },
    services: {
      model: options.model,
      configuration: 'test',
      instructions: 'You are a test.',
      ...(options.hosted === undefined ? {} : { hosted: () => options.hosted }),
      toolbox: options.toolboxOf ?? (() => toolbox),
      maxMessageLength: options.maxMessageLength ?? 4000,
      images: options.images ?? imagesOff,
      files: options.files,
      messageRate: new MessageRate({
        max: options.rateLimitPerUser ?? 0,
        windowSecs: 60,
        now: () => clock.elapsed(),
        metrics,
      }),
      directRate: new MessageRate({
        max: options.rateLimitPerUser ?? 0,
        windowSecs: 60,
        now: () => clock.elapsed(),
        metrics,
      }),
      maxToolRounds: options.maxToolRounds ?? 12,
      maxSessionMessages: options.maxSessionMessages ?? 50,
      ...(options.toolFilter === undefined ? {} : { toolFilter: options.toolFilter }),
      ...(options.history === undefined ? {} : { history: options.history }),
      ...(options.conversations === undefined ? {} : { conversations: options.conversations }),
      ...(options.routing === undefined ? {} : { routing: options.routing }),
      ...(options.spending === undefined ? {} : { spending: options.spending }),
      ...(options.honesty === undefined ? {} : { honesty: options.honesty }),
      ...(options.agents === undefined ? {} : { agents: options.agents }),
      ...(options.guards === undefined ? {} : { guards: options.guards }),
      ...(options.knowledge === undefined ? {} : { knowledge: options.knowledge }),
      hitlMode,
      tape: {
        store: turns,
        sealer,
        markOf: (userKey) => userKey,
        policy: options.tapePolicy ?? 'question',
        clock,
        log,
        resumeWindowMs: options.resumeWindowMs ?? 60_000,
      },
      calls: {
        openConfirmations: new OpenConfirmations(journal, now),
        metrics,
        log,
        refusalLines: new RefusalLines(() => 0),
        confirmationTimeoutMs: 0,
        loopGuard: 3,
        autoApproval: undefined,
        policy: new ToolPolicy({
          requireConfirmation: options.requireConfirmation ?? true,
          requireConfirmationForWrites: true,
          requiresApproval: [],
          isReadOnlyAction: [],
          ...(options.isSwitchedOff === undefined ? {} : { isSwitchedOff: options.isSwitchedOff }),
        }),
        texts,
        enableActionFeedback: true,
        enableGenerativeCards: true,
        enforcesProvenance: true,
        cardHosts: { images: [], links: [] },
        transformResult: (_tool, result) => Promise.resolve(result),
        exceptionTexts: (error, tool) =>
          exceptionTexts(error, tool, { mappers: options.mappers ?? [], fallback: texts.actionFailed }),
        ...options,
        journal,
        clock,
      },
    },
  });
  const snapshots = new SessionSnapshots({
    sealer: testSealer(),
    journal,
    toolbox: options.toolboxOf ?? (() => toolbox),
    asksAgain: hitlMode === 'Native',
    cards: { enableGenerativeCards: true, cardHosts: { images: [], links: [] } },
    metrics,
  });
  return { assistant, journal, turns, snapshots, log, metrics };
}

function defined({ journal, turns }: TestAssistantOptions): Partial<Pick<TestAssistant, 'journal' | 'turns'>> {
  return { ...(journal && { journal }), ...(turns && { turns }) };
}

export interface ReadEvent {
  readonly type: RecordedEvent['type'];
  readonly seq: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TurnReader {
  readonly events: ReadEvent[];
  /** The next event of a type that no earlier call has returned. */
  next(type: RecordedEvent['type']): Promise<ReadEvent>;
  readonly ended: Promise<void>;
  leave(): void;
}

/** Reads a turn in the way in which a channel does. With `uiActions` it reads like the hub with a page that offers UI actions. */
export function readTurn(turn: Turn, afterSeq = 0, uiActions?: UiActions): TurnReader {
  const events: ReadEvent[] = [];
  const taken = new Set<ReadEvent>();
  const waiting: { type: string; resolve: (event: ReadEvent) => void }[] = [];
  const ended = Promise.withResolvers<undefined>();
  const subscription = turn.subscribe(
    {
      ...(uiActions && { uiActions }),
      onEvent(recorded) {
        const event = { type: recorded.type, seq: recorded.seq, fields: parse(recorded.json) };
        events.push(event);
        const index = waiting.findIndex(({ type }) => type === event.type);
        if (index < 0) return;
        taken.add(event);
        waiting.splice(index, 1)[0]?.resolve(event);
      },
      onEnd() {
        ended.resolve(undefined);
      },
    },
    afterSeq,
  );
  return {
    events,
    ended: ended.promise,
    next(type) {
      const found = events.find((event) => event.type === type && !taken.has(event));
      if (found === undefined) return new Promise((resolve) => waiting.push({ type, resolve }));
      taken.add(found);
      return Promise.resolve(found);
    },
    leave: () => subscription?.close(),
  };
}

function parse(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
