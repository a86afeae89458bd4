import { describe, expect, it } from 'vitest';
import { coordinatorInstructions, type InstructionSettings } from '../../../../src/core/prompt/instructions.ts';

const settings: InstructionSettings = {
  appName: 'Order desk',
  appDescription: 'Keeps the orders of a shop.',
  language: 'English',
  helperLevel: 'Standard',
  enableRichResponses: true,
  useRag: false,
  useMemoryContext: false,
  memoryAutoCapture: true,
  enableSkills: false,
};
const told = (overrides: Partial<InstructionSettings>) => coordinatorInstructions({ ...settings, ...overrides });

describe('what the coordinator is told (contract/assistant.md#tone)', () => {
  // proves service-2.3-01, service-2.3-02
  it('names the application and its description', () => {
    expect(told({})).toContain('"Order desk"');
    expect(told({})).toContain('Keeps the orders of a shop.');
    expect(told({ appDescription: '' })).not.toContain('About the application');
  });

  // proves service-2.3-04
  it('answers in the configured language', () => {
    expect(told({ language: 'Polish' })).toContain('Always answer in Polish.');
  });

  // proves service-2.3-08
  it('Minimal: no explanations or suggestions', () => {
    expect(told({ helperLevel: 'Minimal' })).toContain('Do not explain and do not suggest anything.');
  });

  // proves service-2.3-09
  it('Standard: balanced', () => {
    expect(told({ helperLevel: 'Standard' })).toContain('Balance brevity and explanation');
  });

  it.each([
    // proves service-2.3-10
    ['explains', 'Explain what you do and why.'],
    // proves service-2.3-11
    ['suggests next steps', 'Suggest useful next steps.'],
    // proves service-2.3-12
    ['warns of risks', 'Warn of risks.'],
    // proves service-2.3-13
    [
      'offers only what a tool or page can perform',
      'Offer a next step only when one of your tools or pages can perform it.',
    ],
  ])('Proactive: %s', (_title, sentence) => {
    expect(told({ helperLevel: 'Proactive' })).toContain(sentence);
    expect(told({ helperLevel: 'Minimal' })).not.toContain(sentence);
  });

  // proves service-18-21
  it.each([
    [{ hasSpecialists: true, hasTeams: false }, false, 'tools, pages or specialists'],
    [{ hasSpecialists: true, hasTeams: true }, true, 'tools, pages, skills, specialists or teams'],
    [{ hasSpecialists: false, hasTeams: true }, false, 'tools, pages or teams'],
  ])('Proactive: names those that can be handed to: %j', (others, enableSkills, doers) => {
    const proactive = { ...settings, helperLevel: 'Proactive', enableSkills } as const;
    expect(coordinatorInstructions(proactive, others)).toContain(
      `Offer a next step only when one of your ${doers} can perform it.`,
    );
  });

  // proves service-2.4-04
  it('asks for Markdown, or for short plain text with enableRichResponses: false', () => {
    expect(told({ enableRichResponses: true })).toContain('Markdown where it helps');
    expect(told({ enableRichResponses: false })).toContain('short plain text without any Markdown');
  });
});
