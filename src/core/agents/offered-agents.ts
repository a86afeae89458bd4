import { oneLine } from '../base/one-line.ts';
import type { Tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { routeToSpecialistName } from '../tools/tool-name.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { handOverTool } from './hand-over-tool.ts';

type Offered = Pick<AgentDefinition, 'name' | 'description'>;

const introduction =
  'Hands a request over to an agent who knows more about it. The agent sees the conversation, answers the user, and you are told what was said. Hand over when a description fits the request better than your own tools. The agents:';

/** The agents that one user may reach, and the tool that hands over to them (contract/agents.md#handing-over). */
export class OfferedAgents {
  readonly #tool: Tool | undefined;
  readonly #toolboxes = new WeakMap<Toolbox, Toolbox>();

  constructor(agents: readonly Offered[]) {
    this.#tool = agents.length === 0 ? undefined : routeTool(agents);
  }

  /**
   * The toolbox with the tool that hands over. The same toolbox always gives the same result. Without an agent the toolbox is returned
   * unchanged.
   */
  addTo(toolbox: Toolbox): Toolbox {
    if (this.#tool === undefined) return toolbox;
    const known = this.#toolboxes.get(toolbox);
    if (known !== undefined) return known;
    const joined = new Toolbox([...toolbox.tools, this.#tool], toolbox.pages);
    this.#toolboxes.set(toolbox, joined);
    return joined;
  }
}

/** What a server without agents offers everybody. */
export const noAgents = new OfferedAgents([]);

function routeTool(agents: readonly Offered[]): Tool {
  const list = agents.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  return handOverTool({
    name: routeToSpecialistName,
    title: 'Hand over to an agent',
    description: [introduction, ...list].join('\n'),
    chooses: { name: 'name', from: agents.map(({ name }) => name), description: 'The name of the agent' },
    text: {
      name: 'request',
      description: 'What the agent is to do or to answer, with everything that the agent needs to know',
    },
  });
}
