import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type {
  DirectCall,
  DirectCaller,
  EndedOutcome,
  OfferedAction,
  WaitingQuestion,
} from '../../core/direct/direct-call.ts';
import type { DirectCalls } from '../../core/direct/direct-calls.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Skill } from '../../core/ports/skill-source.ts';
import { asObject } from '../shared/as-object.ts';
import { wellFormedTrace } from '../shared/trace-context.ts';
import type { AskedLevels } from './asked-levels.ts';
import { callLogs, levelIn, type McpLogs } from './call-logs.ts';
import { isUrlCapable, nameOfProgram } from './client-abilities.ts';
import type { SharedSkills } from './shared-skills.ts';

/** What answers a request over MCP. */
export interface McpServerOptions {
  readonly direct: DirectCalls;
  /** `appName` and the version of this server, as clients show them. */
  readonly info: { readonly name: string; readonly version: string };
  readonly skills: SharedSkills;
  /** How callers are sent what actions log. Undefined: they are not. */
  readonly logs: McpLogs | undefined;
  readonly askedLevels: AskedLevels;
  readonly log: Logger;
  /** How users are asked on a page. Undefined: they are not. */
  readonly confirmations:
    | {
        /** The path of the page of a question, below the address of the server. */
        readonly pathOf: (actionId: string) => string;
        /** What a client shows its user beside the address. */
        readonly messageOf: (title: string) => string;
      }
    | undefined;
}

/** A request over MCP, as far as it is not a message. */
export interface McpRequest {
  readonly caller: DirectCaller;
  /** Whether the client speaks the revision 2026-07-28 or an older one. */
  readonly era: McpRequestContext['era'];
  /** Whether the client of an older revision has said that it can open addresses for its user. */
  readonly opensAddresses: boolean;
  /** The session id that the client has sent. Never trusted. */
  readonly sessionId: unknown;
  /** The address of the root of this server's endpoints. */
  readonly address: string;
}

/** How long a client may keep a list of tools, in milliseconds. Roles and callbacks change it at any moment. */
const listKeptMs = 0;

/** The name of the question among the input that a client is asked for. There is never another. */
const inputName = 'confirmation';

/** The tools of a caller, as its client is told them now. */
export async function toolsOf(direct: Pick<DirectCalls, 'offered'>, caller: DirectCaller): Promise<Tool[]> {
  const offered = await direct.offered(caller);
  return offered.map(toolOf);
}

/** The MCP server for one request of one caller (contract/mcp-server.md). */
export function mcpServer(options: McpServerOptions, request: McpRequest): McpServer {
  const { direct, info, askedLevels } = options;
  const { caller, era } = request;
  const logs = era === 'modern' || options.logs?.keepsLevels === true ? options.logs : undefined;
  // Only the newer revision has a stream without a session, on which a change can be told.
  const tools = { listChanged: era === 'modern' };
  const mcp = new McpServer(
    { ...info },
    {
      capabilities: { tools, ...(logs === undefined ? {} : { logging: {} }) },
      inputRequired: { legacyShim: false },
    },
  );
  // The level below: actions have plain JSON Schemas, and each caller is offered others.
  const { server } = mcp;
  server.setRequestHandler('tools/list', async () => ({
    tools: await toolsOf(direct, caller),
    ttlMs: listKeptMs,
    cacheScope: 'private',
  }));
  if (logs !== undefined && era === 'legacy') {
    server.setRequestHandler('logging/setLevel', ({ params }) => {
      askedLevels.ask(request.sessionId, params.level);
      return {};
    });
  }
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const asked = era === 'modern' ? levelIn(mcpReq) : askedLevels.of(request.sessionId);
    const logged = logs && callLogs(logs, { action: params.name, asked, mcpReq });
    const traceparent = caller.traceparent ?? wellFormedTrace(textOf(params._meta?.['traceparent']));
    const program = programOf(mcpReq) ?? caller.program;
    const outcome = await direct.call({ ...callOf(params, mcpReq), logged }, { ...caller, traceparent, program });
    if (outcome === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    if (outcome.status === 'unknown-question')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState is not one of this call.');
    return 'question' in outcome ? asking(outcome.question, { options, request, mcpReq }) : resultOf(outcome);
  });
  const skills = direct.skills(caller);
  if (skills !== undefined) shareSkills(mcp, skills, options);
  return mcp;
}

/** A call as the client has written it. */
function callOf(
  { name, arguments: argumentsValue = {}, _meta: meta = {} }: CallToolRequest['params'],
  mcpReq: ServerContext['mcpReq'],
): DirectCall {
  const { progressToken } = meta;
  let told = 0;
  return {
    name,
    argumentsValue,
    signal: mcpReq.signal,
    progress: (message) => {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      told += 1;
      const notification = { progressToken, progress: told, message };
      // A caller who has gone reads nothing any more.
      mcpReq.notify({ method: 'notifications/progress', params: notification }).catch(() => undefined);
    },
    ...saidOfQuestion(mcpReq),
  };
}

