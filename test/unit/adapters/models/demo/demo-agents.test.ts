import { describe, expect, it } from 'vitest';
import { handOver } from '../../../../../src/adapters/models/demo/demo-agents.ts';
import { OfferedAgents } from '../../../../../src/core/agents/offered-agents.ts';
import { Toolbox } from '../../../../../src/core/tools/toolbox.ts';

/** To whom the demo model hands a question over. */
function named(question: string, ...names: readonly string[]): unknown {
  const agents = new OfferedAgents(names.map((name) => ({ name, description: 'Works.' })));
  const tools = agents.addTo(new Toolbox([])).declarations;
  return handOver({ tools, toolChoice: 'auto' }, question, true)?.arguments['name'];
}

describe('the agent that a message to the demo model names (contract/agents.md#teams)', () => {
  it('is the one whose whole name stands there, though another name is a part of it', () => {
    expect(named('Ask A777 for help', 'A7', 'A77', 'A777')).toBe('A777');
    expect(named('Ask Sales EU for a quote', 'Sales', 'Sales EU')).toBe('Sales EU');
    expect(named('Ask sales for a quote', 'SalesEU', 'Sales')).toBe('Sales');
    expect(named('Ask Desk whether Billing can help', 'Desk', 'Billing')).toBe('Desk');
    expect(named('Is it illegal? Ask Sales (C++).', 'Legal', 'Sales (C++)')).toBe('Sales (C++)');
  });

  it('is found within a word where no name stands alone, as in languages without spaces', () => {
    expect(named('请问销售部门', '仓库', '销售')).toBe('销售');
  });
});
