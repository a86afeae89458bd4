import { setImmediate as nextLoop } from 'node:timers/promises';
import { calling, type ModelScript, saying } from '../scripted-model.ts';

/** The actions that a model can call. */
export const actionNames = ['change', 'slow_change', 'failing_change', 'look'] as const;

export interface PlannedCall {
  readonly name: (typeof actionNames)[number];
  /** Unique in the whole schedule. */
  readonly id: string;
  readonly amount: number;
}

/** The calls of the model, round by round. They travel in the user's message, so that no server has to remember them. */
export type PlannedRounds = readonly (readonly PlannedCall[])[];

/** The number of requests that a model has had, and that it is answering. */
export interface ModelLoad {
  requests: number;
  inFlight: number;
}

/** Does what the last message plans. The model keeps nothing, so any process may ask it. */
export function plannedModel(load: ModelLoad): ModelScript {
  const reply: ModelScript = async (exchange) => {
    const { rounds, round } = readPlan(exchange.request.body['messages']);
    // The reply takes a while, so that other events can happen meanwhile.
    for (let loop = 0; loop < 2; loop += 1) await nextLoop();
    const calls = rounds[round] ?? [];
    const asking = calls.map(({ name, id, amount }) => ({ id, name, arguments: { id, amount } }));
    await (calls.length === 0 ? saying('Done.') : calling(...asking))(exchange);
  };
  return async (exchange) => {
    load.requests += 1;
    load.inFlight += 1;
    try {
      await reply(exchange);
    } finally {
      load.inFlight -= 1;
    }
  };
}

function readPlan(messages: unknown): { readonly rounds: PlannedRounds; readonly round: number } {
  const all = messages as readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: unknown;
  }[];
  const asked = all.findLastIndex(({ role }) => role === 'user');
  const rounds = JSON.parse(String(all[asked]?.content)) as PlannedRounds;
  const round = all.slice(asked).filter(({ tool_calls: calls }) => calls !== undefined).length;
  return { rounds, round };
}
