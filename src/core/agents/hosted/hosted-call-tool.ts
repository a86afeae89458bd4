import type { ServerTexts } from '../../language/server-texts.ts';
import type { ApprovalWanted, HostedServer } from '../../ports/hosted-tools.ts';
import { isAllowedTool, needsApproval } from '../../tools/hosted-approval.ts';
import { hostedMcpTitle } from '../../tools/hosted-name.ts';
import type { ArgumentCheck, Tool, ToolResult } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';

/** The longest time, in milliseconds, that a timer can wait. What the call waits for has its own limits. */
const endlessMs = 2 ** 31 - 1;

/** What a call of the provider is made with. */
export interface HostedCallScope {
  /** The name of the tool in events and in the journal. */
  readonly name: string;
  readonly wanted: ApprovalWanted;
  readonly servers: readonly HostedServer[];
  readonly texts: Pick<ServerTexts, 'hostedDescription'>;
  /** Whether an earlier process may have sent the approval. */
  readonly wasSent: () => boolean;
  /** Whether the provider can know nothing of the approval. */
  readonly isUntouched: () => boolean;
  /** Gives the approval, and waits for what the provider says of its call. */
  readonly run: () => Promise<ToolResult>;
}

/**
 * The toolbox of one call that the provider makes once it is approved. The tool of the call is checked and run like any other tool. The
 * toolbox is empty if the configuration does not have the server or the tool, so that the call is refused.
 */
export function hostedCallToolbox(scope: HostedCallScope): Toolbox {
  const { servers, wanted } = scope;
  const server = servers.find(({ name }) => name === wanted.server);
  if (server === undefined || !isAllowedTool(server, wanted.tool)) return new Toolbox([]);
  return new Toolbox([hostedCallTool(scope, server)]);
}

function hostedCallTool(scope: HostedCallScope, server: HostedServer): Tool {
  const { name, wanted, texts, wasSent, isUntouched, run } = scope;
  return {
    name,
    title: hostedMcpTitle({ server: server.name, name: wanted.tool }),
    description: server.description ?? texts.hostedDescription.replace('{server}', () => server.name),
    parameters: { type: 'object', additionalProperties: true },
    source: 'hosted',
    readOnly: undefined,
    requiresConfirmation: needsApproval(server, wanted.tool),
    editable: false,
    requiredRoles: [],
    timeoutMs: endlessMs,
    owner: `hosted:${server.name}`,
    // An approval that was not sent has done nothing: the next process may send it.
    get repeatable() {
      return !wasSent();
    },
    isUntouched,
    checkArguments,
    execute: run,
  };
}

/** Only checks that the arguments are an object. The server of the tool checks the rest, because only the provider knows the schema. */
function checkArguments(value: unknown): ArgumentCheck {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, faults: ['the arguments are no object'] };
  }
  return { ok: true, value: Object.fromEntries(Object.entries(value)) };
}
