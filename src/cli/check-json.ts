import type { IssuerTrial, ModelTrial, ServerReport } from '../app.ts';
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
  readonly models: readonly {
    /** The entry of `models`. */
    readonly name: string;
    readonly kind: string;
    /** `plugin` for a model of a plugin. */
    readonly provider: string;
    /** Null where a package or a plugin decides. */
    readonly model: string | null;
    /** For people: `chat completions`. */
    readonly speaks: string;
    /** The address without a query; null where a package knows it, or nothing is called. */
    readonly at: string | null;
    /** The package or the plugin through which it is spoken to; else null. */
    readonly over: string | null;
    /** What it has answered; null without `--online`. */
    readonly online: Omit<ModelTrial, 'name'> | null;
  }[];
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
    /** Whether a rule, or "do not ask again", can spare its question, and what to declare; null where nothing can, or it does not ask. */
    readonly unasked: { readonly rule: boolean; readonly choice: boolean; readonly declare: readonly string[] } | null;
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
  /** How requests leave the server; null where there are faults. */
  readonly network: {
    /** Without user and password. `of` is the scheme of the requests; `from` is `network.proxy` or a variable of the environment. */
    readonly proxies: readonly { readonly of: string; readonly address: string; readonly from: string }[];
    readonly noProxy: readonly string[];
    /** How many roots are trusted beside those of Node.js. */
    readonly roots: number;
  } | null;
  /** What the tools weigh that the model is told of; null where there are faults. Those of MCP servers are not known. */
  readonly toolWeight: {
    readonly count: number;
    /** Estimated. */
    readonly tokens: number;
    readonly bytes: number;
    /** Of the context window, from 0; null where it is not known. */
    readonly share: number | null;
  } | null;
  /** What each issuer of tokens publishes, and what its tokens must have; null without `--online`. */
  readonly signIn: readonly IssuerTrial[] | null;
}

/** A check's result in the form that programs read. */
export function checkJson(result: CheckResult): CheckJson {
  if (!result.ok) return faultsJson(result.faults);
  const { warnings, models, actions, agents, skills, mcpServers, endpoints, network, toolWeight } = result.report;
  const { trials = [], issuers } = result;
  return {
    ok: true,
    faults: [],
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    models: models.map((model) => modelJson(model, trials)),
    actions: actions.map(actionJson),
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
    network,
    toolWeight: weightJson(toolWeight),
    signIn: issuers?.map(issuerJson) ?? null,
  };
}

function weightJson({ count, tokens, bytes, share }: ServerReport['toolWeight']): NonNullable<CheckJson['toolWeight']> {
  return { count, tokens, bytes, share };
}

function issuerJson({ entry, ok, keys, token }: IssuerTrial): IssuerTrial {
  return { entry, ok, keys, token };
}

function faultsJson(found: Extract<CheckResult, { readonly ok: false }>['faults']): CheckJson {
  const faults = found.map(({ file, line, column, path, message, suggestion }) => ({
    file,
    line: line ?? null,
    column: column ?? null,
    path,
    message,
    suggestion: suggestion ?? null,
  }));
  const nothing = { warnings: [], models: [], actions: [], agents: [], skills: [], mcpServers: [], endpoints: [] };
  return { ok: false, faults, ...nothing, network: null, toolWeight: null, signIn: null };
}

function modelJson(
  { name, kind, provider, model, speaks, at, over }: ServerReport['models'][number],
  trials: readonly ModelTrial[],
): CheckJson['models'][number] {
  const trial = trials.find((one) => one.name === name);
  return { name, kind, provider, model, speaks, at, over, online: trial === undefined ? null : trialJson(trial) };
}

function trialJson({
  ok,
  said,
  inputTokens,
  outputTokens,
  dimensions,
  durationMs,
  fault,
}: ModelTrial): Omit<ModelTrial, 'name'> {
  return { ok, said, inputTokens, outputTokens, dimensions, durationMs, fault };
}

/** An action with exactly the members that programs read. */
function actionJson(action: CheckJson['actions'][number]): CheckJson['actions'][number] {
  const { name, source, from, readOnly, asks, reason, roles, agent, tenants, trusted, sinks, unasked } = action;
  return { name, source, from, readOnly, asks, reason, roles, agent, tenants, trusted, sinks, unasked };
}
