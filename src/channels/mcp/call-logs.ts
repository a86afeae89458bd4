import type { ServerContext } from '@modelcontextprotocol/server';
import type { DirectCall } from '../../core/direct/direct-call.ts';
import type { LogLine } from '../../core/ports/logger.ts';

/** How callers are sent what an action logs while it runs for them (contract/mcp-server.md#logs). */
export interface McpLogs {
  /** The lowest level that is sent. */
  readonly level: LogLine['level'];
  /** A line as the log has it, as the JSON of an object. */
  readonly written: (line: LogLine) => string;
  /** Whether the level that a client of an older revision has asked for is known to all who serve it. */
  readonly keepsLevels: boolean;
}

/** The most lines of one call, and the most characters of all of them together. */
const most = { lines: 100, characters: 64 * 1024 };

/** The levels of the protocol, from the least severe to the most severe one. */
const severities = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** A level as clients ask for it. */
export type AskedLevel = (typeof severities)[number];

/** Where a request of the newer revision has the level that it asks for. */
const levelName = 'io.modelcontextprotocol/logLevel';

const levels = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;

/**
 * Sends the caller of an action what the action logs, from the higher one of two levels: that which the operator allows, and that which the
 * client has asked for. Undefined for a client that has asked for none.
 */
export function callLogs(
  { level, written }: Pick<McpLogs, 'level' | 'written'>,
  {
    action,
    asked,
    mcpReq,
  }: { readonly action: string; readonly asked: unknown; readonly mcpReq: ServerContext['mcpReq'] },
): DirectCall['logged'] {
  if (!isLevel(asked)) return undefined;
  const lowest = Math.max(severity(levels[level]), severity(asked));
  const left = { ...most };
  return (line) => {
    const sent = levels[line.level];
    if (severity(sent) < lowest || left.lines === 0 || mcpReq.signal.aborted) return;
    const text = written(line);
    if (text.length > left.characters) return;
    left.lines -= 1;
    left.characters -= text.length;
    const data: unknown = JSON.parse(text);
    // A caller who has gone reads nothing any more.
    mcpReq
      .notify({ method: 'notifications/message', params: { level: sent, logger: action, data } })
      .catch(() => undefined);
  };
}

/** The level that a request of the newer revision asks for. Undefined: none, so nothing is sent. */
export function levelIn({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): unknown {
  return envelope === undefined ? undefined : Reflect.get(envelope, levelName);
}

function isLevel(value: unknown): value is AskedLevel {
  return severities.some((level) => level === value);
}

function severity(level: AskedLevel): number {
  return severities.indexOf(level);
}
