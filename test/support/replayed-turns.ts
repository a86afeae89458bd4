import { isDeepStrictEqual } from 'node:util';
import { afterEach } from 'vitest';
import { InMemoryConfirmationJournal } from '../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { InMemoryTurnStore } from '../../src/adapters/stores/in-memory/in-memory-turn-store.ts';
import { coordinatorName } from '../../src/core/agents/coordinator-name.ts';
import { RefusalLines } from '../../src/core/limits/refusal-lines.ts';
import { OpenConfirmations } from '../../src/core/confirmations/open-confirmations.ts';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import { MessageRate } from '../../src/core/limits/message-rate.ts';
import type { ModelReply } from '../../src/core/ports/chat-model.ts';
import { EventLog } from '../../src/core/record/event-log.ts';
import { StepRecord } from '../../src/core/record/step-record.ts';
import { Tape } from '../../src/core/record/tape.ts';
import { TurnEvents } from '../../src/core/record/turn-events.ts';
import { ToolPolicy } from '../../src/core/tools/tool-policy.ts';
import { Toolbox } from '../../src/core/tools/toolbox.ts';
import { Conversation } from '../../src/core/turn/conversation/conversation.ts';
import type { End } from '../../src/core/turn/end/end-of-turn.ts';
import { LiveTurn } from '../../src/core/turn/live/live-turn.ts';
import { runTurn } from '../../src/core/turn/run-turn.ts';
import type { TurnServices } from '../../src/core/turn/live/turn-services.ts';
import type { TurnResult } from '../../src/core/turn/live/turn.ts';
import { imagesOn } from './images.ts';
import { recordingLogger, recordingMetrics } from './quiet.ts';
import { testRecordSealer } from './test-sealer.ts';

/*
 * A guard over every test that loads this file. After a turn has ended, the guard runs it once more with the turn's record. The replay must
 * end in the same way. It must neither use a service nor send an event. All values that a turn records must be JSON, and the guard freezes
 * them.
 */

/** The faults that the guard has found. The guard never throws them into the code that it watches. */
const faults: string[] = [];
const replays: Promise<void>[] = [];
const sealer = testRecordSealer();
/** The turns that the guard itself runs. */
const replayed = new WeakSet<LiveTurn>();

afterEach(async () => {
  await Promise.all(replays.splice(0));
  const found = faults.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
});

watchSteps();
watchEnds();

function watchSteps(): void {
  const put = Object.getOwnPropertyDescriptor(StepRecord.prototype, 'put')?.value as StepRecord['put']; // `put` is a method of the class
  StepRecord.prototype.put = function (this: StepRecord, key, value) {
    if (!isJson(value)) faults.push(`the step ${key} is no JSON`);
    freeze(value);
    put.call(this, key, value);
  };
}

function watchEnds(): void {
  const finish = Object.getOwnPropertyDescriptor(LiveTurn.prototype, 'finish')?.value as LiveTurn['finish']; // `finish` is a method of the class
  LiveTurn.prototype.finish = function (this: LiveTurn, result) {
    // If an internal fault prevented the normal end of a turn, its result differs from its record. Such a turn is not replayed.
    const end = this.record.get('end') as End | undefined; // `runTurn` records this
    if (!replayed.has(this) && end?.status === result.status) replays.push(replay(this, result));
    return finish.call(this, result);
  };
}

function isJson(value: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}

async function replay(turn: LiveTurn, result: TurnResult): Promise<void> {
  const fault = (what: string): number => faults.push(`replaying the turn ${turn.id}: ${what}`);
  const again = copyOf(turn);
  replayed.add(again);
  const told = again.events.log.lastSeq;
  again.record.onPut = (key) => {
    if (key !== 'end') fault(`${key} is recorded anew`);
  };
  // The copy must not be kept, because keeping would also watch the steps that it records.
  again.keep = () => undefined;
  await runTurn(
    { turn: again, conversation: new Conversation(), refusal: undefined },
    services(fault, tellsActions(turn)),
  );
  const seq = again.events.log.lastSeq;
  if (seq !== told) fault(`tells ${JSON.stringify(again.events.log.after(told)?.map(({ json }) => json))}`);
  const end = await again.result;
  if (!isDeepStrictEqual(end, result)) fault(`ends as ${JSON.stringify(end)} in place of ${JSON.stringify(result)}`);
}

