import { toolNameFault } from '../../core/tools/tool-name.ts';

const longestName = 64;

/** Most names that one process gives to tools of MCP servers: names are labels of metrics, and servers may make up new ones without end. */
const mostNames = 2_000;

/**
 * The names of the tools of MCP servers in this server (contract/mcp-servers.md#tools). A tool keeps its name for as long as nobody who
 * comes before it wants the name.
 */
export class ToolNames {
  readonly #given = new Map<string, string>();
  readonly #ever = new Set<string>();

  /** Names tools, the first of which come first. A tool without a name cannot be offered: too many names were given already. */
  name<Named extends { readonly server: string; readonly tool: string }>(
    wanted: readonly Named[],
    taken: ReadonlySet<string>,
  ): ReadonlyMap<Named, string> {
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

function keyOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([server, tool]);
}

function freeName(
  { server, tool }: { readonly server: string; readonly tool: string },
  used: ReadonlySet<string>,
): string {
  const own = toolNameFault(tool) === undefined ? tool : undefined;
  if (own !== undefined && !used.has(own)) return own;
  const joined = `${server}__${tool}`
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
