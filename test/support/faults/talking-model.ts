import { setTimeout as wait } from 'node:timers/promises';
import { calling, chunk, ending, type ModelScript } from '../scripted-model.ts';
import { clock } from './clock.ts';
import type { ActionName } from './fault-plan.ts';
import type { Moments } from './moments.ts';

/** The plan that the user's message carries to the model, so that no process has to remember it. */
export interface TalkPlan {
  readonly paceMs: number;
  readonly rounds: readonly (readonly { readonly id: string; readonly name: ActionName }[])[];
}

/** What a model was told about a call: `[succeeded] …`. */
export interface ToldModel {
  /** The id of the call in the plan. */
  readonly id: string;
  readonly status: string;
  /** In the time of clock.ts. */
  readonly at: number;
}

interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
}

/** Writes text in pieces before each round of calls and at the end. Records what it is told about the calls. */
export function talkingModel(moments: Moments, told: (outcomes: readonly ToldModel[]) => void): ModelScript {
  return async (exchange) => {
    const messages = exchange.request.body['messages'] as readonly WireMessage[]; // OpenAI's protocol has this shape
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const { paceMs, rounds } = JSON.parse(String(messages[asked]?.content)) as TalkPlan;
    told(outcomesIn(messages));
    moments.note('the model is asked');
    const round = messages.slice(asked).filter(({ tool_calls: calls }) => calls !== undefined).length;
    const calls = rounds[round];
    const pieces = calls === undefined ? ['All ', 'is ', 'done.'] : [`Round `, `${round}: `, `${calls.length} calls. `];
    for (const content of pieces) {
      await exchange.send(chunk({ content }));
      moments.note('the model has said something');
      if (paceMs > 0) await wait(paceMs);
    }
    if (calls === undefined) {
      await exchange.send(ending());
      exchange.end();
    } else {
      await calling(...calls.map(({ id, name }) => ({ id, name, arguments: { id } })))(exchange);
    }
    moments.note('the model has replied');
  };
}

function outcomesIn(messages: readonly WireMessage[]): readonly ToldModel[] {
  const ids = new Map(
    messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ id, function: { arguments: text } }) => [id, (JSON.parse(text) as { id: string }).id] as const),
    ),
  );
  return messages.flatMap(({ role, content, tool_call_id: callId = '' }) => {
    const id = ids.get(callId);
    const status = /^\[(\w+)\]/.exec(typeof content === 'string' ? content : JSON.stringify(content))?.[1];
    return role !== 'tool' || id === undefined || status === undefined ? [] : [{ id, status, at: clock() }];
  });
}
