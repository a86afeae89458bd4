import { onTestFinished } from 'vitest';
import { A2aAgent, type A2aAgentOptions } from '../../src/adapters/a2a-client/a2a-agent.ts';
import { type RemoteLimits, remoteLimits } from '../../src/adapters/a2a-client/remote-limits.ts';
import type { RemoteReply, RemoteRequest } from '../../src/core/ports/remote-agent.ts';
import { recordingLogger } from './quiet.ts';

/** Limits that a busy machine keeps. Only what tests have to wait for is short. */
export const testLimits: RemoteLimits = {
  ...remoteLimits,
  pollMs: { first: 5, last: 20 },
  pauseMs: { first: 500, last: 1_000 },
};

/** Limits for agents that are late. */
export const shortLimits: RemoteLimits = { ...testLimits, cardMs: 200, silenceMs: 400, totalMs: 1_200, cancelMs: 400 };

export interface OpenedAgent {
  readonly agent: A2aAgent;
  readonly log: ReturnType<typeof recordingLogger>;
  /** Each status the agent has had since its first. */
  readonly statuses: string[];
  /** Asks, and keeps the pieces that were told. */
  readonly ask: (
    text: string,
    request?: Partial<RemoteRequest>,
  ) => Promise<RemoteReply & { readonly pieces: readonly string[] }>;
}

/** An agent of the server. It ends with the test. */
export function openAgent(agentCardUrl: string, options: Partial<A2aAgentOptions> = {}): OpenedAgent {
  const log = recordingLogger();
  const statuses: string[] = [];
  const agent: A2aAgent = new A2aAgent({
    name: 'Warehouse',
    agentCardUrl,
    headers: {},
    log,
    statusChanged: () => statuses.push(agent.status),
    limits: testLimits,
    ...options,
  });
  onTestFinished(() => agent.close());
  return {
    agent,
    log,
    statuses,
    async ask(text, request = {}) {
      const pieces: string[] = [];
      const signal = new AbortController().signal;
      const reply = await agent.ask({ text, messageId: crypto.randomUUID(), signal, ...request }, (piece) => {
        pieces.push(piece);
      });
      return { ...reply, pieces };
    },
  };
}
