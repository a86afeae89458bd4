import { isDeepStrictEqual } from 'node:util';
import { shownAddress } from '../../adapters/a2a-client/agent-address.ts';
import type { A2aAgent } from '../../adapters/a2a-client/a2a-agent.ts';
import type { RemoteAgentDefinition } from '../../core/agents/agent-definition.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RemoteAgent, RemoteAgentBoard, ShownRemoteAgent } from '../../core/ports/remote-agent.ts';
import type { Resource } from '../open-resources.ts';

interface OpenAgent {
  readonly definition: RemoteAgentDefinition;
  /** The address as clients may see it. */
  readonly address: string;
  readonly agent: A2aAgent;
}

/** The agents on other servers, as the definitions name them now (contract/agents.md#remote-agents). */
export class RemoteAgents implements RemoteAgentBoard, Resource {
  readonly name = 'remote agents';
  readonly #log: Logger;
  readonly #listeners: (() => void)[] = [];
  #open: ReadonlyMap<string, OpenAgent> = new Map();
  /** The agent that was asked for last before it came into use. */
  #prepared: OpenAgent | undefined;
  #using: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * From now on, these agents are there. Their cards are fetched in the background. An agent whose address and headers stay as they were
   * stays connected. A reply that is under way goes on, even of an agent that is not there any more.
   * @throws TypeError where an address or a header is not one of HTTP. The agents stay as they were.
   */
  use(definitions: readonly RemoteAgentDefinition[]): Promise<void> {
    // One change after the other, so that the last list is the one that stays.
    const used = this.#using.then(() => this.#use(definitions));
    this.#using = used.catch(() => undefined);
    return used;
  }

  /**
   * The agent that such a definition describes, before it is in use: the one that `use` will take for the same definition.
   * @throws TypeError where an address or a header is not one of HTTP.
   */
  async prepare(definition: RemoteAgentDefinition): Promise<RemoteAgent> {
    const [prepared] = (await this.#opened([definition])).values();
    if (prepared === undefined) throw new Error('no agent was prepared');
    this.#prepared = prepared;
    return prepared.agent;
  }

  /** The agent of this name. A turn that holds it may ask it to the end of the turn. */
  of(name: string): RemoteAgent | undefined {
    return this.#open.get(name)?.agent;
  }

  shown(): readonly ShownRemoteAgent[] {
    return [...this.#open.values()].map(({ definition: { name, requiredRoles }, address, agent }) => ({
      name,
      agentCardUrl: address,
      status: agent.status,
      requiredRoles,
    }));
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const prepared = this.#prepared === undefined ? [] : [this.#prepared];
    await Promise.all([...this.#open.values(), ...prepared].map(({ agent }) => agent.close()));
  }

  async #use(definitions: readonly RemoteAgentDefinition[]): Promise<void> {
    const now = definitions.length === 0 ? new Map<string, OpenAgent>() : await this.#opened(definitions);
    if (this.#isClosed) return;
    const before = this.#open;
    this.#open = now;
    this.#prepared = undefined;
    const kept = new Set([...now.values()].map(({ agent }) => agent));
    for (const { agent } of before.values()) if (!kept.has(agent)) agent.retire();
    for (const agent of kept) agent.open();
    this.#changed();
  }

  async #opened(definitions: readonly RemoteAgentDefinition[]): Promise<ReadonlyMap<string, OpenAgent>> {
    // The SDK of the protocol is loaded only for those who have a remote agent.
    const { A2aAgent } = await import('../../adapters/a2a-client/a2a-agent.ts');
    const opened = definitions.map((definition): OpenAgent => {
      const { name, agentCardUrl, headers } = definition;
      const former = [this.#open.get(name), this.#prepared].find(
        (known) => known?.definition.name === name && isReachedAlike(known.definition, definition),
      );
      if (former !== undefined) return { ...former, definition };
      const statusChanged = (): void => this.#changed();
      const agent = new A2aAgent({ name, agentCardUrl, headers, log: this.#log, statusChanged });
      return { definition, address: shownAddress(agentCardUrl), agent };
    });
    return new Map(opened.map((agent) => [agent.definition.name, agent]));
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isReachedAlike(one: RemoteAgentDefinition, other: RemoteAgentDefinition): boolean {
  return isDeepStrictEqual([one.agentCardUrl, one.headers], [other.agentCardUrl, other.headers]);
}
