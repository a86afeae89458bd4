import { loadSkillName, readSkillResourceName } from '../../../core/tools/tool-name.ts';
import { mostHits } from './most-hits.ts';

/** A skill in the list of skills below the instructions. */
const entry = /<skill><name>([^<]*)<\/name><description>([^<]*)<\/description><\/skill>/g;
/** Whether a tool only loads skills. The words of its name say nothing about what it is called for. */
export function isSkillTool(name: string): boolean {
  return name === loadSkillName || name === readSkillResourceName;
}

/** The skill of `instructions` whose description shares the most words with a question. Undefined when none fits. */
export function fittingSkill(instructions: string, question: string): string | undefined {
  const entries = [...instructions.matchAll(entry)].map(([, name = '', words = '']) => ({ name, words }));
  return mostHits(question, entries);
}

/** The content of a loaded skill, without the text that the server puts around it. */
export function skillInstructions(text: string): string {
  return text
    .replace(/^Instructions of the skill [^\n]*\n+/, '')
    .replace(/\n\nFiles of this skill, for read_skill_resource:\n[^]*$/, '')
    .replace(/^# [^\n]*\n+/, '');
}
