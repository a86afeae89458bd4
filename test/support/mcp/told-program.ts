import { ask } from '../ask.ts';

/** The older revision names no question. The newer one names the question of its call when it calls again. */
export type Revision = '2025-06-18' | '2026-07-28';

/** A call of a tool, and the question that it comes back about. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
  readonly revision: Revision;
  /** Only for the newer revision. */
  readonly state?: string | undefined;
}

/** What is sent to `POST /mcp`. */
export interface ProgramRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'program', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
};

/** What a program with this token sends for a call. It keeps no session, so any process can answer it. */
export function requestOf(token: string, { name, arguments: given, revision, state }: ToolCall): ProgramRequest {
  const isNewer = revision === '2026-07-28';
  const params = {
    ...{ name, arguments: given },
    ...(isNewer ? { _meta: meta } : {}),
    ...(state === undefined ? {} : { requestState: state }),
  };
  return {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isNewer ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** Calls a tool. Resolves with the answer as it was sent. */
export async function called(url: string, token: string, call: ToolCall): Promise<string> {
  return (await ask(url, 'POST /mcp', requestOf(token, call))).body;
}

/** The question that the answer to a newer call names. */
export function stateIn(answer: string): string | undefined {
  return /"requestState":"([^"]+)"/.exec(answer)?.[1];
}
