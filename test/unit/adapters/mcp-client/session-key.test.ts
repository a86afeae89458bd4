import { describe, expect, it } from 'vitest';
import { sessionKey } from '../../../../src/adapters/mcp-client/reach-server.ts';
import type { McpServerSettings } from '../../../../src/adapters/mcp-client/mcp-settings.ts';

describe('the connection of a user (contract/mcp-servers.md#connections)', () => {
  const keyOf = (id: string, iss: string | undefined, tenant?: string): string =>
    sessionKey({ command: 'program' } as McpServerSettings, {
      user: {
        ...{ id, name: 'Ann', roles: [], isAuthenticated: true },
        claims: iss === undefined ? {} : { iss },
        ...(tenant === undefined ? {} : { tenant }),
      },
      channel: 'sse',
      conversationId: 'one',
    });

  // proves service-5-55
  it('is that of one issuer and one tenant alone', () => {
    const keys = [
      keyOf('ann', undefined),
      keyOf('ann', 'https://staff.example.com'),
      keyOf('ann', 'https://customers.example.com'),
      keyOf('ann', 'https://staff.example.com', 'north'),
      keyOf('b ann', undefined, 'a'),
      keyOf('ann', undefined, 'a b'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf('ann', 'https://staff.example.com')).toBe(keys[1]);
  });
});
