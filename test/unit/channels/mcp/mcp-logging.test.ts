import { describe, expect, it } from 'vitest';
import { AskedLevels } from '../../../../src/channels/mcp/asked-levels.ts';
import type { McpLogs } from '../../../../src/channels/mcp/call-logs.ts';
import { mcpServer, type McpRequest } from '../../../../src/channels/mcp/mcp-server.ts';
import { SharedSkills } from '../../../../src/channels/mcp/shared-skills.ts';
import type { DirectCalls } from '../../../../src/core/direct/direct-calls.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { recordingLogger } from '../../../support/quiet.ts';

/** What the server promises a client of this era. */
function promised(era: McpRequest['era'], logs: Partial<McpLogs>): object {
  const log = recordingLogger();
  const principal = anonymousPrincipal('mcp:here');
  const { server } = mcpServer(
    {
      direct: { skills: () => undefined } as unknown as DirectCalls, // what is asked before a message is read
      info: { name: 'test', version: '1' },
      skills: new SharedSkills(log),
      askedLevels: new AskedLevels(),
      logs: { level: 'info', written: () => '{}', keepsLevels: true, ...logs },
      log,
      confirmations: undefined,
    },
    {
      caller: { channel: 'mcp', principal, counted: principal, canConfirm: false },
      era,
      opensAddresses: false,
      sessionId: undefined,
      address: 'http://localhost',
    },
  );
  return server.getCapabilities();
}

describe('the promise of logs (contract/mcp-server.md#logs)', () => {
  // proves service-4.3-72
  it.each([
    ['modern', true, true],
    ['modern', false, true],
    ['legacy', true, true],
    ['legacy', false, false],
  ] as const)('one of several replicas promises logs to the newer revision alone: %s', (era, keepsLevels, promises) => {
    expect('logging' in promised(era, { keepsLevels })).toBe(promises);
  });
});
