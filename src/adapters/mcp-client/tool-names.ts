import { createHash } from 'node:crypto';
import { toolNameFault } from '../../core/tools/tool-name.ts';

const longestName = 64;

/** Characters of an agent and its server in the name of a tool, so that the name of the tool itself fits behind them. */
const longestOwner = 30;

/** Most names that one process gives to tools of MCP servers: names are labels of metrics, and servers may make up new ones without end. */
const mostNames = 2_000;

/** A tool to be named. `isOwn`: only one agent has its server, and the tool always has the name of both before its own. */
interface WantedName {
  readonly server: string;
  readonly tool: string;
  readonly isOwn?: boolean;
}

/**
 * The names of the tools of MCP servers in this server (contract/mcp-servers.md#tools). A tool keeps its name for as long as nobody who
 * comes before it wants the name.
 */
export class ToolNames {
  readonly #given = new Map<string, string>();
  readonly #ever = new Set<string>();

  /** Names tools, the first of which come first. A tool without a name cannot be offered: too many names were given already. */
  name<Named extends WantedName>(wanted: readonly Named[], taken: ReadonlySet<string>): ReadonlyMap<Named, string> {
    const used = new Set(taken);
    const names = new Map<Named, string>();
    const give = (named: Named, name: string): void => {
      used.add(name);
      names.set(named, name);
      this.#given.set(keyOf(named), name);
      this.#ever.add(name);
    };
    for (const named of wanted) {
      const former = this.#given.get(keyOf(named));
      if (former !== undefined && !used.has(former)) give(named, former);
    }
    for (const named of wanted) {
      if (names.has(named)) continue;
      const name = freeName(named, used);
      if (this.#ever.has(name) || this.#ever.size < mostNames) give(named, name);
    }
    return names;
  }
}

function keyOf({ server, tool }: WantedName): string {
  return JSON.stringify([server, tool]);
}

function freeName({ server, tool, isOwn = false }: WantedName, used: ReadonlySet<string>): string {
  // A name that another agent's server may have taken first would depend on which of them has answered first.
  const plain = !isOwn && toolNameFault(tool) === undefined ? tool : undefined;
  if (plain !== undefined && !used.has(plain)) return plain;
  const joined = `${isOwn ? shortOwner(server) : server}__${tool}`
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .slice(0, longestName);
  const base = toolNameFault(joined) === undefined ? joined : `mcp_${joined}`.slice(0, longestName);
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${String(number)}`;
    const name = `${base.slice(0, longestName - end.length)}${end}`;
    if (!used.has(name)) return name;
  }
}

/** An agent and its server. A digest tells apart what is alike once it is cut, or once its letters are underscores. */
function shortOwner(server: string): string {
  if (server.length <= longestOwner && /^[\x20-\x7e]+$/.test(server)) return server;
  const digest = createHash('sha256').update(server).digest('hex').slice(0, 8);
  return `${server.slice(0, longestOwner - digest.length - 1)}_${digest}`;
}
