import type { Agent } from 'node:http';
import { agentOfProxy, hasProxy } from '../shared/network/network.ts';

/** The options with which an exporter goes through the proxy of the configuration. Empty where there is none. */
export function throughAgent(): { httpAgentOptions?: (protocol: string) => Agent } {
  return hasProxy() ? { httpAgentOptions: agentOfProxy } : {};
}