function tellsActions({ events }: LiveTurn): boolean {
  return [...events.toldKeys].some((key) => /\/call\/.*\/completed/.test(key));
}

/**
 * A copy of the turn for a replay. It has the state with which another process would continue the turn if this process had died just before
 * the end was recorded.
 */
function copyOf(turn: LiveTurn): LiveTurn {
  const { status } = turn.record.get('end') as End; // `runTurn` records this
  // For a failed or refused turn the record of its end stays, because only that record has the fault.
  const hasEnd = status === 'failed' || status === 'refused' || !turn.record.has('admitted');
  const steps = [...turn.record.entries()].filter(([key]) => hasEnd || key !== 'end');
  const tape = new Tape(turn.id, tapeServices());
  const log = new EventLog({ turnId: turn.id, agent: coordinatorName, maxLength: Infinity });
  const events = new TurnEvents({ log, tape, flushIntervalMs: 0, elapsed: () => 0 });
  events.takeUp(turn.events.lines());
  const parts = {
    tape,
    events,
    disconnectGraceMs: 0,
    startedAt: 0,
    onQuestion: () => undefined,
    onLost: () => undefined,
  };
  return new LiveTurn(turn.options, { ...parts, record: new StepRecord(structuredClone(steps)) });
}

function tapeServices(): TurnServices['tape'] {
  const clock = { now: () => 0, elapsed: () => 0 };
  const store = new InMemoryTurnStore();
  const markOf = (userKey: string): string => userKey;
  return { store, sealer, markOf, policy: 'question', clock, log: recordingLogger(), resumeWindowMs: 0 };
}

/** Services that must not be used. Any use is a fault. */
function services(fault: (what: string) => unknown, enableActionFeedback: boolean): TurnServices {
  const asked = (what: string): Promise<never> => {
    fault(`asks ${what}`);
    return Promise.reject(new Error(`a replay asks ${what}`));
  };
  const tape = tapeServices();
  const { clock, log } = tape;
  const metrics = recordingMetrics();
  const journal = new InMemoryConfirmationJournal();
  journal.ofCall = () => asked('the journal');
  journal.ofTurn = () => asked('the journal');
  journal.requested = () => asked('the user');
  const run = (): Promise<ModelReply> => asked('the model');
  return {
    model: { model: 'none', provider: 'none', isDemo: false, run, close: () => Promise.resolve() },
    configuration: 'test',
    instructions: '',
    // The toolbox is empty, so a replay can run no tool.
    toolbox: () => new Toolbox([]),
    tape,
    maxMessageLength: Infinity,
    images: imagesOn,
    messageRate: new MessageRate({ max: 0, windowSecs: 60, now: () => 0, metrics }),
    directRate: new MessageRate({ max: 0, windowSecs: 60, now: () => 0, metrics }),
    maxToolRounds: 0,
    maxSessionMessages: 1,
    hitlMode: 'Native',
    calls: {
      journal,
      openConfirmations: new OpenConfirmations(journal, () => 0),
      metrics,
      log,
      refusalLines: new RefusalLines(() => 0),
      clock,
      confirmationTimeoutMs: 0,
      policy: new ToolPolicy({
        requireConfirmation: true,
        requireConfirmationForWrites: true,
        requiresApproval: [],
        isReadOnlyAction: [],
      }),
      loopGuard: 3,
      autoApproval: undefined,
      texts: textsByLanguage.English,
      enableActionFeedback,
      enableGenerativeCards: true,
      enforcesProvenance: true,
      cardHosts: { images: [], links: [] },
      transformResult: () => asked('onToolResult'),
      exceptionTexts: () => asked('onException'),
    },
  };
}
