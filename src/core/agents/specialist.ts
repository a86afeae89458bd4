import { globPredicate } from '../base/glob.ts';
import { readerOf } from '../identity/may-read.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import { routeToSpecialistName } from '../tools/tool-name.ts';
import { Toolbox } from '../tools/toolbox.ts';
import type { Agent } from './agent.ts';
import type { SpecialistDefinition } from './agent-definition.ts';
import { handOffTool } from './hand-off.ts';
import { deepestAgent, type MemberScope, type Staff } from './staff.ts';

/** A specialist as an agent of a turn: its own instructions, its own model and only its own tools (contract/agents.md#handing-over). */
export function specialistAgent(
  { definition, model }: { readonly definition: SpecialistDefinition; readonly model: ChatModel },
  { turn, staff, depth, mayHandOffTo }: Pick<MemberScope, 'turn' | 'staff' | 'depth' | 'mayHandOffTo'>,
): Agent {
  const skills = staff.skills.only(definition.skills);
  const mayRoute = definition.tools.includes(routeToSpecialistName) && depth < deepestAgent;
  const own = skills.addTo(ownTools(definition, staff));
  const routing = mayRoute
    ? staff.roster.offeredTo(readerOf(turn.request.caller.principal), definition.name)
    : undefined;
  const toolbox = routing?.addTo(own) ?? own;
  const handingOff = mayHandOffTo === undefined || mayHandOffTo.length === 0 ? [] : [handOffTool(mayHandOffTo)];
  return {
    name: definition.name,
    model,
    instructions: skills.beside(instructionsOf(definition, staff)),
    toolbox: handingOff.length === 0 ? toolbox : new Toolbox([...toolbox.tools, ...handingOff], toolbox.pages),
    hosted: definition.hosted?.(),
    maxRounds: staff.maxRounds,
    mayApproveByRule: false,
  };
}

/** The toolbox of each specialist for each toolbox of the server. */
const toolboxes = new WeakMap<SpecialistDefinition, WeakMap<Toolbox, Toolbox>>();

function ownTools(definition: SpecialistDefinition, { toolbox }: Staff): Toolbox {
  const known = toolboxes.get(definition) ?? new WeakMap<Toolbox, Toolbox>();
  toolboxes.set(definition, known);
  const made = known.get(toolbox);
  if (made !== undefined) return made;
  const isNamed = globPredicate(definition.tools);
  const named = toolbox.tools.filter(({ name }) => isNamed(name));
  const owners = definition.ownServers?.map((server) => `mcp:${server}`) ?? [];
  const ofServers = toolbox.own.filter(({ owner }) => owners.includes(owner));
  const own = new Toolbox([...named, ...definition.ownTools, ...ofServers], toolbox.pages);
  known.set(toolbox, own);
  return own;
}

function instructionsOf({ instructions, outputSchema }: SpecialistDefinition, { rules }: Staff): string {
  const format =
    outputSchema === undefined
      ? []
      : [`Answer with one JSON object that fits this JSON Schema, and nothing else: ${JSON.stringify(outputSchema)}`];
  return [instructions.trim(), ...format, rules].join('\n\n');
}
