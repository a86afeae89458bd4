import type { WrittenAgent } from '../../core/agents/written-agent.ts';
import { coordinatorName } from '../../core/agents/coordinator-name.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';

/** The message of a fault, and the name that was probably meant, if there is one. */
type Said = string | { readonly message: string; readonly meant: string | undefined };

/** A fault at a member of an agent. */
export function faultAt(agent: WrittenAgent, path: string, said: Said): StartupFault {
  const { message, meant } = typeof said === 'string' ? { message: said, meant: undefined } : said;
  const { file, line, column, path: place } = agent.place(path);
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    path: place,
    message,
    ...(meant === undefined ? {} : { suggestion: meant }),
  };
}

/** Agents share one namespace, in which case does not tell two names apart (contract/agents.md#definitions). */
export function nameFaults(agents: readonly WrittenAgent[]): readonly StartupFault[] {
  const first = new Map<string, WrittenAgent>();
  return agents.flatMap((agent) => {
    const { name } = agent.definition;
    const key = name.toLowerCase();
    if (key === coordinatorName)
      return [faultAt(agent, 'name', `"${name}" is the name of the agent that answers users`)];
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, agent);
      return [];
    }
    const message = `the agent name "${name}" is used twice: in ${placeOf(earlier)} and in ${placeOf(agent)}`;
    return [faultAt(agent, 'name', message)];
  });
}

function placeOf(agent: WrittenAgent): string {
  const { line, path } = agent.place('');
  // Entries of the configuration get their lines later, and are told apart by their paths.
  if (line === undefined) return agent.from === 'helper.yaml' ? `${path} of helper.yaml` : agent.from;
  return `${agent.from}:${String(line)}`;
}

/** The address of a remote agent must be one that can be asked. */
export function addressFaults(agents: readonly WrittenAgent[]): readonly StartupFault[] {
  return agents.flatMap((agent) => {
    const { definition } = agent;
    if (definition.kind !== 'remote' || URL.canParse(definition.agentCardUrl)) return [];
    return [faultAt(agent, 'agentCardUrl', 'is no address; check its host and its port')];
  });
}

/** Every name that a team uses must be there, and no team may hold itself (contract/agents.md#definitions). */
export function teamFaults(agents: readonly WrittenAgent[]): readonly StartupFault[] {
  const byName = new Map(agents.map((agent) => [agent.definition.name, agent]));
  const names = [...byName.keys()];
  return agents.flatMap((agent): readonly StartupFault[] => {
    const { definition } = agent;
    if (definition.kind !== 'team') return [];
    const { members, options } = definition;
    const unknown = (path: string, name: string): StartupFault =>
      faultAt(agent, path, {
        message: `"${name}" is no agent; there is ${listed(names)}`,
        meant: nearestName(name, names),
      });
    const notMember = (path: string, name: string): StartupFault =>
      faultAt(agent, path, {
        message: `"${name}" is no member of the team; members are ${listed(members)}`,
        meant: nearestName(name, members),
      });
    const { manager = 'roundRobin', start, handoffs = [] } = options;
    const leads = manager === 'roundRobin' ? undefined : byName.get(manager);
    return [
      ...members.flatMap((name, index) => (byName.has(name) ? [] : [unknown(`members[${String(index)}]`, name)])),
      ...(holdsItself(definition.name, byName)
        ? [faultAt(agent, 'members', 'the team is a member of itself, by way of its members')]
        : []),
      ...(manager !== 'roundRobin' && leads === undefined ? [unknown('options.manager', manager)] : []),
      ...(leads !== undefined && leads.definition.kind !== 'specialist'
        ? [faultAt(agent, 'options.manager', `"${manager}" is no specialist, and only a specialist can lead`)]
        : []),
      ...(start !== undefined && !members.includes(start) ? [notMember('options.start', start)] : []),
      ...handoffs.flatMap(({ from, to }, index) => {
        const at = `options.handoffs[${String(index)}]`;
        return [
          ...(members.includes(from) ? [] : [notMember(`${at}.from`, from)]),
          ...(members.includes(to) ? [] : [notMember(`${at}.to`, to)]),
        ];
      }),
    ];
  });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
}

function holdsItself(name: string, byName: ReadonlyMap<string, WrittenAgent>): boolean {
  const seen = new Set<string>();
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const definition = byName.get(next)?.definition;
    const members = definition?.kind === 'team' ? definition.members : [];
    if (members.includes(name)) return true;
    for (const member of members) {
      if (!seen.has(member)) waiting.push(member);
      seen.add(member);
    }
  }
  return false;
}
