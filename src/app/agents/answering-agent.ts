import { createHash } from 'node:crypto';
import { agentAddress } from '../../adapters/a2a-client/agent-address.ts';
import type { ChainedModel } from '../../adapters/models/open-chat-model.ts';
import { withMetrics } from '../../adapters/models/with-metrics.ts';
import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import type { AnsweringAgentSettings, HelperSettings } from '../../config/settings.ts';
import type { ForeignAgent } from '../../core/agents/agent.ts';
import type { RemoteAgentDefinition } from '../../core/agents/agent-definition.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { influenceOf } from '../../core/provenance/influences.ts';
import type { RemoteAgents } from './remote-agents.ts';

/** The parts that the agent is opened with. */
interface AnsweringParts {
  readonly plugins: readonly LoadedPlugin[];
  readonly remotes: Pick<RemoteAgents, 'prepare'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of' | 'expect'>;
  readonly traced?: ((model: ChatModel) => ChatModel) | undefined;
}

/** The agent that answers in place of `chatClient`. */
interface OpenedAgent {
  readonly model: ChatModel;
  readonly foreign: ForeignAgent;
  readonly tried: readonly ChainedModel[];
}

/**
 * Opens the agent that answers users (contract/agents.md#an-agent-that-answers).
 * @throws StartupFaults where no plugin has the agent.
 */
export async function openAnsweringAgent(
  agent: AnsweringAgentSettings,
  settings: Pick<HelperSettings, 'configFile' | 'observabilityIncludeSensitiveData'>,
  parts: AnsweringParts,
): Promise<OpenedAgent> {
  const { metrics, traced } = parts;
  const opened = await (agent.a2a === undefined
    ? pluginAgent(agent.plugin, settings, parts)
    : remoteAgent(agent, parts));
  const counted = withMetrics(opened, metrics);
  const model = traced?.(counted) ?? counted;
  // Nobody knows how much an agent reads and writes at most, so nothing bounds what a budget guesses of it.
  const tried = [{ model, settings: { contextWindow: Number.MAX_SAFE_INTEGER, maxOutputTokens: undefined } }];
  return { model, foreign: { influences: agent.a2a === undefined ? [] : influenceOf('remote', opened.model) }, tried };
}

/** The agent on another server that answers, as the remote agents of the server know it. Empty where none does. */
export function answeringRemote({ agent }: Pick<HelperSettings, 'agent'>): readonly RemoteAgentDefinition[] {
  if (agent?.a2a === undefined) return [];
  const { a2a: agentCardUrl, headers } = agent;
  const name = agentAddress(agentCardUrl).cardAddress.host;
  return [{ kind: 'remote', name, description: '', requiredRoles: [], version: '', agentCardUrl, headers }];
}

async function remoteAgent(
  agent: AnsweringAgentSettings & { readonly a2a: string },
  { remotes }: AnsweringParts,
): Promise<ChatModel> {
  const { RemoteChatModel } = await import('../../adapters/models/agents/remote-chat-model.ts');
  const [definition] = answeringRemote({ agent });
  if (definition === undefined) throw new Error('the agent has no address');
  const { cardAddress } = agentAddress(agent.a2a);
  const identity = `a2a ${createHash('sha256').update(cardAddress.href).digest('base64url').slice(0, 22)}`;
  return new RemoteChatModel({ name: definition.name, identity, remote: await remotes.prepare(definition) });
}

async function pluginAgent(
  name: string,
  { configFile: file, observabilityIncludeSensitiveData: includeSensitive }: Parameters<typeof openAnsweringAgent>[1],
  { plugins, log }: AnsweringParts,
): Promise<ChatModel> {
  const owner = plugins.find(({ answering }) => answering?.has(name));
  const agent = owner?.answering?.get(name);
  if (owner === undefined || agent === undefined) {
    const known = plugins.flatMap(({ answering }) => [...(answering?.keys() ?? [])]);
    const there = known.length === 0 ? 'there is none' : `there is ${known.join(', ')}`;
    const suggestion = nearestName(name, known);
    const message = `no loaded plugin exports an agent named "${name}"; ${there}`;
    throw new StartupFaults([
      { file, path: 'agent.plugin', message, ...(suggestion === undefined ? {} : { suggestion }) },
    ]);
  }
  const { PluginChatModel } = await import('../../adapters/models/agents/plugin-chat-model.ts');
  return new PluginChatModel({
    name,
    plugin: owner.name,
    agent,
    includeSensitive,
    log: log.child({ plugin: owner.name }),
  });
}
