import type { AnsweringAgent } from '../../../plugin-api/answering-agent.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';

/** Reads a plugin's agents that may answer in place of a model (contract/agents.md#an-agent-that-answers). */
export function readAnsweringAgents(agents: Members, report: ReportFault): ReadonlyMap<string, AnsweringAgent> {
  const read = new Map<string, AnsweringAgent>();
  for (const [name, agent] of Object.entries(agents)) {
    if (!isNameable(name)) report(name, 'must have a name of 1 to 100 characters');
    else if (hasMembers(agent) && typeof agent['stream'] === 'function')
      read.set(name, agent as unknown as AnsweringAgent); // its pieces are checked when it answers
    else report(name, 'must be an agent, an object with a function stream');
  }
  return read;
}

function isNameable(name: string): boolean {
  return name.trim() !== '' && name.length <= 100;
}
