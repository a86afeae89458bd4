import type { Rule } from './rule.ts';

/**
 * `client.hubUrl` must end with the hub's path. The part before it is also the base of confirmations, Stop and the tour
 * (contract/widget.md#tour, `hubUrl`).
 */
export const hubUrlRule: Rule = ({ client: { hubUrl }, server: { hubPath } }) => {
  if (hubUrl === null || hubUrl.endsWith(hubPath)) return [];
  const message = `must end with ${hubPath}, the path of server.hubPath`;
  return [{ path: ['client', 'hubUrl'], message, follows: ['server', 'hubPath'] }];
};

/** An address that the badge of remote agents shows must be one (contract/widget.md#remote-agents). */
export const agentDisplaysRule: Rule = ({ client: { remoteAgentDisplays } }) =>
  remoteAgentDisplays.flatMap(({ agentCardUrl }, index) =>
    agentCardUrl === null || URL.canParse(agentCardUrl)
      ? []
      : [
          {
            path: ['client', 'remoteAgentDisplays', index, 'agentCardUrl'],
            message: 'is no address; check its host and its port',
          },
        ],
  );
