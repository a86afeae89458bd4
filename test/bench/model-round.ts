import type { ReplyPlan } from './reply-plan.ts';

/** What one call of the fake model answers: a tool call with the pieces of its arguments, or these tokens of the whole reply. */
export type ModelRound =
  { readonly tool: string; readonly pieces: readonly string[] } | { readonly from: number; readonly to: number };

const orderPieces = ['{"order', 'Number', '":', '1042', '}'];

/** The tool with which each product hands over, and its arguments. The first one that the model is offered is called. */
const handOvers: readonly (readonly [RegExp, (agent: string) => object])[] = [
  [/"route_to_specialist"/, (agent) => ({ name: agent, request: 'Where is order 1042?' })],
  [/"transfer_to_(?:desk|billing)"/, () => ({})],
  [/"agent-billing"/, () => ({ prompt: 'Where is order 1042?' })],
  [/"workflow-desk"/, () => ({ inputData: { prompt: 'Where is order 1042?' } })],
];

/** How members say in their instructions which part of the reply is theirs: `speaker 2 of 3`. */
const speaker = /speaker (\d) of (\d)/;

/** What the model answers to this request. The coordinator has the last token, and agents share those before it. */
export function roundOf(plan: ReplyPlan, body: string): ModelRound {
  const hasResult = /"role": ?"tool"/.test(body);
  if (plan.tool && !hasResult) return { tool: plan.write === true ? 'cancel_order' : 'get_order', pieces: orderPieces };
  if (plan.agents === undefined) return { from: 0, to: plan.chunks };
  const [, place, count] = speaker.exec(body) ?? [];
  if (place !== undefined) return partOf(plan, Number(place), Number(count));
  return hasResult ? { from: plan.chunks - 1, to: plan.chunks } : handOver(plan, body);
}

function partOf({ chunks }: ReplyPlan, place: number, count: number): ModelRound {
  const share = (chunks - 1) / count;
  return { from: Math.floor(share * (place - 1)), to: Math.floor(share * place) };
}

function handOver({ agents }: ReplyPlan, body: string): ModelRound {
  const agent = agents === 'team' ? 'Desk' : 'Billing';
  for (const [tool, argumentsFor] of handOvers) {
    const [name] = tool.exec(body) ?? [];
    if (name !== undefined) return { tool: name.slice(1, -1), pieces: [JSON.stringify(argumentsFor(agent))] };
  }
  throw new Error('no tool to hand over with was offered');
}
