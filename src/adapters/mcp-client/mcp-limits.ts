/** What an MCP server may take and send (contract/mcp-servers.md#limits). Durations are milliseconds. */
export interface McpLimits {
  /** Until a connection stands, its first list included. */
  readonly connectMs: number;
  /** Until the end of the attempt to find out which era a server speaks, where silence means the older one. */
  readonly probeMs: number;
  /** Until a list of tools is read. */
  readonly listMs: number;
  /** Between two looks at the tools of a server that tells of no changes. */
  readonly refreshMs: number;
  /** At least this long between two lists that a server asks for by telling of changes. */
  readonly changeMs: number;
  /** Until a closing connection is given up, and until a process that goes on is killed. */
  readonly closeMs: number;
  /** After a failure. The pause doubles from the first to the last. */
  readonly pauseMs: { readonly first: number; readonly last: number };
  /** Until a process or a connection of one user or conversation is closed that nobody uses. */
  readonly idleMs: number;
  /** Until a server that is not configured any more is closed. Turns may use its tools meanwhile. */
  readonly retiredMs: number;
  /** How long a turn waits for the first list of a server. A program must start first. */
  readonly firstListMs: { readonly http: number; readonly stdio: number };
  /** Bytes of one answer, of one message of a process, and of one event of a stream. */
  readonly answerBytes: number;
  /** Bytes and events of a stream that stays open, in each window of `windowMs`. */
  readonly streamBytes: number;
  readonly streamEvents: number;
  readonly windowMs: number;
  /** Bytes that the error output of a process may have in the log, in each window. */
  readonly errorBytes: number;
  readonly tools: number;
  /** Characters of the schema of one tool. */
  readonly schemaLength: number;
  /** Characters of everything that a server declares of its tools. */
  readonly listLength: number;
  readonly descriptionLength: number;
  readonly titleLength: number;
  /** Connections beside the shared one. */
  readonly sessions: number;
  /** Lines of progress that one call may show. */
  readonly progressLines: number;
  /** Characters of what an MCP server asks its user. */
  readonly questionLength: number;
}

const second = 1_000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

/** The limits of a running server. Tests shorten some of them. */
export const mcpLimits: McpLimits = {
  connectMs: 15 * second,
  probeMs: 5 * second,
  listMs: 10 * second,
  refreshMs: 5 * minute,
  changeMs: 2 * second,
  closeMs: 2 * second,
  pauseMs: { first: second, last: minute },
  idleMs: 10 * minute,
  retiredMs: 15 * minute,
  firstListMs: { http: 5 * second, stdio: 10 * second },
  answerBytes: 4 * mebibyte,
  streamBytes: 4 * mebibyte,
  streamEvents: 1_000,
  windowMs: 10 * second,
  errorBytes: 4 * 1024,
  tools: 512,
  schemaLength: 32 * 1024,
  listLength: 2 * mebibyte,
  descriptionLength: 2_000,
  titleLength: 100,
  sessions: 32,
  progressLines: 20,
  questionLength: 1_000,
};
