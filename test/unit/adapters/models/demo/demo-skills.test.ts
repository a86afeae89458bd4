import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoChatModel } from '../../../../../src/adapters/models/demo/demo-chat-model.ts';
import type { ChatMessage, ModelReply } from '../../../../../src/core/ports/chat-model.ts';
import type { Skill } from '../../../../../src/core/ports/skill-source.ts';
import { OfferedSkills } from '../../../../../src/core/skills/offered-skills.ts';
import { Toolbox } from '../../../../../src/core/tools/toolbox.ts';
import { shopPages, shopTitles, shopTools } from './shop-tools.ts';

/** What the shipped configuration offers. */
const shipped = readFileSync(
  join(import.meta.dirname, '../../../../../config/skills/damaged-parcels/SKILL.md'),
  'utf8',
);
const [, description = '', instructions = ''] = /description: (.*)\n---\n([^]*)$/.exec(shipped) ?? [];
const skill: Skill = {
  name: 'damaged-parcels',
  description,
  instructions,
  resources: () => Promise.resolve(['references/photographs.txt']),
  read: () => Promise.resolve(undefined),
};
const offered = new OfferedSkills([skill]);
const tools = offered.addTo(new Toolbox([]));

function ask(messages: readonly ChatMessage[]): Promise<ModelReply> {
  const model = new DemoChatModel({
    language: 'English',
    appName: 'Order desk',
    appDescription: 'A small shop.',
    pages: () => shopPages,
    titleOf: (tool) => shopTitles[tool],
    wordDelayMs: 0,
  });
  const request = {
    instructions: offered.beside('Be nice.'),
    messages,
    tools: [...shopTools, ...tools.declarations],
    toolChoice: 'auto' as const,
    signal: new AbortController().signal,
    flow: { paused: false, onResume: () => undefined },
  };
  return model.run(request, { text: () => undefined });
}

describe('DemoChatModel and skills (contract/skills.md#tools)', () => {
  it('loads the skill whose description has the words of the question, and says what it says', async () => {
    const question: ChatMessage = { role: 'user', text: 'What do I do when a parcel arrives damaged?' };
    const { toolCalls } = await ask([question]);
    expect(toolCalls).toMatchObject([{ name: 'load_skill', arguments: '{"skillName":"damaged-parcels"}' }]);
    const [load] = tools.tools;
    const loaded = await load?.execute({ skillName: 'damaged-parcels' }, undefined as never); // it knows no context
    const answer = await ask([
      question,
      { role: 'assistant', text: '', toolCalls },
      {
        role: 'tool',
        callId: toolCalls[0]?.id ?? '',
        name: 'load_skill',
        text: `[succeeded] ${String(loaded?.value)}`,
      },
    ]);
    expect(answer.text).toMatch(/^1\. Look up the order/);
    expect(answer.text).not.toContain('read_skill_resource');
  });

  it.each(['Show order 1001', 'Hello', 'What is the weather like?', 'Read a file', 'Load it'])(
    'loads none for %s',
    async (text) => {
      const { toolCalls } = await ask([{ role: 'user', text }]);
      expect(toolCalls.filter(({ name }) => name.includes('skill'))).toEqual([]);
    },
  );
});
