import { mayRead, readerOf } from '../../core/identity/may-read.ts';
import type { McpServerBoard } from '../../core/ports/mcp-servers.ts';
import type { RemoteAgentBoard } from '../../core/ports/remote-agent.ts';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { HubSession } from './hub-session.ts';
import type { HubConnection } from './protocol/connection/hub-connection.ts';

type StatusEvent = 'RemoteAgentStatusChanged' | 'McpStatusChanged';

/** How some parts of the server are doing, as one user may be told of it. */
interface Board<Event extends StatusEvent> {
  readonly event: Event;
  onChange(listener: () => void): void;
  of(hub: HubSession): { readonly isEmpty: boolean; readonly fields: ConnectionHubEvents[Event] };
}

/** Tells each connection how the parts of a board are doing that its user may reach (contract/events.md#events-of-the-connection). */
export class StatusNews<Event extends StatusEvent> {
  readonly #board: Board<Event>;
  /** With what each connection was told last. Left out, it knows of none. */
  readonly #open = new Map<HubSession, { readonly connection: HubConnection; told: string | undefined }>();

  constructor(board: Board<Event>) {
    this.#board = board;
    board.onChange(() => {
      for (const hub of this.#open.keys()) this.#tell(hub);
    });
  }

  join(hub: HubSession, connection: HubConnection): void {
    this.#open.set(hub, { connection, told: undefined });
    this.#tell(hub);
  }

  leave(hub: HubSession): void {
    this.#open.delete(hub);
  }

  #tell(hub: HubSession): void {
    const open = this.#open.get(hub);
    if (open === undefined) return;
    const { isEmpty, fields } = this.#board.of(hub);
    const told = JSON.stringify(fields);
    if (told === open.told || (isEmpty && open.told === undefined)) return;
    open.told = told;
    open.connection.sendEvent(this.#board.event, fields);
  }
}

/** The agents on other servers. */
export function remoteAgentNews(board: RemoteAgentBoard): StatusNews<'RemoteAgentStatusChanged'> {
  return new StatusNews({
    event: 'RemoteAgentStatusChanged',
    onChange: (listener) => {
      board.onChange(listener);
    },
    of: (hub) => {
      const reader = readerOf(hub.session.principal);
      const agents = board
        .shown()
        .filter((agent) => mayRead(agent, reader))
        .map(({ name, agentCardUrl, status }) => ({ name, agentCardUrl, status }));
      return { isEmpty: agents.length === 0, fields: { agents } };
    },
  });
}

/** The MCP servers that this server connects to. */
export function mcpNews(board: McpServerBoard): StatusNews<'McpStatusChanged'> {
  return new StatusNews({
    event: 'McpStatusChanged',
    onChange: (listener) => {
      board.onChange(listener);
    },
    of: (hub) => {
      const reader = readerOf(hub.session.principal);
      const servers = board
        .shown()
        .filter((server) => mayRead(server, reader))
        .map(({ name, status, toolCount, error }) => ({
          name,
          status,
          toolCount,
          ...(error === undefined ? {} : { error }),
        }));
      return { isEmpty: servers.length === 0, fields: { servers } };
    },
  });
}