/** The skills that the caller may see, by the protocol's extension for skills. */
function shareSkills(
  mcp: McpServer,
  offered: () => Promise<readonly Skill[]>,
  { skills, log }: McpServerOptions,
): void {
  const extension = new SkillsExtension({
    source: skills.of(offered),
    cacheHint: { ttlMs: listKeptMs, cacheScope: 'private' },
    onWarning: ({ path, message }) => {
      log.debug({ path, reason: message }, 'a skill is offered over MCP with a fault');
    },
  });
  extension.attach(mcp);
}

/** What the client says of the question that it was sent for an earlier call. */
function saidOfQuestion({
  requestState,
  inputResponses,
}: ServerContext['mcpReq']): Pick<DirectCall, 'question' | 'reply'> {
  const question = textOf(requestState());
  if (question === undefined) return {};
  const response: unknown = inputResponses?.[inputName];
  const action =
    typeof response === 'object' && response !== null && 'action' in response ? response.action : undefined;
  if (action === 'decline') return { question, reply: 'declined' };
  if (action === 'cancel') return { question, reply: 'dismissed' };
  // A client that sends the state alone was sent the state alone, after its user had opened the page.
  return { question, reply: 'opened' };
}

/**
 * Has the client ask its user, in the way of its revision: as input that the call needs, as the error that names an address, or in words
 * for its model where it can do neither.
 * @throws UrlElicitationRequiredError
 */
function asking(
  { actionId, title, isOpened, repeats }: WaitingQuestion,
  {
    options: { confirmations },
    request: { address, opensAddresses },
    mcpReq,
  }: { readonly options: McpServerOptions; readonly request: McpRequest; readonly mcpReq: ServerContext['mcpReq'] },
): CallToolResult | InputRequiredResult {
  if (confirmations === undefined) throw new Error('a question was put although nobody can be asked');
  const url = `${address}${confirmations.pathOf(actionId)}`;
  const message = confirmations.messageOf(title);
  if (mcpReq.envelope === undefined && opensAddresses) {
    throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: actionId, url, message }], message);
  }
  if (isUrlCapable(capabilitiesOf(mcpReq))) {
    // Whoever has opened the page is not asked to open it again.
    if (isOpened) return inputRequired({ requestState: actionId });
    const inputRequests = { [inputName]: inputRequired.elicitUrl({ url, message }) };
    return inputRequired({ inputRequests, requestState: actionId });
  }
  const told = `The user has to confirm this action on a page before it runs. ${changedText(repeats)} Have the user open ${url} and then call the action again with the same arguments. That call gets the outcome.`;
  return { content: [{ type: 'text', text: told }], isError: true };
}

/** What the action has changed already, where the same was done before this call. */
function changedText(repeats: WaitingQuestion['repeats']): string {
  if (repeats === undefined) return 'Nothing was changed yet.';
  const at = new Date(repeats.at).toISOString();
  const what = {
    done: `was done at ${at}`,
    tried: `was tried at ${at} and may have taken effect`,
    open: `is running since ${at}`,
  };
  return `This call has changed nothing yet, but the same ${what[repeats.state]}: ask the user whether it is wanted once more.`;
}

/** What a client of the newer era calls itself. */
function programOf({ envelope }: ServerContext['mcpReq']): string | undefined {
  const info: unknown = envelope === undefined ? undefined : Reflect.get(envelope, CLIENT_INFO_META_KEY);
  return nameOfProgram(asObject(info));
}

/** What a client of the newer era says with each request that it can do. */
function capabilitiesOf({ envelope }: ServerContext['mcpReq']): unknown {
  return envelope === undefined ? undefined : Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY);
}

function toolOf({ name, title, description, parameters, readOnly, asks, destructive }: OfferedAction): Tool {
  return {
    name,
    title,
    description: asks ? `${description}\nThe user is asked to confirm before it runs.`.trim() : description,
    inputSchema: { ...parameters, type: 'object' },
    annotations: { title, readOnlyHint: readOnly, ...(asks ? { destructiveHint: destructive } : {}) },
  };
}

/** A result in its parts, else as text, and as data where it is an object: clients of the older revisions read objects alone. */
function resultOf(outcome: EndedOutcome): CallToolResult {
  if ('told' in outcome) {
    return { content: [{ type: 'text', text: outcome.told }], isError: outcome.status !== 'succeeded' };
  }
  const { text, data, content } = outcome;
  if (content !== undefined) return { content: content.map((part) => ({ ...part })) };
  return { content: [{ type: 'text', text }], ...(data === undefined ? {} : { structuredContent: { ...data } }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
