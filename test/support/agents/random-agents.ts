import fc from 'fast-check';
import type { TeamMode } from '../../../src/core/agents/agent-definition.ts';
import type { RosterAgent } from '../../../src/core/agents/roster.ts';
import type { ChatMessage, ChatModel, ModelRequest } from '../../../src/core/ports/chat-model.ts';
import { call } from '../fake-model.ts';
import { decidingModel } from './paying-agents.ts';
import { specialist, team } from './roster.ts';

/** An agent of a random topology. Its name is its place in the tree. */
export type Plant =
  | {
      readonly kind: 'specialist';
      /** How many payments it asks for in each round. */
      readonly rounds: readonly number[];
      /** In a team of mode `handoff` it gives the conversation away first. */
      readonly handsOff: boolean;
    }
  | {
      readonly kind: 'team';
      readonly mode: TeamMode;
      readonly aggregator: 'concat' | 'last' | 'model';
      readonly isManaged: boolean;
      readonly maxRounds: number;
      readonly maxTokens: number | undefined;
      readonly members: readonly Plant[];
    };

const leaf: fc.Arbitrary<Plant> = fc.record({
  kind: fc.constant('specialist' as const),
  rounds: fc.array(fc.constantFrom(1, 1, 2), { maxLength: 2 }),
  handsOff: fc.boolean(),
});

const teamOf = (member: fc.Arbitrary<Plant>): fc.Arbitrary<Plant> =>
  fc.record({
    kind: fc.constant('team' as const),
    mode: fc.constantFrom('sequential', 'concurrent', 'groupChat', 'handoff', 'magentic'),
    aggregator: fc.constantFrom('concat', 'last', 'model'),
    isManaged: fc.boolean(),
    maxRounds: fc.integer({ min: 1, max: 3 }),
    maxTokens: fc.constantFrom(undefined, undefined, 10, 20),
    members: fc.array(member, { minLength: 1, maxLength: 3 }),
  });

/** Teams of teams of specialists. An agent may be at most three deep. */
export const plantArbitrary: fc.Arbitrary<Plant> = fc.oneof(
  leaf,
  teamOf(leaf),
  teamOf(fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 1, arbitrary: teamOf(leaf) })),
);

/** The agents of a topology. `root` is the name of its top. Their models keep nothing, so any process may ask them. */
export function growAgents(plant: Plant, root: string): readonly RosterAgent[] {
  if (plant.kind === 'specialist') return [specialist({ name: root, tools: ['pay', 'look'] }, worker(root, plant))];
  const names = plant.members.map((_, index) => `${root}${String(index)}`);
  const options = {
    maxRounds: plant.mode === 'sequential' ? 12 : plant.maxRounds,
    aggregator: plant.aggregator,
    maxTokens: plant.maxTokens,
    ...(plant.mode === 'groupChat' && plant.isManaged ? { manager: 'nobody' } : {}),
    maxStalls: 1,
    maxResets: 1,
  };
  return [
    ...plant.members.flatMap((member, index) => growAgents(member, names[index] ?? '')),
    team(plant.mode, { name: root, members: names, options }, manager(root, names)),
  ];
}

/** Works through its rounds: payments, one of them a look. Then it says what came of them. */
function worker(name: string, { rounds, handsOff }: Extract<Plant, { readonly kind: 'specialist' }>): ChatModel {
  return decidingModel((request) => {
    const target = handOffTarget(request);
    if (handsOff && target !== undefined) return { toolCalls: [call('hand_off', { to: target, reason: 'better' })] };
    const begun = request.messages.findLastIndex(({ role }) => role === 'user');
    const own = request.messages.slice(begun + 1);
    const round = own.filter(({ role }) => role === 'assistant').length;
    const calls = rounds[round];
    if (calls === undefined || calls === 0) return { text: `${name} ${statuses(own)}` };
    const sum = digest(request.messages.slice(0, begun + 1));
    const toolCalls = Array.from({ length: calls }, (_, index) => {
      const tool = (sum + index) % 4 === 0 ? 'look' : 'pay';
      return call(tool, { by: name, nth: `${String(sum)}.${String(round)}.${String(index)}` }, `c${String(index)}`);
    });
    return { text: `${name} begins.`, toolCalls };
  });
}

function handOffTarget({ tools }: ModelRequest): string | undefined {
  const tool = tools.find(({ name }) => name === 'hand_off');
  const { properties } = (tool?.parameters ?? {}) as {
    readonly properties?: { readonly to: { readonly enum: readonly string[] } };
  };
  return properties?.to.enum[0];
}

/** Decides by what was said so far, like a model at temperature 0. */
function manager(name: string, members: readonly string[]): ChatModel {
  return decidingModel(({ messages, format }) => {
    const sum = digest(messages);
    if (format !== 'json') return { text: `${name} writes ${String(sum)}.` };
    const next = members[sum % members.length];
    return {
      text: JSON.stringify({
        next: sum % 5 === 0 ? null : next,
        done: sum % 5 === 0,
        progress: sum % 3 > 0,
        task: 'Go on',
      }),
    };
  });
}

function statuses(messages: readonly ChatMessage[]): string {
  return messages.flatMap(({ role, text }) => (role === 'tool' ? [/^\[(\w+)\]/.exec(text)?.[1] ?? ''] : [])).join(' ');
}

/** A number that depends on every character of the messages. */
function digest(messages: readonly ChatMessage[]): number {
  let sum = 7;
  for (const { text } of messages)
    for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum;
}
