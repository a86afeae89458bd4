import type { CheckResult } from './check-result.ts';

interface JsonFault {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly path: string;
  readonly message: string;
  readonly suggestion: string | null;
}

/** What `helper check --json` prints (contract/configuration.md#commands). Every member is always there. */
export interface CheckJson {
  readonly ok: boolean;
  readonly faults: readonly JsonFault[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly actions: readonly {
    readonly name: string;
    readonly source: string;
    /** `plugin NAME` or `callback NAME`. */
    readonly from: string;
    readonly readOnly: boolean;
    readonly asks: boolean;
    readonly reason: string | null;
    readonly roles: readonly string[];
    /** The specialist that alone has it; else null. */
    readonly agent: string | null;
    readonly tenants: readonly string[];
    readonly trusted: boolean;
    /** Parameters that say where something goes. */
    readonly sinks: readonly string[];
  }[];
  readonly agents: readonly {
    readonly name: string;
    /** `specialist`, `team` or `remote`; for the `coordinator`, the agent that answers, `remote` or `plugin`. */
    readonly kind: string;
    /** The mode of a team; else null. */
    readonly mode: string | null;
    /** Its file, `helper.yaml`, or `plugin NAME`. */
    readonly from: string;
    readonly tools: readonly string[];
    readonly members: readonly string[];
    readonly roles: readonly string[];
    /** Its entry of `models`; null for teams and remote agents. */
    readonly model: string | null;
    readonly version: string;
  }[];
  readonly skills: readonly {
    readonly name: string;
    /** Its folder, or `plugin NAME`. */
    readonly from: string;
    readonly roles: readonly string[];
    readonly tenants: readonly string[];
  }[];
  readonly mcpServers: readonly {
    readonly name: string;
    /** Its address without a query, or its program. */
    readonly target: string;
    /** `http` or `stdio`. */
    readonly transport: string;
    readonly asksAlways: boolean;
    /** The tools that are taken; null: all. */
    readonly allowedTools: readonly string[] | null;
    readonly roles: readonly string[];
    readonly tenants: readonly string[];
  }[];
  readonly endpoints: readonly { readonly path: string; readonly exposure: string }[];
}

/** A check's result in the form that programs read. */
export function checkJson(result: CheckResult): CheckJson {
  const nothing = { warnings: [], actions: [], agents: [], skills: [], mcpServers: [], endpoints: [] };
  if (!result.ok) {
    const faults = result.faults.map(({ file, line, column, path, message, suggestion }) => ({
      file,
      line: line ?? null,
      column: column ?? null,
      path,
      message,
      suggestion: suggestion ?? null,
    }));
    return { ok: false, faults, ...nothing };
  }
  const { warnings, actions, agents, skills, mcpServers, endpoints } = result.report;
  return {
    ok: true,
    faults: [],
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    actions: actions.map(({ name, source, from, readOnly, asks, reason, roles, agent, tenants, trusted, sinks }) => ({
      name,
      source,
      from,
      readOnly,
      asks,
      reason,
      roles,
      agent,
      tenants,
      trusted,
      sinks,
    })),
    agents: agents.map(({ name, kind, mode, from, tools, members, roles, model, version }) => ({
      name,
      kind,
      mode,
      from,
      tools,
      members,
      roles,
      model,
      version,
    })),
    skills: skills.map(({ name, from, roles, tenants }) => ({ name, from, roles, tenants })),
    mcpServers: mcpServers.map(({ name, target, transport, asksAlways, allowedTools, roles, tenants }) => ({
      name,
      target,
      transport,
      asksAlways,
      allowedTools,
      roles,
      tenants,
    })),
    endpoints: endpoints.map(({ path, exposure }) => ({ path, exposure })),
  };
}
