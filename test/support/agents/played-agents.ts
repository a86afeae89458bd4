import { setImmediate as nextLoop } from 'node:timers/promises';
import fc from 'fast-check';
import type { JournalRow } from '../../../src/core/ports/confirmation-journal.ts';
import type { Turn, TurnResult } from '../../../src/core/turn/live/turn.ts';
import { fakeTool } from '../fake-tool.ts';
import { memoryStores, unended } from '../memory-stores.ts';
import { readTurn, type ReadEvent, testAssistant } from '../test-assistant.ts';
import { MortalProcess } from './mortal-process.ts';
import { routingModel } from './paying-agents.ts';
import { growAgents, type Plant, plantArbitrary } from './random-agents.ts';
import { agentsOf } from './roster.ts';

/** One life of a turn: its agents, when its processes die, and what its user does. */
export interface AgentPlan {
  readonly plant: Plant;
  /** For each process but the last: at which of its durable steps it dies, and whether the step is still made. */
  readonly deaths: readonly { readonly step: number; readonly isMade: boolean }[];
  /** Event loops between a question and its answer, over and over. */
  readonly delays: readonly number[];
  /** The question at which the user stops the turn in place of an answer. */
  readonly stopAt: number | undefined;
  readonly isDurable: boolean;
}

export const agentPlans: fc.Arbitrary<AgentPlan> = fc.record({
  plant: plantArbitrary,
  deaths: fc.array(fc.record({ step: fc.integer({ min: 0, max: 16 }), isMade: fc.boolean() }), { maxLength: 5 }),
  delays: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
  stopAt: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
  ),
  isDurable: fc.boolean(),
});

/** A payment that really ran. */
interface Execution {
  readonly callId: string;
  readonly key: string;
}

/** What was seen of a plan. */
export interface PlayedAgents {
  /** Undefined: the turn died before anything of it was kept. */
  readonly result: TurnResult | undefined;
  readonly events: readonly ReadEvent[];
  readonly executions: readonly Execution[];
  readonly rows: readonly JournalRow[];
  readonly unfinished: readonly JournalRow[];
  readonly unended: readonly string[];
  readonly deaths: number;
}

/** Plays a plan: whenever a process dies, the next one takes the turn up from what was stored. */
export async function playAgents(plan: AgentPlan): Promise<PlayedAgents> {
  const stores = memoryStores();
  const executions: Execution[] = [];
  const user = new ScriptedUser(plan);
  let turnId: string | undefined;
  let result: TurnResult | undefined;
  let events: readonly ReadEvent[] = [];
  let deaths = 0;
  for (let number = 0; ; number += 1) {
    const life = new MortalProcess(plan.deaths[number]);
    const { assistant } = openProcess(plan, { stores, life, executions });
    const begin = async (): Promise<Turn | undefined> => {
      if (turnId === undefined) return assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
      await assistant.takeUpTurns();
      return assistant.findTurn(turnId, anonymous);
    };
    const turn = await Promise.race([begin(), life.died]);
    if (turn !== undefined && turn !== 'dead') {
      turnId = turn.id;
      const reader = readTurn(turn);
      user.follow(reader, { assistant, turn, isDead: () => life.isDead });
      const ended = await Promise.race([turn.result.then((end) => reader.ended.then(() => end)), life.died]);
      if (ended !== 'dead') [result, events] = [ended, reader.events];
    }
    if (!life.isDead) break;
    deaths += 1;
  }
  const rows = turnId === undefined ? [] : await stores.journal.ofTurn(turnId);
  return {
    result,
    events,
    executions,
    rows,
    unfinished: await stores.journal.unfinished(),
    unended: await unended(stores),
    deaths,
  };
}

const anonymous = testAssistant({ model: routingModel }).assistant.openSession({ channel: 'hub' }).principal;

function openProcess(
  { plant, isDurable }: AgentPlan,
  parts: {
    readonly stores: ReturnType<typeof memoryStores>;
    readonly life: MortalProcess;
    readonly executions: Execution[];
  },
): ReturnType<typeof testAssistant> {
  const { stores, life, executions } = parts;
  const pay = fakeTool({
    name: 'pay',
    execute: async ({ by, nth }, { callId }) => {
      if (life.isDead) return new Promise<never>(() => undefined);
      executions.push({ callId, key: `${String(by)} ${String(nth)}` });
      await nextLoop();
      return { value: 'paid' };
    },
  });
  return testAssistant({
    model: routingModel,
    agents: agentsOf(growAgents(plant, 'Desk')),
    toolList: [pay, fakeTool({ name: 'look', readOnly: true })],
    hitlMode: 'Native',
    loopGuard: 0,
    tapePolicy: isDurable ? 'always' : 'question',
    ...life.owns(stores),
  });
}

/** Answers each question by what it asks for, so that the answer does not depend on when it is asked. */
class ScriptedUser {
  readonly #plan: AgentPlan;
  #questions = 0;

  constructor(plan: AgentPlan) {
    this.#plan = plan;
  }

  follow(
    reader: ReturnType<typeof readTurn>,
    at: {
      readonly assistant: ReturnType<typeof testAssistant>['assistant'];
      readonly turn: Turn;
      readonly isDead: () => boolean;
    },
  ): void {
    void reader.next('confirmation-requested').then((question) => {
      void this.#answer(question, at);
      this.follow(reader, at);
    });
  }

  async #answer(
    { fields }: ReadEvent,
    { assistant, turn, isDead }: Parameters<ScriptedUser['follow']>[1],
  ): Promise<void> {
    const { delays, stopAt } = this.#plan;
    this.#questions += 1;
    const number = this.#questions;
    for (let loop = delays[number % delays.length] ?? 0; loop > 0; loop -= 1) await nextLoop();
    if (isDead()) return;
    if (number === stopAt) await turn.stop('user').catch(() => undefined);
    else {
      const asked = fields['arguments'] as readonly { readonly value: unknown }[];
      const approved = !asked.some(({ value }) => /3\.\d\.\d$/.test(String(value)));
      await assistant
        .answerConfirmation({ actionId: String(fields['actionId']), approved }, turn.principal)
        .catch(() => undefined);
    }
  }
}
