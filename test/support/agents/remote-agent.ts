import type { RosterAgent } from '../../../src/core/agents/roster.ts';
import type { RemoteAgent } from '../../../src/core/ports/remote-agent.ts';

/** An agent on another server, which answers as the test says. */
export function remoteAgent(name: string, ask: RemoteAgent['ask']): RosterAgent {
  return {
    definition: {
      kind: 'remote',
      name,
      description: 'Far away.',
      requiredRoles: [],
      version: 'v1',
      agentCardUrl: 'https://remote.test',
      headers: {},
    },
    remote: { ask },
  };
}
