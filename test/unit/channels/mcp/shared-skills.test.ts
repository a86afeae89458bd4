import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { SharedSkills } from '../../../../src/channels/mcp/shared-skills.ts';
import type { Skill } from '../../../../src/core/ports/skill-source.ts';

/** A skill as each reading makes it anew. */
const skillOf = (name: string): Skill => ({
  name,
  description: 'Measures.',
  instructions: 'Measure twice.',
  resources: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
});

describe('skills in the form of the extension (contract/mcp-server.md#skills)', () => {
  // proves service-2.13-42
  it('says once why a skill is left out', async () => {
    const warned: unknown[] = [];
    const shared = new SharedSkills({ warn: (...line: unknown[]) => void warned.push(line) });
    const context = {} as ServerContext; // The source reads nothing of it.
    const list = () =>
      shared.of(() => Promise.resolve([skillOf('gr\u00f6\u00dfe'), skillOf('returns')])).list({}, context);
    for (let reading = 0; reading < 3; reading++)
      expect((await list()).skills.map(({ uri }) => uri)).toEqual(['skill://returns/SKILL.md']);
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatchObject([{ skill: 'gr\u00f6\u00dfe' }, 'a skill is not offered over MCP']);
  });
});
