import { mayRead, readerOf } from '../../core/identity/may-read.ts';
import type { RemoteAgentBoard } from '../../core/ports/remote-agent.ts';
import type { ConnectionHubEvents, RemoteAgentState } from '../../wire/hub-events.ts';
import type { HubSession } from './hub-session.ts';
import type { HubConnection } from './protocol/connection/hub-connection.ts';

/** Tells each connection how the remote agents are doing that its user may reach (contract/events.md#events-of-the-connection). */
export class RemoteAgentNews {
  readonly #board: RemoteAgentBoard | undefined;
  readonly #open = new Map<HubSession, { readonly connection: HubConnection; told: string }>();

  constructor(board: RemoteAgentBoard | undefined) {
    this.#board = board;
    board?.onChange(() => {
      for (const hub of this.#open.keys()) this.#tell(hub);
    });
  }

  join(hub: HubSession, connection: HubConnection): void {
    if (this.#board === undefined) return;
    // A connection that was told of no agent knows that there is none.
    this.#open.set(hub, { connection, told: '[]' });
    this.#tell(hub);
  }

  leave(hub: HubSession): void {
    this.#open.delete(hub);
  }

  #tell(hub: HubSession): void {
    const open = this.#open.get(hub);
    if (open === undefined) return;
    const agents = this.#agentsFor(hub);
    const told = JSON.stringify(agents);
    if (told === open.told) return;
    open.told = told;
    open.connection.sendEvent('RemoteAgentStatusChanged', {
      agents,
    } satisfies ConnectionHubEvents['RemoteAgentStatusChanged']);
  }

  #agentsFor({ session }: HubSession): readonly RemoteAgentState[] {
    const reader = readerOf(session.principal);
    const shown = this.#board?.shown() ?? [];
    return shown
      .filter((agent) => mayRead(agent, reader))
      .map(({ name, agentCardUrl, status }) => ({ name, agentCardUrl, status }));
  }
}
