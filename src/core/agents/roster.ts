import { mayRead, type Reader } from '../identity/may-read.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { RemoteAgent } from '../ports/remote-agent.ts';
import type { RemoteAgentDefinition, SpecialistDefinition, TeamDefinition } from './agent-definition.ts';
import { noAgents, OfferedAgents } from './offered-agents.ts';

/** An agent that requests may be handed over to, with what it needs to answer. */
export type RosterAgent =
  | { readonly definition: SpecialistDefinition; readonly model: ChatModel }
  /** `model` writes what no member writes, such as the choice of the next speaker. */
  | { readonly definition: TeamDefinition; readonly model: ChatModel }
  | { readonly definition: RemoteAgentDefinition; readonly remote: RemoteAgent };

/** The agents of one configuration, beside the coordinator. */
export class Roster {
  readonly #agents: ReadonlyMap<string, RosterAgent>;
  /** What users are offered. Each key is the names of the offered agents. */
  readonly #offered = new Map<string, OfferedAgents>();
  #withoutRemotes: Roster | undefined;

  constructor(agents: readonly RosterAgent[]) {
    this.#agents = new Map(agents.map((agent) => [agent.definition.name, agent]));
  }

  find(name: string): RosterAgent | undefined {
    return this.#agents.get(name);
  }

  /** The agents whose work stays in this server: no remote agent, and no team that has one among its members. */
  get withoutRemotes(): Roster {
    this.#withoutRemotes ??= new Roster(
      [...this.#agents.values()].filter(({ definition }) => !this.#reaches(definition)),
    );
    return this.#withoutRemotes;
  }

  /**
   * The agents that this user may reach, without the agent that asks. Users who may reach the same agents get the same object.
   */
  offeredTo(reader: Reader, asking?: string): OfferedAgents {
    if (this.#agents.size === 0) return noAgents;
    const definitions = [...this.#agents.values()].map(({ definition }) => definition);
    const reachable = definitions.filter((definition) => definition.name !== asking && mayRead(definition, reader));
    const key = reachable.map(({ name }) => name).join('/');
    const known = this.#offered.get(key);
    if (known !== undefined) return known;
    const offered = new OfferedAgents(reachable);
    this.#offered.set(key, offered);
    return offered;
  }

  /** Whether the agent is on another server, or a team that has such an agent among its members. */
  #reaches(definition: RosterAgent['definition']): boolean {
    if (definition.kind !== 'team') return definition.kind === 'remote';
    return [...definition.members, definition.options.manager].some((name) => {
      const member = this.#agents.get(name);
      return member !== undefined && this.#reaches(member.definition);
    });
  }
}
