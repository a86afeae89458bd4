import { createHash } from 'node:crypto';
import { shownAddress } from '../../adapters/a2a-client/agent-address.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { coordinatorName } from '../../core/agents/coordinator-name.ts';
import type { PreparedServer } from '../prepare-server.ts';
import type { AgentReport } from './agent-report.ts';

/** The agent that answers in place of `chatClient`, for `helper check`. Empty where a model answers. */
export function reportAnswering(
  { agent }: Pick<HelperSettings, 'agent'>,
  { plugins, tools }: Pick<PreparedServer, 'plugins' | 'tools'>,
): readonly AgentReport[] {
  if (agent === null) return [];
  const isRemote = agent.a2a !== undefined;
  const owner = plugins.find(({ answering }) => !isRemote && answering?.has(agent.plugin) === true);
  const from = isRemote ? shownAddress(agent.a2a) : `plugin ${owner?.name ?? ''}: ${agent.plugin}`;
  return [
    {
      name: coordinatorName,
      kind: isRemote ? 'remote' : 'plugin',
      mode: null,
      from,
      tools: isRemote ? [] : tools.toolbox.current.tools.map(({ name }) => name),
      members: [],
      roles: [],
      model: null,
      version: createHash('sha256').update(from).digest('hex').slice(0, 12),
    },
  ];
}
