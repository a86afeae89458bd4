import { afterEach, describe, expect, it, vi } from 'vitest';
import { mcpLimits } from '../../../../src/adapters/mcp-client/mcp-limits.ts';
import { McpSessions, type OpenedSession } from '../../../../src/adapters/mcp-client/mcp-sessions.ts';

const limits = { idleMs: 1_000, sessions: 2 };

/** Opens connections that note their ends. */
function opening(): {
  readonly open: () => Promise<OpenedSession>;
  readonly closed: number[];
  readonly opened: () => number;
} {
  const closed: number[] = [];
  let count = 0;
  return {
    closed,
    opened: () => count,
    open: () => {
      count += 1;
      const number = count;
      const close = (): Promise<void> => {
        closed.push(number);
        return Promise.resolve();
      };
      return Promise.resolve({ connection: unused, close });
    },
  };
}

/** Nobody speaks with it. */
const unused = Object.create(null) as OpenedSession['connection']; // no member of it is read

const nothing = (): Promise<void> => Promise.resolve();

afterEach(() => {
  vi.useRealTimers();
});

describe('connections with an MCP server (contract/mcp-servers.md#connections)', () => {
  // proves service-2.16-23
  it('serve all uses of a key, and are closed when nobody has used them for a while', async () => {
    vi.useFakeTimers();
    const { open, closed, opened } = opening();
    const sessions = new McpSessions(limits, true);
    await Promise.all([sessions.use('a', open, nothing), sessions.use('a', open, nothing)]);
    await sessions.use('', open, nothing);
    expect(opened()).toBe(2);
    await vi.advanceTimersByTimeAsync(900);
    await sessions.use('a', open, nothing);
    await vi.advanceTimersByTimeAsync(900);
    expect(closed).toEqual([]);
    await vi.advanceTimersByTimeAsync(600);
    // That of all users stays.
    expect(closed).toEqual([1]);
    await sessions.close();
    expect(closed).toEqual([1, 2]);
  });

  // proves service-2.16-92
  it('are so many at most: the one that was not used for longest gives way, and none that is in use', async () => {
    const { open, closed } = opening();
    const sessions = new McpSessions(limits, false);
    await sessions.use('a', open, nothing);
    const busy = Promise.withResolvers<undefined>();
    const using = sessions.use('b', open, () => busy.promise);
    await sessions.use('c', open, nothing);
    expect(closed).toEqual([1]);
    const second = sessions.use('c', open, () => busy.promise);
    await expect(sessions.use('d', open, nothing)).rejects.toThrow('has too many connections');
    busy.resolve(undefined);
    await Promise.all([using, second]);
    await sessions.close();
    await expect(sessions.use('e', open, nothing)).rejects.toThrow('is being closed');
  });

  it('that could not be opened are opened anew for the next use', async () => {
    const { open } = opening();
    const sessions = new McpSessions(limits, false);
    await expect(sessions.use('a', () => Promise.reject(new Error('away')), nothing)).rejects.toThrow('away');
    await expect(sessions.use('a', open, () => Promise.resolve('used'))).resolves.toBe('used');
    await sessions.close();
  });
});

describe('the limits of MCP servers (contract/mcp-servers.md#limits)', () => {
  // proves service-2.16-21, service-2.16-22, service-2.16-24, service-2.16-34, service-2.16-41, service-2.16-90
  // proves service-2.16-92
  it('are those of the contract', () => {
    const { pauseMs, firstListMs, idleMs, closeMs, refreshMs, answerBytes, streamBytes, streamEvents } = mcpLimits;
    expect(pauseMs).toEqual({ first: 1_000, last: 60_000 });
    expect(firstListMs).toEqual({ http: 5_000, stdio: 10_000 });
    expect([idleMs, closeMs, refreshMs]).toEqual([600_000, 2_000, 300_000]);
    expect([answerBytes, streamBytes, streamEvents, mcpLimits.windowMs]).toEqual([4_194_304, 4_194_304, 1_000, 10_000]);
    expect([mcpLimits.errorBytes, mcpLimits.tools, mcpLimits.sessions, mcpLimits.progressLines]).toEqual([
      4_096, 512, 32, 20,
    ]);
  });

  // proves service-2.16-93
  it('of users who are signed in are not ended for strangers, and those of strangers end first', async () => {
    const { open, closed } = opening();
    const sessions = new McpSessions(limits, false);
    await sessions.use('user a', open, nothing);
    await sessions.use('stranger 1', open, nothing);
    await sessions.use('stranger 2', open, nothing);
    await sessions.use('stranger 3', open, nothing);
    expect(closed).toEqual([2, 3]);
    await sessions.use('user b', open, nothing);
    expect(closed).toEqual([2, 3, 4]);
    await expect(sessions.use('stranger 4', open, nothing)).rejects.toThrow('too many connections');
    await sessions.use('user c', open, nothing);
    expect(closed).toEqual([2, 3, 4, 1]);
    await sessions.close();
  });
});
